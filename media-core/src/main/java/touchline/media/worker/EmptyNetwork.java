package touchline.media.worker;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A network namespace for a child process with nothing in it but a loopback device of its own. The
 * one way out is a listening socket: {@link EmptyNetworkMain} makes it inside, passes it to the
 * server, and executes the child's command in its place. So the server receives what the child
 * connects to, and no process stays in between.
 */
public enum EmptyNetwork {
    /** Created by root. The command starts as root, with root's capabilities. */
    AS_ROOT,
    /**
     * Created by a plain user inside a user namespace, in which that user keeps its number. The
     * command has no capabilities and cannot gain any.
     */
    AS_USER;

    /** Port of the listening socket, on every address of the namespace: 127.0.0.0/8. */
    public static final int PORT = 3128;

    /** Whether this machine's system calls are known. Whether a namespace can be had is tried. */
    public static boolean supported() {
        return Syscalls.supported();
    }

    /**
     * Returns what stands before a command, whose first word is an absolute path. Descriptors 0 to
     * 4 are passed on.
     *
     * @param socket path of a Unix stream socket that accepts one connection and receives the
     *     listening socket (unix(7), SCM_RIGHTS); the connecting process is the one that executes
     *     the command
     */
    public List<String> before(Path socket) {
        List<String> all = new ArrayList<>(List.of("unshare"));
        all.addAll(flags());
        all.addAll(
                SandboxPaths.helper(
                        Path.of(System.getProperty("java.home"), "bin", "java"),
                        EmptyNetworkMain.class));
        all.add(name());
        all.add(socket.toString());
        return all;
    }

    private List<String> flags() {
        return switch (this) {
            case AS_ROOT -> List.of("--net");
            case AS_USER -> List.of("--user", "--map-current-user", "--keep-caps", "--net");
        };
    }
}
