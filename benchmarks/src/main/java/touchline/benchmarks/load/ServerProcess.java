package touchline.benchmarks.load;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Starts and stops servers, each with a folder of its own that holds its log. Stateless. */
public final class ServerProcess {
    private static final Duration START = Duration.ofMinutes(1);
    private static final long POLL_MS = 50;

    private ServerProcess() {}

    /** A port of loopback that is free now. */
    public static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** Appends the output to {@link #log}. */
    public static Process start(Path folder, List<String> command, Map<String, String> environment)
            throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        return builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log(folder).toFile()))
                .start();
    }

    /**
     * Waits until the process accepts connections.
     *
     * @param port of loopback
     * @throws IOException with the log, if it ends or takes more than a minute; the caller stops it
     */
    public static void awaitOpen(Process process, Path folder, int port)
            throws IOException, InterruptedException {
        long deadlineNs = System.nanoTime() + START.toNanos();
        while (!isOpen(port)) {
            if (!process.isAlive() || System.nanoTime() > deadlineNs) {
                throw new IOException("not started: " + Files.readString(log(folder)));
            }
            Thread.sleep(POLL_MS);
        }
    }

    private static boolean isOpen(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
            return true;
        } catch (IOException _) {
            return false;
        }
    }

    /** Of the process that was started with this folder. */
    public static Path log(Path folder) {
        return folder.resolve("log");
    }

    /** Ends the process, by force after 15 seconds, and removes the folder. */
    public static void stop(Process process, Path folder) throws IOException {
        process.destroy();
        try {
            if (!process.waitFor(15, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException _) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
