package touchline.benchmarks.assets;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import touchline.benchmarks.load.Arguments;
import touchline.benchmarks.load.CameraSource;
import touchline.benchmarks.load.KillableServer;
import touchline.benchmarks.load.NginxFiles;
import touchline.benchmarks.load.ProcessUsage;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.Samples;

/**
 * Records a match pushed faster than real time, downloads it as MP4 beside nginx with a plain file
 * of the same bytes, and cuts clips of a minute beside the ffmpeg command line encoding the same
 * cut anew.
 */
public final class AssetLoad {
    private static final String ASSETS = "/video-streams/v1/assets";
    private static final Duration SOON = Duration.ofMinutes(10);
    private static final long POLL_MS = 25;
    private static final int CLIP_SECONDS = 60;

    /** Not where a key frame is: both ends have to be encoded. */
    private static final double OFF_KEY_SECONDS = 0.7;

    /**
     * @param minutes how long the recording is
     * @param rounds how often each is measured
     */
    public record Plan(int minutes, int rounds) {
        /** Minutes and rounds: 60 and 5 unless given. */
        public static Plan of(Arguments given) {
            return new Plan(given.number(0, 60), given.number(1, 5));
        }
    }

    private final Plan plan;
    private final Report report;
    private int faults;

    public AssetLoad(Plan plan, Report report) {
        this.plan = plan;
        this.report = report;
    }

    /** Runs everything and prints the tables; the exit code. */
    public int run(Path results) throws Exception {
        Path pushed = Files.createTempFile("touchline-bench-pushed", ".flv");
        try (KillableServer server = KillableServer.create()) {
            server.start();
            JsonNode asset = recorded(server, pushed);
            String playbackId = asset.at("/playback_ids/0/id").asText();
            URI mp4 = server.playback(playbackId + "/capped-1080p.mp4");
            download(server, asset, mp4);
            Packets stored = Packets.of(mp4.toString());
            clips(server, asset, new Source(mp4, stored));
            compare(stored, pushed);
            report.finish(results);
            return faults;
        } finally {
            Files.delete(pushed);
        }
    }

    private JsonNode recorded(KillableServer server, Path pushed) throws Exception {
        JsonNode stream =
                server.call(
                                "POST",
                                "/live/v1/live-streams",
                                "{\"record\":true,\"reconnect_window\":0}")
                        .path("data");
        URI push =
                server.stream(
                                stream.path("stream_key").asText(),
                                stream.at("/playback_ids/0/id").asText())
                        .push();
        long startNs = System.nanoTime();
        Tool.push(CameraSource.path(), loops(), plan.minutes() * 60, push, pushed);
        report.note(
                "%d minutes were pushed in %.1f s",
                plan.minutes(), (System.nanoTime() - startNs) / 1e9);
        return await(server, () -> finished(server));
    }

    private void compare(Packets stored, Path pushed) throws IOException, InterruptedException {
        PushCheck check;
        try {
            check = PushCheck.of(stored, Packets.of(pushed.toString()));
        } catch (IOException e) {
            fault("the MP4 is not what was pushed", e);
            return;
        }
        report.table(
                "stored",
                List.of(
                        "frames, all as pushed",
                        "frames of audio, all as pushed",
                        "their times differ by ms",
                        "those of audio",
                        "audio against video ms"),
                List.of(
                        List.of(
                                stored.video().size(),
                                stored.audio().size(),
                                check.videoMs(),
                                check.audioMs(),
                                check.syncMs())));
    }

    private void fault(String what, IOException cause) {
        faults = 1;
        report.note("fault: %s: %s", what, cause);
    }

    private int loops() {
        return plan.minutes() * 60 / CameraSource.SECONDS - 1;
    }

    private static Optional<JsonNode> finished(KillableServer server) throws Exception {
        JsonNode asset = server.call("GET", ASSETS, "").path("data").path(0);
        boolean whole =
                asset.path("status").asText().equals("ready") && !asset.path("is_live").asBoolean();
        return whole ? Optional.of(asset) : Optional.empty();
    }

    /** What is asked again and again until it is there. */
    @FunctionalInterface
    private interface Question {
        Optional<JsonNode> ask() throws Exception;
    }

    private static JsonNode await(KillableServer server, Question question) throws Exception {
        long deadline = System.nanoTime() + SOON.toNanos();
        while (System.nanoTime() < deadline) {
            Optional<JsonNode> answer = question.ask();
            if (answer.isPresent()) {
                return answer.get();
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
        }
        throw new IOException("not within " + SOON + ": " + server.data());
    }

    private void download(KillableServer server, JsonNode asset, URI mp4) throws Exception {
        Path folder = server.data().resolve("assets").resolve(asset.path("asset_id").asText());
        long head = Files.size(folder.resolve("mp4-head"));
        long all = sizeBytes(folder);
        Samples firstByteMs = new Samples();
        Samples own = new Samples();
        Samples plain = new Samples();
        Path copy = Files.createTempFile("touchline-bench", ".mp4");
        try (Perhaps nginx = new Perhaps(NginxFiles.start())) {
            Download.to(mp4, copy);
            report.note("the MP4's boxes: %s", PushCheck.boxes(copy));
            Optional<URI> same =
                    nginx.value().isPresent()
                            ? Optional.of(nginx.value().get().link("match.mp4", copy))
                            : Optional.empty();
            for (int i = 0; i < plan.rounds(); i++) {
                Download mine = Download.drain(mp4, server.process());
                firstByteMs.add(mine.firstByteMs());
                own.add(mine.megabytesPerCpuSecond());
                if (same.isPresent()) {
                    plain.add(
                            Download.drain(same.get(), nginx.value().orElseThrow().process())
                                    .megabytesPerCpuSecond());
                }
            }
        } finally {
            Files.delete(copy);
        }
        report.table(
                "mp4",
                List.of(
                        "duration s",
                        "MB on disk",
                        "KB beside the media",
                        "first byte ms, median",
                        "most",
                        "MB per CPU s",
                        "nginx, plain file",
                        "ratio"),
                List.of(
                        List.of(
                                asset.path("duration").asDouble(),
                                all >> 20,
                                head >> 10,
                                firstByteMs.median(),
                                firstByteMs.max(),
                                own.median(),
                                plain.median(),
                                own.median() / plain.median())));
    }

    /** Closes it where it is there. */
    private record Perhaps(Optional<NginxFiles> value) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            if (value.isPresent()) {
                value.get().close();
            }
        }
    }

    private static long sizeBytes(Path folder) throws IOException {
        long sum = 0;
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                sum += Files.size(file);
            }
        }
        return sum;
    }

    /** What clips are cut from. */
    private record Source(URI mp4, Packets packets) {}

    private void clips(KillableServer server, JsonNode asset, Source source) throws Exception {
        Samples readyMs = new Samples();
        Samples cpu = new Samples();
        Samples reencoded = new Samples();
        List<List<Object>> rows = new ArrayList<>();
        List<List<Object>> exact = new ArrayList<>();
        int room = plan.minutes() * 60 - CLIP_SECONDS - 2;
        for (int i = 0; i <= plan.rounds(); i++) {
            double start = room * (i + 0.5) / (plan.rounds() + 1.0);
            start = Math.floor(start / 2) * 2 + OFF_KEY_SECONDS;
            double before = ProcessUsage.of(server.process()).cpuSeconds();
            long startNs = System.nanoTime();
            String clip = clip(server, asset, start);
            await(server, () -> ready(server, clip));
            double ms = (System.nanoTime() - startNs) / 1e6;
            double used = ProcessUsage.of(server.process()).cpuSeconds() - before;
            double whole = Tool.encodedAgain(source.mp4(), start, CLIP_SECONDS);
            rows.add(List.of(i == 0 ? "first" : "clip " + i, ms, used, whole, whole / used));
            exact.add(check(server, clip, source, start));
            if (i > 0) {
                readyMs.add(ms);
                cpu.add(used);
                reencoded.add(whole);
            }
        }
        rows.add(
                List.of(
                        "median behind the first",
                        readyMs.median(),
                        cpu.median(),
                        reencoded.median(),
                        reencoded.median() / cpu.median()));
        report.table(
                "clips",
                List.of(
                        CLIP_SECONDS + " s out of " + plan.minutes() + " min",
                        "ready after ms",
                        "CPU s",
                        "ffmpeg, all anew, CPU s",
                        "times less"),
                rows);
        report.table(
                "clips beside their source",
                List.of(
                        "from s",
                        "packets of inner groups, all the source's",
                        "audio against video ms",
                        "first frame off by",
                        "last frame off by"),
                exact);
    }

    private List<Object> check(KillableServer server, String clip, Source source, double start)
            throws Exception {
        JsonNode asset = server.call("GET", ASSETS + "/" + clip, "").path("data");
        URI mp4 = server.playback(asset.at("/playback_ids/0/id").asText() + "/capped-1080p.mp4");
        ClipCheck.Pair pair =
                new ClipCheck.Pair(source.packets(), source.mp4().toString(), mp4.toString());
        try {
            ClipCheck check = ClipCheck.of(pair, start, CLIP_SECONDS);
            return List.of(start, check.inner(), check.syncMs(), check.firstOff(), check.lastOff());
        } catch (IOException e) {
            fault("the clip from " + start + " s on", e);
            return List.of(start, "-", "-", "-", "-");
        }
    }

    private static String clip(KillableServer server, JsonNode asset, double start)
            throws Exception {
        return server.call(
                        "POST",
                        "/video-streams/v1/video/clip",
                        "{\"asset_id\":\"%s\",\"start_time\":%.1f,\"end_time\":%.1f}"
                                .formatted(
                                        asset.path("asset_id").asText(),
                                        start,
                                        start + CLIP_SECONDS))
                .at("/data/asset_id")
                .asText();
    }

    private static Optional<JsonNode> ready(KillableServer server, String clip) throws Exception {
        JsonNode asset = server.call("GET", ASSETS + "/" + clip, "").path("data");
        if (asset.path("status").asText().equals("errored")) {
            throw new IOException("a clip failed: " + asset);
        }
        return asset.path("status").asText().equals("ready")
                ? Optional.of(asset)
                : Optional.empty();
    }
}
