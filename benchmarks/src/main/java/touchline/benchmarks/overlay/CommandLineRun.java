package touchline.benchmarks.overlay;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** The same job by the ffmpeg command line, output thrown away. */
final class CommandLineRun {
    private final TestPush push;
    private final BoxKind kind;
    private final Path box;

    CommandLineRun(TestPush push, BoxKind kind) throws IOException {
        this.push = push;
        this.kind = kind;
        this.box = box(kind);
    }

    /** User and system time of one run. */
    double cpuSeconds() throws IOException, InterruptedException {
        return ShellRun.cpuSeconds(line());
    }

    /** The overlay input is what ffmpeg needs least work for: raw pixels, read once or looped. */
    private String line() {
        String input =
                "-f rawvideo -pix_fmt rgba -video_size %dx%d -framerate 30 %s -i %s"
                        .formatted(
                                kind.width(),
                                kind.height(),
                                kind.isAnimated() ? "-stream_loop -1" : "",
                                box);
        String end = kind.isAnimated() ? "eof_action=endall:shortest=1" : "eof_action=repeat";
        return ("ffmpeg -v error -y -threads 1 -i %s %s -filter_complex_threads 1 -filter_complex"
                        + " '[0:v][1:v]overlay=x=%d:y=%d:%s:format=yuv420' -c:v libx264 -preset"
                        + " veryfast -tune zerolatency -profile:v high -threads 1 -b:v %d -maxrate"
                        + " %d -bufsize %d -x264-params scenecut=0:open-gop=0:keyint=60 -f null -")
                .formatted(
                        push.file(),
                        input,
                        kind.x(),
                        kind.y(),
                        end,
                        CompositorRun.BITRATE_BPS,
                        CompositorRun.BITRATE_BPS,
                        CompositorRun.BITRATE_BPS);
    }

    private static Path box(BoxKind kind) throws IOException {
        Path file =
                Path.of(
                        System.getProperty("java.io.tmpdir"),
                        "touchline-bench-box-" + kind.label() + ".rgba");
        if (!Files.exists(file)) {
            try (OutputStream out = Files.newOutputStream(file)) {
                for (int i = 0; i < kind.frames(); i++) {
                    out.write(BoxKind.straight(kind.pixels(i)));
                }
            }
        }
        return file;
    }
}
