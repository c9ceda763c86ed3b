package touchline.benchmarks.renditions;

import java.nio.file.Path;
import java.util.List;
import touchline.benchmarks.load.Arguments;
import touchline.benchmarks.load.Benchmark;
import touchline.benchmarks.load.Command;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.Samples;
import touchline.benchmarks.load.TouchlineServer;
import touchline.benchmarks.overlay.ComposedPush;
import touchline.benchmarks.overlay.TestPush;
import touchline.media.rendition.Ladder;
import touchline.media.rendition.RenditionCounters;
import touchline.media.rendition.RenditionCounters.Stage;

/**
 * CPU seconds of 480p and 360p beside a 720p source, here and in the ffmpeg program, with the same
 * frames, bit rates and x264 settings, in turns: first below a source that passes unchanged, then
 * below one with a scoreboard. Last, the server's CPU seconds for pushes of three tracks.
 */
public final class RenditionLoad implements Benchmark {
    /** Until the JVM has compiled what runs for hours in a server. */
    private static final int WARM_UPS = 4;

    private final int rounds;
    private final int seconds;
    private final Report report;

    /** Rounds and seconds of media in a round: 3 and 20 by default. */
    public RenditionLoad(Arguments given, Report report) {
        rounds = given.number(0, 3);
        seconds = given.number(1, 20);
        this.report = report;
    }

    @Override
    public int run() throws Exception {
        TestPush push = TestPush.make(1280, 720, seconds);
        Report.Table cpu = report.table("cpu", "source | ours CPU s | ffmpeg CPU s | ratio");
        Report.Table shares =
                report.table("shares", "source | decode % | scale % | encode % | ms a frame");
        compare("passes unchanged", cpu, shares, plain(push), () -> passing(push));
        ComposedPush composed = new ComposedPush(push);
        compare(
                "with a scoreboard",
                cpu,
                shares,
                composed.ffmpeg(renditions("[drawn]")),
                () -> composed(composed));
        Path folder = Path.of(System.getProperty("java.io.tmpdir"));
        try (TouchlineServer server = TouchlineServer.startFromClassPath()) {
            new TrackLoad(folder, report).run(server, rounds);
        }
        return 0;
    }

    @FunctionalInterface
    private interface Run {
        LadderRun.Result once() throws Exception;
    }

    private void compare(
            String name, Report.Table cpu, Report.Table shares, List<String> ffmpeg, Run run)
            throws Exception {
        Samples ours = new Samples();
        Samples theirs = new Samples();
        for (int round = -WARM_UPS; round < rounds; round++) {
            LadderRun.Result result = run.once();
            if (round < 0) {
                continue;
            }
            ours.add(result.cpuSeconds());
            theirs.add(Command.cpuSeconds(ffmpeg));
            report.note(
                    "%s, round %d: %.2f s, %d KiB",
                    name, round, result.cpuSeconds(), result.bytes() >> 10);
            if (round == rounds - 1) {
                shares(name, shares, result.counters());
            }
        }
        cpu.row(name, ours.median(), theirs.median(), ours.median() / theirs.median());
    }

    private static LadderRun.Result passing(TestPush push) throws Exception {
        return new LadderRun().atFullSpeed(push);
    }

    private static LadderRun.Result composed(ComposedPush push) throws Exception {
        LadderRun run = new LadderRun();
        double cpuSeconds = push.run(run.ladder(), run.counters().of(360)::frames);
        run.awaitEnd();
        return new LadderRun.Result(cpuSeconds, run.counters(), run.bytes());
    }

    private static void shares(String name, Report.Table table, RenditionCounters counters) {
        double total = 0;
        for (Stage stage : Stage.values()) {
            total += counters.nanos(stage);
        }
        table.row(
                name,
                100 * counters.nanos(Stage.DECODE) / total,
                100 * counters.nanos(Stage.SCALE) / total,
                100 * counters.nanos(Stage.ENCODE) / total,
                total / 1e6 / counters.of(360).frames());
    }

    /** The source is copied, and decoded once. */
    private static List<String> plain(TestPush push) {
        return Command.words(
                "ffmpeg -v error -y -threads 1 -i %s -filter_complex_threads 1 %s -map 0:v -c:v"
                        + " copy -f null -",
                push.file(), renditions("[0:v]"));
    }

    /**
     * @param from a label of the filter graph; its own graph has no name for it
     */
    private static String renditions(String from) {
        String graph =
                "-filter_complex %ssplit=2[a][b];[a]scale=854:480[x];[b]scale=640:360[y]"
                        .formatted(from);
        return graph
                + " -map [x] "
                + x264(854, 480)
                + " -f null - -map [y] "
                + x264(640, 360)
                + " -f null -";
    }

    private static String x264(int width, int height) {
        return ("-c:v libx264 -preset veryfast -tune zerolatency -profile:v high -threads 1"
                        + " -b:v %1$d -maxrate %1$d -bufsize %1$d -force_key_frames source"
                        + " -x264-params scenecut=0:open-gop=0:keyint=3600:min-keyint=3600")
                .formatted(Ladder.defaultBitrateBps(width, height, 30));
    }
}
