package touchline.benchmarks.cluster;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Which process of this host has opened a connection, by the tables of the kernel. Stateless. */
final class ConnectionOwner {
    private static final int LOCAL = 1;
    private static final int REMOTE = 2;
    private static final int INODE = 9;

    private ConnectionOwner() {}

    /**
     * The name of the other end's socket, as a process has it.
     *
     * @param accepted by this process, from a process of this host
     * @return empty if it is closed already
     */
    static Optional<String> socket(Socket accepted) throws IOException {
        String local = port(accepted.getPort());
        String remote = port(accepted.getLocalPort());
        for (String table : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
            for (String line : Files.readAllLines(Path.of(table))) {
                String[] fields = line.strip().split("\\s+", -1);
                if (fields.length > INODE
                        && fields[LOCAL].endsWith(local)
                        && fields[REMOTE].endsWith(remote)) {
                    return Optional.of("socket:[" + fields[INODE] + "]");
                }
            }
        }
        return Optional.empty();
    }

    private static String port(int number) {
        return String.format(Locale.ROOT, ":%04X", number);
    }

    /** Whether a process has this socket open. */
    static boolean has(long pid, String socket) throws IOException {
        try (DirectoryStream<Path> files =
                Files.newDirectoryStream(Path.of("/proc", String.valueOf(pid), "fd"))) {
            for (Path file : files) {
                if (target(file).equals(socket)) {
                    return true;
                }
            }
            return false;
        } catch (NoSuchFileException _) {
            return false;
        }
    }

    private static String target(Path file) {
        try {
            return Files.readSymbolicLink(file).toString();
        } catch (IOException _) {
            // Closed meanwhile.
            return "";
        }
    }
}
