package touchline.benchmarks.load;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Programs of the host, such as ffmpeg, run to their end. Stateless. */
public final class Command {
    private Command() {}

    /**
     * @param output standard output
     * @param errors standard error output, without leading and trailing space
     */
    @SuppressWarnings("ArrayRecordComponent") // read once, never compared
    public record Result(int exit, byte[] output, String errors) {
        public String text() {
            return new String(output, StandardCharsets.UTF_8);
        }
    }

    /**
     * @param line words with one space between them
     */
    @FormatMethod
    public static List<String> words(@FormatString String line, Object... values) {
        return List.of(line.formatted(values).split(" ", -1));
    }

    /** Returns whatever the exit code is. */
    public static Result run(List<String> command) throws IOException, InterruptedException {
        return run(command, Map.of());
    }

    /**
     * The same with variables of the environment.
     *
     * @param more beside those of this process
     */
    static Result run(List<String> command, Map<String, String> more)
            throws IOException, InterruptedException {
        Path errors = Files.createTempFile("touchline-bench", ".log");
        try {
            ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors.toFile());
            builder.environment().putAll(more);
            Process process = builder.start();
            process.getOutputStream().close();
            byte[] output = process.getInputStream().readAllBytes();
            return new Result(process.waitFor(), output, Files.readString(errors).strip());
        } finally {
            Files.delete(errors);
        }
    }

    /**
     * @throws IOException the exit code is not 0
     */
    public static Result require(List<String> command) throws IOException, InterruptedException {
        Result result = run(command);
        if (result.exit() != 0) {
            throw new IOException(
                    "%s: exit code %d (expected: 0): %s%s"
                            .formatted(
                                    command.getFirst(),
                                    result.exit(),
                                    result.errors(),
                                    result.text()));
        }
        return result;
    }

    /**
     * User and system time of a command and its children, in steps of 10 ms. Other children of this
     * process must not end at the same time.
     */
    public static double cpuSeconds(List<String> command) throws IOException, InterruptedException {
        double before = ProcessUsage.endedChildrenCpuSeconds();
        require(command);
        return ProcessUsage.endedChildrenCpuSeconds() - before;
    }

    /**
     * A file that a command writes, kept in the temporary folder from run to run.
     *
     * @param command all but the name of the output file, the last word
     */
    public static Path file(String name, List<String> command)
            throws IOException, InterruptedException {
        Path file = Path.of(System.getProperty("java.io.tmpdir"), name);
        if (Files.exists(file)) {
            return file;
        }
        Path partial = Files.createTempFile("touchline-bench", name);
        List<String> all = new ArrayList<>(command);
        all.add(partial.toString());
        require(all);
        return Files.move(partial, file);
    }
}
