package touchline.benchmarks.renditions;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import touchline.benchmarks.load.Command;
import touchline.benchmarks.load.FlvFile;
import touchline.benchmarks.load.LiveAddress;
import touchline.benchmarks.load.ProcessUsage;
import touchline.benchmarks.load.PushMedia;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.Samples;
import touchline.benchmarks.load.Senders;
import touchline.benchmarks.load.TouchlineServer;

/**
 * CPU time of the server for pushes of three video tracks, which become renditions, beside that for
 * pushes of one track with the same bytes; in turns on one server.
 */
final class TrackLoad {
    private static final int PUSHES = 8;
    private static final int WARM_UP_S = 12;
    private static final int MEASURED_S = 30;
    private static final int FILE_S = 20;
    private static final int LOOPS = 1 + (WARM_UP_S + MEASURED_S + 10) / FILE_S;

    private final Path folder;
    private final Report report;

    TrackLoad(Path folder, Report report) {
        this.folder = folder;
        this.report = report;
    }

    /**
     * @param rounds of both
     */
    void run(TouchlineServer server, int rounds) throws Exception {
        FlvFile first = file("1280x720", 1_500);
        FlvFile three = first.with(1, file("854x480", 700)).with(2, file("640x360", 400));
        FlvFile one = file("1280x720", 2_600);
        Samples ofThree = new Samples();
        Samples ofOne = new Samples();
        for (int round = -1; round < rounds; round++) {
            double alone = cpuSeconds(server, one, /* variants= */ 1);
            double together = cpuSeconds(server, three, /* variants= */ 3);
            report.note("tracks, round %d: one %.2f s, three %.2f s", round, alone, together);
            if (round >= 0) {
                ofOne.add(alone);
                ofThree.add(together);
            }
        }
        report.table("tracks", "kbit/s of one | of three | CPU s of one | of three | ratio")
                .row(
                        kbps(one),
                        kbps(three),
                        ofOne.median(),
                        ofThree.median(),
                        ofThree.median() / ofOne.median());
    }

    private static long kbps(FlvFile file) {
        return file.tags().stream().mapToLong(tag -> tag.body().remaining()).sum()
                * 8
                / 1_000
                / FILE_S;
    }

    private FlvFile file(String size, int kbps) throws Exception {
        Path file = folder.resolve("tracks-%s-%d.flv".formatted(size, kbps));
        if (!Files.exists(file)) {
            Command.require(
                    Command.words(
                            "ffmpeg -v error -y -f lavfi -i testsrc2=size=%s:rate=30 -f lavfi -i"
                                    + " sine=frequency=440:sample_rate=48000 -t %d -c:v libx264"
                                    + " -preset veryfast -bf 2 -g 60 -keyint_min 60 -sc_threshold"
                                    + " 0 -pix_fmt yuv420p -x264-params nal-hrd=cbr -b:v %dk"
                                    + " -minrate %dk -maxrate %dk -bufsize %dk -c:a aac -b:a 96k"
                                    + " -f flv %s",
                            size, FILE_S, kbps, kbps, kbps, kbps, file));
        }
        return FlvFile.read(file);
    }

    private double cpuSeconds(TouchlineServer server, FlvFile file, int variants) throws Exception {
        List<LiveAddress> streams = server.streams(PUSHES, "standard");
        try (Senders senders = Senders.start(streams, PushMedia.of(file, LOOPS))) {
            TimeUnit.SECONDS.sleep(WARM_UP_S);
            double before = ProcessUsage.of(server.process()).cpuSeconds();
            TimeUnit.SECONDS.sleep(MEASURED_S);
            double spent = ProcessUsage.of(server.process()).cpuSeconds() - before;
            senders.requireAlive();
            for (LiveAddress each : streams) {
                requireVariants(server, each, variants);
            }
            return spent;
        } finally {
            for (LiveAddress each : streams) {
                server.call("DELETE", "/live/v1/live-streams/" + each.id(), "");
            }
        }
    }

    private static void requireVariants(TouchlineServer server, LiveAddress stream, int expected)
            throws Exception {
        int renditions =
                server.get("/live/v1/live-streams/" + stream.id() + "/sessions")
                        .at("/0/renditions")
                        .size();
        if (renditions + 1 != expected) {
            throw new IllegalStateException(
                    "%d variants (expected: %d)".formatted(renditions + 1, expected));
        }
    }
}
