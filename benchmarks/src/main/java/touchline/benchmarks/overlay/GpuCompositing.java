package touchline.benchmarks.overlay;

import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.zip.CRC32;
import touchline.benchmarks.load.Report;
import touchline.media.ffmpeg.GpuUse;

/**
 * Scoreboards over frames in the memory of a GPU beside those over frames in main memory: CPU
 * seconds, and whether the encoded video is the same to the byte.
 */
public final class GpuCompositing {
    private static final double FPS = 30;

    private final Report report;
    private final int seconds;

    /**
     * @param seconds of media
     */
    public GpuCompositing(Report report, int seconds) {
        this.report = report;
        this.seconds = seconds;
    }

    /** Returns 0, or 1 if a GPU makes other video. */
    public int run() throws Exception {
        TestPush push = TestPush.make(1280, 720, seconds);
        Report.Table table =
                report.table(
                        "gpu scoreboards",
                        "720p with a scoreboard | GPU | CPU s a minute of media | of the processor | video");
        int code = 0;
        for (BoxKind kind : List.of(BoxKind.STATIC, BoxKind.ANIMATED)) {
            Run software = run(push, kind, GpuUse.NONE);
            for (GpuUse gpu : GpuUse.values()) {
                Run run = run(push, kind, gpu);
                boolean same = run.sum() == software.sum();
                code = same ? code : 1;
                table.row(
                        kind.name(),
                        gpu.name(),
                        run.cpuSeconds(),
                        run.cpuSeconds() / software.cpuSeconds(),
                        same ? "the same" : "different");
            }
        }
        return code;
    }

    private record Run(double cpuSeconds, long sum) {}

    private static Run run(TestPush push, BoxKind kind, GpuUse gpu) throws InterruptedException {
        // The second run is one of a server that has run for a while.
        sums(push, kind, gpu);
        return sums(push, kind, gpu);
    }

    private static Run sums(TestPush push, BoxKind kind, GpuUse gpu) throws InterruptedException {
        CRC32 sum = new CRC32();
        CompositorRun run =
                new CompositorRun(
                        push,
                        kind,
                        unit -> sum.update(unit.payload().toArray(ValueLayout.JAVA_BYTE)),
                        gpu);
        CompositorRun.Result result = run.atFullSpeed();
        if (!result.warnings().isEmpty()) {
            throw new IllegalStateException(String.join("; ", result.warnings()));
        }
        double minutes = push.frames() / (FPS * 60);
        return new Run(result.cpuSeconds() / minutes, sum.getValue());
    }
}
