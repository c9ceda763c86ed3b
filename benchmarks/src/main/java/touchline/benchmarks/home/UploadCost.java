package touchline.benchmarks.home;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import touchline.benchmarks.assets.AssetRequests;
import touchline.benchmarks.load.Arguments;
import touchline.benchmarks.load.Bounds;
import touchline.benchmarks.load.CameraSource;
import touchline.benchmarks.load.LiveAddress;
import touchline.benchmarks.load.ProcessUsage;
import touchline.benchmarks.load.PushMedia;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.Samples;
import touchline.benchmarks.load.Senders;
import touchline.benchmarks.load.Settling;
import touchline.benchmarks.load.TouchlineServer;
import touchline.benchmarks.s3.S3Process;
import touchline.packager.record.Recording;

/**
 * Pushes the same media at the same pace to a server whose recordings go to S3 and to one whose
 * recordings stay on its disk, in turns: CPU time of both, and the number of PUTs. One thread.
 */
final class UploadCost {
    private static final double CPU_RATIO = 1.25;
    private static final double PUTS_PER_SEGMENT = 1.1;

    /** A recording has some objects beside its media: their share must be that of a long one. */
    private static final int LEAST_SECONDS = 300;

    /** Media behind the end, so that no encoder runs out of it. */
    private static final int SPARE_SECONDS = 20;

    /**
     * Of encoders in the warm-up, beside that of the measured turns. What runs once for each PUT is
     * compiled after some thousands of them, and a turn has some hundreds.
     */
    private static final int WARM_UP_PACE = 3;

    /** Turns of both servers after which the warm-up ends in any case. */
    private static final int MOST_WARM_UPS = 12;

    private final int streams;
    private final int pace;
    private final int seconds;
    private final int turns;
    private final Report report;

    /**
     * @param given {@code --streams} at once, 8; {@code --pace} of their encoders, so many times
     *     that of the wall clock, 4; {@code --seconds} of media, 320; {@code --turns}, 3
     */
    UploadCost(Arguments given, Report report) {
        streams = given.option("--streams", 8);
        pace = given.option("--pace", 4);
        seconds = given.option("--seconds", 320);
        turns = given.option("--turns", 3);
        this.report = report;
    }

    /** No effect without turns. */
    void run(Bounds bounds) throws IOException, InterruptedException {
        if (turns == 0) {
            return;
        }
        PushMedia media = CameraSource.CAMERA.media(seconds + SPARE_SECONDS);
        Report.Table table =
                report.table(
                        "ingest of recordings",
                        "turn | on the disk, CPU s per stream-minute | with S3 | ratio"
                                + " | JVM's compilers, on the disk | with S3"
                                + " | PUTs | segments | files");
        Samples plain = new Samples();
        Samples stored = new Samples();
        try (S3Process s3 = S3Process.start();
                TouchlineServer disk = TouchlineServer.startFromClassPath();
                TouchlineServer home = TouchlineServer.startFromClassPath(Nodes.environment(s3))) {
            Servers servers = new Servers(disk, home, s3);
            Settling settling = new Settling(/* compared= */ 3, MOST_WARM_UPS);
            for (int i = 1; !settling.isOver(); i++) {
                Turn turn = turn(i, servers, media, WARM_UP_PACE * pace);
                turn.addTo(table, "warm-up " + i);
                settling.add(turn.upload().cost().cpuSeconds());
            }
            for (int i = 1; i <= turns; i++) {
                Turn turn = turn(i, servers, media, pace);
                turn.addTo(table, "turn " + i);
                plain.add(turn.onDisk().cpuSeconds());
                stored.add(turn.upload().cost().cpuSeconds());
                judgePuts(i, turn, bounds);
            }
        }
        double ratio = stored.median() / plain.median();
        table.row("median", plain.median(), stored.median(), ratio, "-", "-", "-", "-", "-");
        bounds.atMost("CPU time of ingest, with S3 to without", ratio, CPU_RATIO);
    }

    /**
     * @param disk keeps its recordings
     * @param home uploads them to S3
     */
    private record Servers(TouchlineServer disk, TouchlineServer home, S3Process s3) {}

    /**
     * CPU time of a server for each stream-minute.
     *
     * @param cpuSeconds without the JVM's compilers
     * @param compilerSeconds for code that was new: with the upload there is more of it
     */
    private record Cost(double cpuSeconds, double compilerSeconds) {}

    /**
     * @param segments of all recordings
     * @param files of segments of these
     */
    private record Upload(Cost cost, int puts, long segments, long files) {}

    private record Turn(Cost onDisk, Upload upload) {
        void addTo(Report.Table table, String name) {
            table.row(
                    name,
                    onDisk.cpuSeconds(),
                    upload.cost().cpuSeconds(),
                    upload.cost().cpuSeconds() / onDisk.cpuSeconds(),
                    onDisk.compilerSeconds(),
                    upload.cost().compilerSeconds(),
                    upload.puts(),
                    upload.segments(),
                    upload.files());
        }
    }

    /**
     * The servers take turns in beginning.
     *
     * @param at pace of the encoders
     */
    private Turn turn(int number, Servers servers, PushMedia media, int at)
            throws IOException, InterruptedException {
        if (number % 2 == 0) {
            Cost onDisk = onDisk(servers.disk(), media, at);
            return new Turn(onDisk, inS3(servers, media, at));
        }
        Upload upload = inS3(servers, media, at);
        return new Turn(onDisk(servers.disk(), media, at), upload);
    }

    private void judgePuts(int number, Turn turn, Bounds bounds) {
        if (seconds >= LEAST_SECONDS) {
            bounds.atMost(
                    "PUTs of turn " + number,
                    turn.upload().puts(),
                    mostPuts(turn.upload().segments(), turn.upload().files()));
        } else {
            report.note(
                    "PUTs are not judged: %d s of media (expected: >= %d)", seconds, LEAST_SECONDS);
        }
    }

    /** How many PUTs recordings may cost. */
    static double mostPuts(long segments, long files) {
        return PUTS_PER_SEGMENT * segments + files;
    }

    private Cost onDisk(TouchlineServer server, PushMedia media, int at)
            throws IOException, InterruptedException {
        Used before = Used.by(server);
        List<JsonNode> _ = recorded(server, media, at);
        return perStreamMinute(before, Used.by(server));
    }

    /** With all of the upload; counts what was recorded and written. */
    private Upload inS3(Servers servers, PushMedia media, int at)
            throws IOException, InterruptedException {
        TouchlineServer server = servers.home();
        int putsBefore = servers.s3().putSeconds().count();
        Used before = Used.by(server);
        List<JsonNode> assets = recorded(server, media, at);
        AssetRequests.awaitUploads(server);
        Cost cost = perStreamMinute(before, Used.by(server));
        int puts = servers.s3().putSeconds().count() - putsBefore;
        long segments = 0;
        long files = 0;
        for (JsonNode asset : assets) {
            Path folder = server.data().resolve("assets").resolve(asset.path("asset_id").asText());
            List<Recording.Segment> all = Recording.load(folder).segments();
            segments += all.size();
            files += all.stream().map(Recording.Segment::fileName).distinct().count();
        }
        return new Upload(cost, puts, segments, files);
    }

    /**
     * CPU seconds of a server since its start, without those of its child processes: one waits for
     * a clip, and is started in some turns only.
     */
    private record Used(double all, double byCompilers) {
        static Used by(TouchlineServer server) throws IOException {
            double byCompilers = 0;
            for (String compiler : List.of("C1 Compiler", "C2 Compiler")) {
                byCompilers += ProcessUsage.threadsCpuSeconds(server.process(), compiler);
            }
            return new Used(ProcessUsage.ownCpuSeconds(server.process()), byCompilers);
        }
    }

    private Cost perStreamMinute(Used before, Used after) {
        double minutes = streams * seconds / 60.0;
        double byCompilers = after.byCompilers() - before.byCompilers();
        return new Cost(
                (after.all() - before.all() - byCompilers) / minutes, byCompilers / minutes);
    }

    /** Pushes to new streams, and returns their assets when all have ended. */
    private List<JsonNode> recorded(TouchlineServer server, PushMedia media, int at)
            throws IOException, InterruptedException {
        List<LiveAddress> addresses = new ArrayList<>();
        for (int i = 0; i < streams; i++) {
            addresses.add(server.stream("{\"record\":true,\"reconnect_window\":0}"));
        }
        try (Senders senders = Senders.faster(addresses, media, at)) {
            long endNs = senders.startNs() + TimeUnit.SECONDS.toNanos(seconds) / at;
            TimeUnit.NANOSECONDS.sleep(endNs - System.nanoTime());
            senders.stop();
            senders.requireAlive();
        }
        Set<String> ids = addresses.stream().map(LiveAddress::id).collect(Collectors.toSet());
        return AssetRequests.await(server, () -> ended(server, ids));
    }

    private static Optional<List<JsonNode>> ended(TouchlineServer server, Set<String> streams)
            throws IOException, InterruptedException {
        List<JsonNode> assets = new ArrayList<>();
        server.each(AssetRequests.ASSETS, assets::add);
        assets.removeIf(
                asset ->
                        !AssetRequests.hasEnded(asset)
                                || !streams.contains(asset.path("live_stream_id").asText()));
        return assets.size() == streams.size() ? Optional.of(assets) : Optional.empty();
    }
}
