package touchline.benchmarks.overlay;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import touchline.benchmarks.load.Arguments;
import touchline.benchmarks.load.Benchmark;
import touchline.benchmarks.load.Command;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.Samples;
import touchline.overlay.CompositorCounters.Stage;

/**
 * CPU seconds of decode, overlay and encode in a compositor and in the ffmpeg program, with the
 * same frames, box and x264 settings, in turns. Then, on request, the compositor in real time.
 */
public final class OverlayLoad implements Benchmark {
    private static final int WARM_UPS = 2;

    private final int rounds;
    private final int seconds;
    private final Duration realTime;
    private final Report report;

    /**
     * Rounds and seconds of media in a round: 5 and 20 by default; {@code --minutes} of 1080p30 in
     * real time, 0 by default.
     */
    public OverlayLoad(Arguments given, Report report) {
        rounds = given.number(0, 5);
        seconds = given.number(1, 20);
        realTime = Duration.ofMinutes(given.option("--minutes", 0));
        this.report = report;
    }

    @Override
    public int run() throws Exception {
        if (rounds > 0) {
            compare();
        }
        if (!realTime.isZero()) {
            realTime();
        }
        return 0;
    }

    private void compare() throws Exception {
        TestPush push = TestPush.make(1280, 720, seconds);
        Report.Table cpu =
                report.table("cpu", "box | frames | dropped | compositor s | ffmpeg s | ratio");
        Report.Table shares =
                report.table("shares", "box | decode % | copy % | blend % | encode % | ms a frame");
        for (BoxKind kind : BoxKind.values()) {
            Samples ours = new Samples();
            Samples theirs = new Samples();
            List<String> ffmpeg = ffmpeg(push, kind, box(kind));
            long dropped = 0;
            for (int round = -WARM_UPS; round < rounds; round++) {
                report.note("%s box, round %d", kind.label(), round);
                CompositorRun.Result result = new CompositorRun(push, kind).atFullSpeed();
                if (round >= 0) {
                    ours.add(result.cpuSeconds());
                    dropped += result.counters().dropped();
                    theirs.add(Command.cpuSeconds(ffmpeg));
                }
                if (round == rounds - 1) {
                    shares.row(shares(kind, result));
                }
            }
            cpu.row(
                    kind.label(),
                    push.frames(),
                    dropped,
                    ours.median(),
                    theirs.median(),
                    ours.median() / theirs.median());
        }
    }

    private static Object[] shares(BoxKind kind, CompositorRun.Result result) {
        List<Object> row = new ArrayList<>(List.of(kind.label()));
        double total = 0;
        for (Stage stage : Stage.values()) {
            total += result.counters().nanos(stage);
        }
        for (Stage stage : Stage.values()) {
            row.add(100 * result.counters().nanos(stage) / total);
        }
        row.add(total / 1e6 / result.counters().frames());
        return row.toArray();
    }

    /** The box is the input that costs ffmpeg least: raw pixels, read once or repeated. */
    private static List<String> ffmpeg(TestPush push, BoxKind kind, Path box) {
        String loop = kind.isAnimated() ? " -stream_loop -1" : "";
        String end = kind.isAnimated() ? "eof_action=endall:shortest=1" : "eof_action=repeat";
        return Command.words(
                "ffmpeg -v error -y -threads 1 -i %1$s -f rawvideo -pix_fmt rgba -video_size"
                        + " %2$dx%3$d -framerate 30%4$s -i %5$s -filter_complex_threads 1"
                        + " -filter_complex [0:v][1:v]overlay=x=%6$d:y=%7$d:%8$s:format=yuv420"
                        + " %9$s -f null -",
                push.file(),
                kind.width(),
                kind.height(),
                loop,
                box,
                kind.x(),
                kind.y(),
                end,
                CompositorSession.X264);
    }

    static Path box(BoxKind kind) throws IOException {
        String name = "touchline-bench-box-" + kind.label() + ".rgba";
        Path file = Path.of(System.getProperty("java.io.tmpdir"), name);
        if (!Files.exists(file)) {
            try (OutputStream out = Files.newOutputStream(file)) {
                for (int i = 0; i < kind.frames(); i++) {
                    out.write(BoxKind.straight(kind.pixels(i)));
                }
            }
        }
        return file;
    }

    private void realTime() throws Exception {
        TestPush push = TestPush.make(1920, 1080, TestPush.LOOP_SECONDS);
        report.note("1080p30 in real time for %s", realTime);
        CompositorRun.Result result =
                new CompositorRun(push, BoxKind.ANIMATED).inRealTime(realTime);
        report.table("real_time", "seconds | frames | dropped | cores used | warnings")
                .row(
                        realTime.toSeconds(),
                        result.counters().frames(),
                        result.counters().dropped(),
                        result.cpuSeconds() / realTime.toMillis() * 1000,
                        String.join("; ", result.warnings()));
    }
}
