package touchline.api.app;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** Frames that carry their number as black and white bars, through the ffmpeg command line. */
final class NumberedVideo {
    static final int PER_SECOND = 30;

    private static final int BITS = 12;
    private static final int CELL = 24;
    private static final int WIDTH = BITS * CELL;
    private static final int HEIGHT = 64;
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private NumberedVideo() {}

    /**
     * Writes a file with numbers from 0 on and a tone; the same one is encoded only once.
     *
     * @param codec such as {@code libx264 -bf 2 -g 60}
     */
    static void encode(Path file, int seconds, String codec) throws Exception {
        encode(file, seconds, codec, "sine=sample_rate=48000");
    }

    /**
     * @param audio source of the audio, a filter of ffmpeg
     */
    static void encode(Path file, int seconds, String codec, String audio) throws Exception {
        // A sample for each bar, enlarged: the expression is evaluated for each of them.
        String bars =
                "geq=lum='if(mod(floor(N/pow(2,X)),2),220,30)':cb=128:cr=128,"
                        + "scale=%d:%d:flags=neighbor,setsar=1".formatted(WIDTH, HEIGHT);
        List<String> command = new ArrayList<>();
        command.addAll(
                List.of(
                        "-f",
                        "lavfi",
                        "-i",
                        "color=size=%dx2:rate=%d,format=yuv420p,%s"
                                .formatted(BITS, PER_SECOND, bars)));
        command.addAll(List.of("-f", "lavfi", "-i", audio));
        command.addAll(List.of("-t", "" + seconds, "-c:v"));
        command.addAll(List.of(codec.split(" ")));
        command.addAll(List.of("-sc_threshold", "0", "-c:a", "aac"));
        String name = file.getFileName().toString();
        String extension = name.substring(name.lastIndexOf('.') + 1);
        Files.copy(
                EncodedInputs.get(extension, command), file, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Decodes all video of an address or a file; fails if the decoder reports an error. */
    static List<Integer> numbers(String address) throws Exception {
        Path errors = Files.createTempFile("touchline-decoder", ".log");
        Process process =
                new ProcessBuilder(
                                "ffmpeg",
                                "-v",
                                "error",
                                "-i",
                                address,
                                "-map",
                                "0:v:0",
                                "-vsync",
                                "passthrough",
                                "-vf",
                                "scale=%d:%d:flags=area".formatted(WIDTH, HEIGHT),
                                "-f",
                                "rawvideo",
                                "-pix_fmt",
                                "gray",
                                "pipe:")
                        .redirectError(errors.toFile())
                        .start();
        try (InputStream frames = process.getInputStream()) {
            List<Integer> numbers = new ArrayList<>();
            byte[] frame = frames.readNBytes(WIDTH * HEIGHT);
            while (frame.length == WIDTH * HEIGHT) {
                numbers.add(number(frame));
                frame = frames.readNBytes(WIDTH * HEIGHT);
            }
            if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                    || process.exitValue() != 0) {
                throw new AssertionError(address + ": " + text(errors));
            }
            String complaint = text(errors);
            if (!complaint.isBlank()) {
                throw new AssertionError(address + ": " + complaint);
            }
            return numbers;
        } finally {
            process.destroyForcibly();
            Files.delete(errors);
        }
    }

    /** The numbers from one to before another one. */
    static List<Integer> count(int from, int to) {
        return IntStream.range(from, to).boxed().toList();
    }

    /** The numbers of one video behind those of another one. */
    static List<Integer> and(List<Integer> some, List<Integer> more) {
        List<Integer> all = new ArrayList<>(some);
        all.addAll(more);
        return all;
    }

    private static String text(Path file) throws IOException {
        return Files.readString(file);
    }

    private static int number(byte[] frame) {
        int number = 0;
        for (int bit = 0; bit < BITS; bit++) {
            int value = frame[HEIGHT / 2 * WIDTH + bit * CELL + CELL / 2] & 0xFF;
            number |= value > 128 ? 1 << bit : 0;
        }
        return number;
    }
}
