package touchline.benchmarks.transcode;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The input of jobs, made by the ffmpeg program of the host. Stateless. */
final class MatchFile {
    private MatchFile() {}

    /** 720p at 30 frames a second, with audio. */
    static Path make(Path folder, int seconds) throws IOException, InterruptedException {
        Path input = folder.resolve("input.mp4");
        ffmpeg(
                List.of(
                        "-f",
                        "lavfi",
                        "-i",
                        "testsrc2=s=1280x720:r=30:d=" + seconds,
                        "-f",
                        "lavfi",
                        "-i",
                        "anoisesrc=a=0.1:r=48000:d=" + seconds,
                        "-c:v",
                        "libx264",
                        "-preset",
                        "veryfast",
                        "-c:a",
                        "aac"),
                input);
        return input;
    }

    static void ffmpeg(List<String> arguments, Path output)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("ffmpeg", "-v", "error", "-y"));
        command.addAll(arguments);
        command.add(output.toString());
        int exit =
                new ProcessBuilder(command)
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                        .start()
                        .waitFor();
        if (exit != 0) {
            throw new IOException("ffmpeg: exit code " + exit);
        }
    }
}
