package touchline.benchmarks.overlay;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongSupplier;
import touchline.benchmarks.load.Command;
import touchline.media.rendition.RenditionLadder;

/** A push with a still box, encoded by a compositor, with renditions of the composited frames. */
public final class ComposedPush {
    private static final BoxKind KIND = BoxKind.STATIC;

    private final TestPush push;
    private final Path box;

    public ComposedPush(TestPush push) throws IOException {
        this.push = push;
        this.box = OverlayLoad.box(KIND);
    }

    /**
     * Runs once at full speed, and returns the CPU seconds of this process.
     *
     * @param ladder not started yet
     * @param frames that the slowest rendition has encoded
     */
    public double run(RenditionLadder ladder, LongSupplier frames) throws InterruptedException {
        return new CompositorRun(push, KIND, ladder, frames).atFullSpeed().cpuSeconds();
    }

    /**
     * The same by the ffmpeg program.
     *
     * @param renditions options that start with a filter graph, which begins with [drawn]
     */
    public List<String> ffmpeg(String renditions) {
        String graph =
                "-filter_complex [0:v][1:v]overlay=x=%d:y=%d:eof_action=repeat:format=yuv420,split=2[source][drawn];"
                        .formatted(KIND.x(), KIND.y());
        return Command.words(
                "ffmpeg -v error -y -threads 1 -i %s -f rawvideo -pix_fmt rgba -video_size %dx%d"
                        + " -framerate 30 -i %s -filter_complex_threads 1 %s -map [source] %s -f"
                        + " null -",
                push.file(),
                KIND.width(),
                KIND.height(),
                box,
                renditions.replace("-filter_complex ", graph),
                CompositorSession.X264);
    }
}
