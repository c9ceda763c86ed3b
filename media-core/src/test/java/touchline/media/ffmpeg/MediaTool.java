package touchline.media.ffmpeg;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The ffmpeg and ffprobe programs, to verify results and to create test files. */
public final class MediaTool {
    private MediaTool() {}

    /** Creates a file from lavfi sources or other files. */
    public static Path make(Path file, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("ffmpeg", "-v", "error", "-y"));
        command.addAll(List.of(arguments));
        command.add(file.toString());
        assertEquals("", run(command), "ffmpeg made " + file);
        return file;
    }

    /** Frames of a counting clock, H.264 with B-frames. */
    public static List<String> frames(String size, int framesPerSecond, double seconds) {
        return List.of(
                "-f",
                "lavfi",
                "-i",
                "testsrc2=s=%s:r=%d:d=%s".formatted(size, framesPerSecond, seconds));
    }

    public static List<String> audio(double seconds) {
        return List.of("-f", "lavfi", "-i", "sine=f=440:r=48000:d=" + seconds);
    }

    /** Returns ffprobe's values of an entry, e.g. {@code stream=codec_name,width}, one per line. */
    public static List<String> probe(Path file, String streams, String entries) throws Exception {
        List<String> command = new ArrayList<>(List.of("ffprobe", "-v", "error"));
        if (!streams.isEmpty()) {
            command.addAll(List.of("-select_streams", streams));
        }
        command.addAll(
                List.of(
                        "-show_entries",
                        entries,
                        "-of",
                        "default=nk=1:nw=1",
                        "-allowed_extensions",
                        "ALL"));
        if (!file.toString().endsWith(".m3u8")) {
            command.removeLast();
            command.removeLast();
        }
        command.add(file.toString());
        return run(command).lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
    }

    public static double durationSeconds(Path file) throws Exception {
        return Double.parseDouble(probe(file, "", "format=duration").getFirst());
    }

    /** Decodes the whole file; returns ffmpeg's errors. */
    public static String decode(Path file) throws Exception {
        return run(List.of("ffmpeg", "-v", "error", "-i", file.toString(), "-f", "null", "-"));
    }

    /** Returns the mean difference of the first frames of two files, 0 to 255. */
    public static double difference(Path one, Path other) throws Exception {
        byte[] first = frame(one);
        byte[] second = frame(other);
        assertEquals(first.length, second.length);
        long sum = 0;
        for (int i = 0; i < first.length; i++) {
            sum += Math.abs((first[i] & 0xFF) - (second[i] & 0xFF));
        }
        return (double) sum / first.length;
    }

    private static byte[] frame(Path file) throws Exception {
        Path raw = Files.createTempFile("touchline-frame", ".gray");
        make(
                raw,
                "-i",
                file.toString(),
                "-frames:v",
                "1",
                "-vf",
                "scale=36:36",
                "-pix_fmt",
                "gray",
                "-f",
                "rawvideo");
        byte[] bytes = Files.readAllBytes(raw);
        Files.delete(raw);
        return bytes;
    }

    private static String run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), () -> command + "\n" + output);
        return output;
    }
}
