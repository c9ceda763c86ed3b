package touchline.api.app;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import touchline.api.MadeOnce;

/**
 * Inputs that the ffmpeg command line encodes once, in {@code target/test-inputs}. The name of a
 * file is the hash of its command. Tests read these files and never change them.
 */
final class EncodedInputs {
    private static final Path CACHE = Path.of("target", "test-inputs").toAbsolutePath();
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private EncodedInputs() {}

    /**
     * @param extension names the container, such as {@code flv}
     * @param arguments of ffmpeg, without the output file
     */
    static Path get(String extension, List<String> arguments) throws IOException {
        return MadeOnce.file(
                CACHE.resolve(hash(arguments) + "." + extension), file -> encode(file, arguments));
    }

    private static void encode(Path file, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("ffmpeg", "-v", "error", "-y"));
        command.addAll(arguments);
        command.add(file.toString());
        try (Encoder encoder = Encoder.run(command.toArray(String[]::new))) {
            int exit = encoder.await(PATIENCE);
            String output = encoder.output();
            if (exit != 0 || !output.isEmpty()) {
                throw new AssertionError("ffmpeg: " + exit + " " + output);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** Names what the lines describe. */
    static String hash(List<String> lines) {
        byte[] text = String.join("\n", lines).getBytes(StandardCharsets.UTF_8);
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text);
            return HexFormat.of().formatHex(digest, 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }
}
