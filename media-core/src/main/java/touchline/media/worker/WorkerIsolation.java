package touchline.media.worker;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Isolation of worker processes available on this host, probed once at the start. It uses programs
 * of util-linux and coreutils that each exec the next: the child has one process id. Immutable.
 *
 * @param lowPriority {@code nice} is available
 * @param memoryLimit {@code prlimit} is available
 * @param network network isolation of the child
 */
public record WorkerIsolation(boolean lowPriority, boolean memoryLimit, Network network) {
    /** Network isolation of the child. */
    public enum Network {
        /** An empty network namespace, created by the server as root. */
        NAMESPACE,
        /** An empty network namespace inside a separate user namespace. */
        USER_NAMESPACE,
        /** No isolation: this host allows neither. */
        OPEN;

        private List<String> command() {
            return switch (this) {
                case NAMESPACE -> List.of("unshare", "--net");
                case USER_NAMESPACE -> List.of("unshare", "--user", "--map-current-user", "--net");
                case OPEN -> List.of();
            };
        }
    }

    private static final long PROBE_SECONDS = 5;

    /** Probes each program; takes some milliseconds. Blocks. */
    public static WorkerIsolation probe() {
        boolean lowPriority = works(List.of("nice", "-n", "10", "true"));
        boolean memoryLimit =
                works(List.of("prlimit", "--data=1073741824", "--core=0", "--", "true"));
        for (Network network : Network.values()) {
            List<String> command = new ArrayList<>(network.command());
            command.add("true");
            if (works(command)) {
                return new WorkerIsolation(lowPriority, memoryLimit, network);
            }
        }
        return new WorkerIsolation(lowPriority, memoryLimit, Network.OPEN);
    }

    private static boolean works(List<String> command) {
        try {
            Process process =
                    new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start();
            if (process.waitFor(PROBE_SECONDS, TimeUnit.SECONDS)) {
                return process.exitValue() == 0;
            }
            process.destroyForcibly();
            return false;
        } catch (IOException _) {
            return false;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Returns the prefix of the child's command. */
    List<String> prefix(WorkerLimits limits) {
        List<String> prefix = new ArrayList<>();
        if (lowPriority) {
            prefix.addAll(List.of("nice", "-n", Integer.toString(limits.niceness())));
        }
        prefix.addAll(network.command());
        if (memoryLimit) {
            prefix.addAll(List.of("prlimit", "--data=" + limits.dataBytes(), "--core=0", "--"));
        }
        return prefix;
    }

    /** Returns a text for the log and for {@code doctor}. */
    public String describe() {
        return "priority "
                + (lowPriority ? "low" : "normal (nice is missing)")
                + ", native memory "
                + (memoryLimit ? "limited" : "not limited (prlimit is missing)")
                + ", network "
                + switch (network) {
                    case NAMESPACE -> "none (own namespace)";
                    case USER_NAMESPACE -> "none (own user namespace)";
                    case OPEN -> "open (this host allows no namespaces)";
                };
    }
}
