package touchline.benchmarks.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Free ports for servers under test, and their start and stop. */
public final class Ports {
    private static final Duration START = Duration.ofMinutes(4);
    private static final long POLL_MS = 50;

    private Ports() {}

    public static int free() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    public static void awaitOpen(Process process, int... ports)
            throws IOException, InterruptedException {
        long deadline = System.nanoTime() + START.toNanos();
        for (int port : ports) {
            while (!isOpen(port)) {
                if (!process.isAlive() || System.nanoTime() > deadline) {
                    throw new IOException("port " + port + " did not open: " + process.info());
                }
                Thread.sleep(POLL_MS);
            }
        }
    }

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
            files.sorted(Comparator.reverseOrder()).forEach(Ports::delete);
        }
    }

    private static void delete(Path path) {
        try {
            Files.delete(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
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
}
