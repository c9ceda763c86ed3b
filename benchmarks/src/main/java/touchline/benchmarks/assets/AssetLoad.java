package touchline.benchmarks.assets;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import touchline.benchmarks.load.Arguments;
import touchline.benchmarks.load.Benchmark;
import touchline.benchmarks.load.Command;
import touchline.benchmarks.load.Nginx;
import touchline.benchmarks.load.ProcessUsage;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.Samples;
import touchline.benchmarks.load.TouchlineServer;

/**
 * Records a match that is pushed faster than real time. Downloads it as MP4, beside nginx with the
 * same bytes as a file. Cuts clips of a minute, beside the ffmpeg program that encodes the same
 * range again. Joins ranges of two recordings.
 */
public final class AssetLoad implements Benchmark {
    private static final int CLIP_SECONDS = 60;

    /** Of the second recording of a reel. */
    private static final int SECOND_SECONDS = 60;

    /** Distance from a key frame, so that both ends of a clip have to be encoded. */
    private static final double OFF_KEY_SECONDS = 0.7;

    private final int minutes;
    private final int rounds;
    private final Report report;
    private int faults;

    /**
     * Minutes of the recording, at least 2, and rounds of each measurement: 60 and 5 by default.
     */
    public AssetLoad(Arguments given, Report report) {
        minutes = Math.max(2, given.number(0, 60));
        rounds = given.number(1, 5);
        this.report = report;
    }

    /** Returns 1 if an asset differs from its source. */
    @Override
    public int run() throws Exception {
        Path pushed = Files.createTempFile("touchline-bench-pushed", ".flv");
        try (TouchlineServer server = TouchlineServer.startFromClassPath()) {
            JsonNode asset = recorded(server, pushed, minutes * 60);
            URI mp4 = AssetRequests.mp4(server, asset);
            download(server, asset, mp4);
            Packets stored = Packets.of(mp4.toString());
            clips(server, asset, new Source(mp4, stored));
            compare(stored, pushed);
            reels(
                    server,
                    new ReelLoad.Source(
                            asset.path("asset_id").asText(), mp4, stored, minutes * 60));
            return faults;
        } finally {
            Files.delete(pushed);
        }
    }

    /** With a second recording, a minute of the same camera. */
    private void reels(TouchlineServer server, ReelLoad.Source first) throws Exception {
        Path pushed = Files.createTempFile("touchline-bench-pushed", ".flv");
        try {
            JsonNode asset = recorded(server, pushed, SECOND_SECONDS);
            URI mp4 = AssetRequests.mp4(server, asset);
            ReelLoad.Source second =
                    new ReelLoad.Source(
                            asset.path("asset_id").asText(),
                            mp4,
                            Packets.of(mp4.toString()),
                            SECOND_SECONDS);
            new ReelLoad(server, report, List.of(first, second), rounds).run();
        } catch (IOException e) {
            fault("a reel", e);
        } finally {
            Files.delete(pushed);
        }
    }

    /** Keeps a copy of what is pushed. */
    private JsonNode recorded(TouchlineServer server, Path pushed, int seconds) throws Exception {
        long startNs = System.nanoTime();
        JsonNode asset = AssetRequests.record(server, seconds, pushed);
        report.note(
                "%d minutes were recorded in %.1f s",
                seconds / 60, (System.nanoTime() - startNs) / 1e9);
        return asset;
    }

    private void compare(Packets stored, Path pushed) throws IOException, InterruptedException {
        try {
            PushCheck check = PushCheck.of(stored, Packets.of(pushed.toString()).fromFirstFrame());
            report.table(
                            "stored",
                            "frames, all as pushed | frames of audio, all as pushed"
                                    + " | their times differ by ms | those of audio"
                                    + " | audio against video ms")
                    .row(
                            stored.video().size(),
                            stored.audio().size(),
                            check.videoMs(),
                            check.audioMs(),
                            check.syncMs());
        } catch (IOException e) {
            fault("the MP4 differs from the push", e);
        }
    }

    private void fault(String what, IOException cause) {
        faults = 1;
        report.note("fault: %s: %s", what, cause);
    }

    private void download(TouchlineServer server, JsonNode asset, URI mp4) throws Exception {
        Path folder = server.data().resolve("assets").resolve(asset.path("asset_id").asText());
        Samples firstByteMs = new Samples();
        Samples own = new Samples();
        Samples plain = new Samples();
        Path copy = Files.createTempFile("touchline-bench", ".mp4");
        Optional<Nginx> nginx = Nginx.files();
        try {
            Download.to(mp4, copy);
            report.note("the MP4's boxes: %s", PushCheck.boxes(copy));
            Optional<URI> same =
                    nginx.isPresent()
                            ? Optional.of(nginx.get().link("match.mp4", copy))
                            : Optional.empty();
            for (int i = 0; i < rounds; i++) {
                Download download = Download.drain(mp4, server.process());
                firstByteMs.add(download.firstByteMs());
                own.add(download.megabytesPerCpuSecond());
                if (same.isPresent()) {
                    Download other = Download.drain(same.get(), nginx.orElseThrow().process());
                    plain.add(other.megabytesPerCpuSecond());
                }
            }
        } finally {
            Files.delete(copy);
            if (nginx.isPresent()) {
                nginx.get().close();
            }
        }
        report.table(
                        "mp4",
                        "duration s | MB on disk | KB beside the media | first byte ms, median"
                                + " | most | MB per CPU s | nginx, plain file | ratio")
                .row(
                        asset.path("duration").asDouble(),
                        sizeBytes(folder) >> 20,
                        Files.size(folder.resolve("mp4-head-2")) >> 10,
                        firstByteMs.median(),
                        firstByteMs.max(),
                        own.median(),
                        plain.median(),
                        own.median() / plain.median());
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

    /** The recording that clips are cut from. */
    private record Source(URI mp4, Packets packets) {}

    private void clips(TouchlineServer server, JsonNode asset, Source source) throws Exception {
        Samples readyMs = new Samples();
        Samples cpu = new Samples();
        Samples reencoded = new Samples();
        Report.Table table =
                report.table(
                        "clips",
                        CLIP_SECONDS
                                + " s out of "
                                + minutes
                                + " min | ready after ms | CPU s | ffmpeg, full encode, CPU s"
                                + " | times less");
        Report.Table exact =
                report.table(
                        "clips beside their source",
                        "from s | packets of whole GOPs, all the source's"
                                + " | audio against video ms | first frame off by"
                                + " | last frame off by");
        int latestStart = minutes * 60 - CLIP_SECONDS - 2;
        for (int i = 0; i <= rounds; i++) {
            double start = latestStart * (i + 0.5) / (rounds + 1.0);
            start = Math.floor(start / 2) * 2 + OFF_KEY_SECONDS;
            double before = ProcessUsage.of(server.process()).cpuSeconds();
            long startNs = System.nanoTime();
            JsonNode clip = clip(server, asset, start);
            double ms = (System.nanoTime() - startNs) / 1e6;
            double used = ProcessUsage.of(server.process()).cpuSeconds() - before;
            double whole = reencodedCpuSeconds(source.mp4(), start);
            table.row(i == 0 ? "first" : "clip " + i, ms, used, whole, whole / used);
            exact.row(check(AssetRequests.mp4(server, clip), source, start));
            if (i > 0) {
                readyMs.add(ms);
                cpu.add(used);
                reencoded.add(whole);
            }
        }
        table.row(
                "median after the first",
                readyMs.median(),
                cpu.median(),
                reencoded.median(),
                reencoded.median() / cpu.median());
    }

    private Object[] check(URI clip, Source source, double start) throws InterruptedException {
        ClipCheck.Pair pair =
                new ClipCheck.Pair(source.packets(), source.mp4().toString(), clip.toString());
        try {
            ClipCheck check = ClipCheck.of(pair, start, CLIP_SECONDS);
            return new Object[] {
                start, check.inner(), check.syncMs(), check.firstOff(), check.lastOff()
            };
        } catch (IOException e) {
            fault("the clip from " + start + " s on", e);
            return new Object[] {start, "-", "-", "-", "-"};
        }
    }

    /** Requests a clip and waits until it is ready. */
    private static JsonNode clip(TouchlineServer server, JsonNode asset, double start)
            throws Exception {
        String body =
                "{\"asset_id\":\"%s\",\"start_time\":%.1f,\"end_time\":%.1f}"
                        .formatted(asset.path("asset_id").asText(), start, start + CLIP_SECONDS);
        return AssetRequests.cut(server, body);
    }

    private static double reencodedCpuSeconds(URI mp4, double start)
            throws IOException, InterruptedException {
        Path out = Files.createTempFile("touchline-bench", ".mp4");
        try {
            return Command.cpuSeconds(
                    Command.words(
                            "ffmpeg -v error -y -ss %s -i %s -t %d -c:v libx264 -preset veryfast"
                                    + " -b:v 2500k -c:a aac %s",
                            start, mp4, CLIP_SECONDS, out));
        } finally {
            Files.delete(out);
        }
    }
}
