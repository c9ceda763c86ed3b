package touchline.benchmarks.assets;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The ffmpeg command line. Stateless. */
final class Tool {
    private static final Pattern USED = Pattern.compile("bench: utime=([0-9.]+)s stime=([0-9.]+)s");

    private Tool() {}

    /** Runs it to its end; what it says. */
    static String run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(List.of(command)).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(command[0] + ": " + said);
        }
        return said;
    }

    /**
     * Pushes frames of a file again and again beside audio that goes on without a joint, as fast as
     * they are taken, and keeps what was pushed.
     */
    static void push(Path frames, int loops, int seconds, URI to, Path copy)
            throws IOException, InterruptedException {
        run(
                "ffmpeg",
                "-v",
                "error",
                "-y",
                "-stream_loop",
                "" + loops,
                "-i",
                frames.toString(),
                "-f",
                "lavfi",
                "-i",
                "sine=frequency=440:sample_rate=48000",
                "-map",
                "0:v",
                "-map",
                "1:a",
                "-c:v",
                "copy",
                "-c:a",
                "aac",
                "-ac",
                "2",
                "-b:a",
                "128k",
                "-t",
                "" + seconds,
                "-flags",
                "+global_header",
                "-f",
                "tee",
                "[f=flv]" + copy + "|[f=flv]" + to);
    }

    /** Encodes a stretch anew; the CPU time that took, in seconds. */
    static double encodedAgain(URI address, double startSeconds, int seconds)
            throws IOException, InterruptedException {
        Path out = Files.createTempFile("touchline-bench", ".mp4");
        try {
            String said =
                    run(
                            "ffmpeg",
                            "-v",
                            "info",
                            "-nostats",
                            "-benchmark",
                            "-y",
                            "-ss",
                            "" + startSeconds,
                            "-i",
                            address.toString(),
                            "-t",
                            "" + seconds,
                            "-c:v",
                            "libx264",
                            "-preset",
                            "veryfast",
                            "-b:v",
                            "2500k",
                            "-c:a",
                            "aac",
                            out.toString());
            Matcher used = USED.matcher(said);
            if (!used.find()) {
                throw new IOException("ffmpeg did not say what it used: " + said);
            }
            return Double.parseDouble(used.group(1)) + Double.parseDouble(used.group(2));
        } finally {
            Files.delete(out);
        }
    }
}
