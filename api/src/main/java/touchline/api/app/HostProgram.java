package touchline.api.app;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Runs a program of the host and reads its output. Any thread. */
final class HostProgram {
    private static final int LONGEST_OUTPUT_BYTES = 4096;

    private HostProgram() {}

    /** The output, stripped; empty if the program is missing, fails or exceeds the limit. */
    static Optional<String> output(Duration limit, String... command) {
        try {
            Process process =
                    new ProcessBuilder(command)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
            process.getOutputStream().close();
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
                return Optional.empty();
            }
            byte[] output = process.getInputStream().readNBytes(LONGEST_OUTPUT_BYTES);
            return process.exitValue() == 0
                    ? Optional.of(new String(output, StandardCharsets.UTF_8).strip())
                    : Optional.empty();
        } catch (IOException _) {
            return Optional.empty();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
