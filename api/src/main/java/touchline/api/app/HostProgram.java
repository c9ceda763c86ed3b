package touchline.api.app;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Programs of the host that are asked one question. Any thread. */
final class HostProgram {
    private static final int LONGEST_OUTPUT_BYTES = 4096;

    private HostProgram() {}

    /** Where a program lies: the path itself if it has a slash, else found on PATH. */
    static Optional<Path> find(String name) {
        if (name.contains("/")) {
            return Optional.of(Path.of(name)).filter(Files::isExecutable);
        }
        String path = System.getenv().getOrDefault("PATH", "");
        for (String folder : path.split(":", -1)) {
            Path program = Path.of(folder.isEmpty() ? "." : folder, name);
            if (Files.isRegularFile(program) && Files.isExecutable(program)) {
                return Optional.of(program);
            }
        }
        return Optional.empty();
    }

    /** What it writes, stripped; nothing if it cannot be run, fails or takes longer. */
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
