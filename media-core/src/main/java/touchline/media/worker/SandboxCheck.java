package touchline.media.worker;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs inside a sandbox that is tried: prints what it reaches, in one line. Its arguments are a
 * file of the server, the server's process id, and a port of the server. It uses only the JDK.
 */
final class SandboxCheck {
    static final String OWN = "own";
    static final String FILE = "file";
    static final String PROCESS = "process";
    static final String NETWORK = "network";
    private static final int CONNECT_MS = 2_000;

    private SandboxCheck() {}

    public static void main(String[] arguments) {
        List<String> reached = new ArrayList<>();
        if (own(Path.of("").toAbsolutePath())) {
            reached.add(OWN);
        }
        if (reads(Path.of(arguments[0]))) {
            reached.add(FILE);
        }
        if (reads(Path.of("/proc", arguments[1], "environ"))) {
            reached.add(PROCESS);
        }
        if (connects(Integer.parseInt(arguments[2]))) {
            reached.add(NETWORK);
        }
        System.out.println(String.join(" ", reached));
    }

    private static boolean own(Path folder) {
        try {
            Path file = folder.resolve("written");
            Files.writeString(file, "x");
            return Files.readString(folder.resolve("given")).equals("x")
                    && Files.deleteIfExists(file);
        } catch (IOException e) {
            System.err.println(e);
            return false;
        }
    }

    private static boolean reads(Path file) {
        try {
            return Files.readAllBytes(file).length > 0;
        } catch (IOException _) {
            return false;
        }
    }

    private static boolean connects(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MS);
            return true;
        } catch (IOException _) {
            return false;
        }
    }
}
