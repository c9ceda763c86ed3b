package touchline.media.worker;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * How a worker process is separated from the server and its host. Immutable.
 *
 * @param confinement what keeps it to its files and off the network
 * @param ownUser it runs as a user of its own; the server is root
 */
public record WorkerSandbox(Confinement confinement, boolean ownUser) {
    /** No separation, as before sandboxes and with {@code media.worker-isolation: off}. */
    public static final WorkerSandbox NONE = new WorkerSandbox(Confinement.NONE, false);

    /** What keeps a worker to its files and off the network, strongest first. */
    public enum Confinement {
        /** Mount, process, IPC and network namespaces, created as root. */
        NAMESPACES,
        /** The same inside a user namespace, created by a plain user. */
        USER_NAMESPACES,
        /** The kernel checks each path; system calls for the network are denied. */
        LANDLOCK,
        /** System calls for the network are denied; files are open. */
        FILTER,
        /** Nothing. */
        NONE;

        boolean usesNamespaces() {
            return this == NAMESPACES || this == USER_NAMESPACES;
        }

        private List<String> command() {
            List<String> command = new ArrayList<>();
            if (usesNamespaces()) {
                command.add("unshare");
                if (this == USER_NAMESPACES) {
                    command.addAll(List.of("--user", "--map-root-user"));
                }
                command.addAll(List.of("--mount", "--pid", "--ipc", "--net", "--uts", "--fork"));
                command.add("--kill-child");
            }
            return command;
        }
    }

    /** Whether a worker reaches nothing but its own files. */
    public boolean isWall() {
        return confinement != Confinement.FILTER && confinement != Confinement.NONE;
    }

    /** Returns a text for the log and for {@code doctor}. */
    String describe() {
        return switch (confinement) {
                    case NAMESPACES -> "namespaces";
                    case USER_NAMESPACES -> "user namespaces";
                    case LANDLOCK -> "Landlock";
                    case FILTER -> "files open (no namespaces, no Landlock), network closed";
                    case NONE -> "no sandbox: files and network open";
                }
                + (ownUser ? ", own user" : "");
    }

    /** The candidates of a host, strongest first. */
    static List<WorkerSandbox> candidates(boolean isRoot) {
        return isRoot
                ? List.of(
                        new WorkerSandbox(Confinement.NAMESPACES, /* ownUser= */ true),
                        new WorkerSandbox(Confinement.LANDLOCK, /* ownUser= */ true),
                        new WorkerSandbox(Confinement.LANDLOCK, /* ownUser= */ false),
                        new WorkerSandbox(Confinement.FILTER, /* ownUser= */ true),
                        new WorkerSandbox(Confinement.FILTER, /* ownUser= */ false))
                : List.of(
                        new WorkerSandbox(Confinement.USER_NAMESPACES, /* ownUser= */ false),
                        new WorkerSandbox(Confinement.LANDLOCK, /* ownUser= */ false),
                        new WorkerSandbox(Confinement.FILTER, /* ownUser= */ false));
    }

    /** Returns the whole command: {@code command} inside the sandbox. */
    List<String> around(List<String> command, SandboxSpec spec) {
        if (confinement == Confinement.NONE) {
            return command;
        }
        List<String> all = new ArrayList<>(confinement.command());
        all.addAll(SandboxPaths.helper(Path.of(command.getFirst()), SandboxMain.class));
        all.addAll(spec.arguments());
        all.addAll(command);
        return all;
    }
}
