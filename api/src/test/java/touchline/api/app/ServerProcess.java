package touchline.api.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A server in a process of its own. */
final class ServerProcess implements ServerLife {
    private static final Logger LOG = LoggerFactory.getLogger(ServerProcess.class);
    private static final Duration END = Duration.ofMinutes(3);

    private final Path output;
    private final Process process;

    private ServerProcess(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    /**
     * @param environment its variables
     * @param classes options of the JVM, such as the class path
     */
    static ServerProcess start(Map<String, String> environment, List<String> classes) {
        try {
            Path output = Files.createTempFile("touchline-server", ".log");
            Process process = launch(environment, classes, Redirect.appendTo(output.toFile()));
            return new ServerProcess(process, output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts a server with these variables; the caller ends it. */
    static Process launch(Map<String, String> environment, Redirect output) throws IOException {
        return launch(environment, ServerClasses.options(), output);
    }

    private static Process launch(
            Map<String, String> environment, List<String> classes, Redirect output)
            throws IOException {
        List<String> command = ServerClasses.command(classes);
        // Unpacked once for all tests, not once in each data folder.
        command.add("-Dorg.bytedeco.javacpp.cachedir=" + home(".javacpp/cache"));
        command.add("-DDJL_CACHE_DIR=" + home(".djl.ai"));
        command.add(Main.class.getName());
        command.add("serve");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output);
        builder.environment().putAll(environment);
        return builder.start();
    }

    private static Path home(String folder) {
        return Path.of(System.getProperty("user.home"), folder);
    }

    @Override
    public boolean isRunning() {
        return process.isAlive();
    }

    /** Waits for its end, and returns its exit code. */
    int awaitExit() throws InterruptedException {
        if (!process.waitFor(END.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError("still running: " + output());
        }
        return process.exitValue();
    }

    @Override
    public String output() {
        try {
            return Files.readString(output);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Ends it at once, as a crash does. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Sends it a signal. */
    void signal(String name) throws IOException, InterruptedException {
        int code =
                new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid()))
                        .start()
                        .waitFor();
        if (code != 0) {
            throw new AssertionError("kill -" + name + ": " + code);
        }
    }

    @Override
    public void stop() throws InterruptedException {
        process.destroy();
        if (awaitExit() != 0) {
            throw new AssertionError("it ended with " + process.exitValue() + ": " + output());
        }
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
        LOG.info("server {} wrote:\n{}", process.pid(), output());
        try {
            Files.deleteIfExists(output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
