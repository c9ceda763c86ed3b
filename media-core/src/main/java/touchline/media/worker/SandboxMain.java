package touchline.media.worker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Confines its own process as a {@link SandboxSpec} says, then executes a command in its place: the
 * JVM of a worker. A thread's restrictions apply to the whole process after {@code execve}, and
 * cannot be undone. If a step fails, the command is not executed.
 *
 * <p>It uses only the JDK, since it starts before each worker.
 */
final class SandboxMain {
    /** Exit status if the process cannot be confined. */
    static final int EXIT_NOT_CONFINED = 121;

    private static final int SYS_EXECVE = 59;
    private static final int SYS_UMASK = 95;
    private static final int SYS_SETGROUPS = 116;
    private static final int SYS_SETRESUID = 117;
    private static final int SYS_SETRESGID = 119;
    private static final int SYS_PRCTL = 157;
    private static final int SYS_CLOSE_RANGE = 436;
    private static final long SET_PDEATHSIG = 1;
    private static final long SIGKILL = 9;
    private static final long CLOSE_ON_EXEC = 4;

    /** The worker's user passes the folders of its root. */
    private static final int OTHERS_READ = 0022;

    private static final int OWNER_ONLY = 0077;

    /** Everything the worker inherits; none of it is secret. */
    static final List<String> ENVIRONMENT = List.of("PATH=/usr/bin:/bin", "LANG=C.UTF-8");

    private final Syscalls kernel = new Syscalls();
    private final Rights rights = new Rights(kernel);
    private final SandboxSpec spec;

    private SandboxMain(SandboxSpec spec) {
        this.spec = spec;
    }

    public static void main(String[] arguments) {
        List<String> all = List.of(arguments);
        SandboxSpec spec = SandboxSpec.parse(all);
        List<String> command = all.subList(SandboxSpec.commandIndex(all), all.size());
        try {
            new SandboxMain(spec).execute(command);
        } catch (IOException | RuntimeException e) {
            System.err.println("sandbox: " + e);
            Runtime.getRuntime().halt(EXIT_NOT_CONFINED);
        }
    }

    private void execute(List<String> command) throws IOException {
        sacrificeFirst();
        WorkerSandbox.Confinement confinement = spec.confinement();
        if (confinement.usesNamespaces()) {
            kernel.call("umask", SYS_UMASK, OTHERS_READ);
            new SandboxRoot(kernel, spec).enter();
        }
        kernel.call("umask", SYS_UMASK, OWNER_ONLY);
        dropRights();
        if (confinement.usesNamespaces()) {
            // A change of the user clears what unshare has set.
            kernel.call("parent's death", SYS_PRCTL, SET_PDEATHSIG, SIGKILL, 0, 0, 0);
        }
        rights.neverGain();
        if (confinement == WorkerSandbox.Confinement.LANDLOCK) {
            new LandlockRules(kernel).restrict(spec);
        }
        new SyscallFilter(kernel).install();
        kernel.call("files", SYS_CLOSE_RANGE, 3, 0xFFFF_FFFFL, CLOSE_ON_EXEC);
        kernel.call(
                command.getFirst(),
                SYS_EXECVE,
                kernel.text(command.getFirst()),
                kernel.texts(command, command.size()),
                environment(command.getFirst()));
    }

    /**
     * Without /proc, which hardened services and containers cannot mount again, the loader does not
     * find the libraries that lie relative to a program: the JVM's.
     */
    private long environment(String java) {
        List<String> all = new ArrayList<>(ENVIRONMENT);
        if (!Files.isReadable(Path.of("/proc/self/exe"))) {
            all.add("LD_LIBRARY_PATH=" + Path.of(java).resolve("../../lib").normalize());
        }
        return kernel.texts(all, all.size());
    }

    private void dropRights() throws IOException {
        rights.bound();
        if (spec.user().isOwn()) {
            long user = spec.user().user();
            long group = spec.user().group();
            kernel.call("groups", SYS_SETGROUPS, 0, 0);
            kernel.call("group", SYS_SETRESGID, group, group, group);
            kernel.call("user", SYS_SETRESUID, user, user, user);
        }
        rights.drop();
    }

    /** If the host runs out of memory, the kernel kills this process before the server. */
    private static void sacrificeFirst() {
        try {
            Files.writeString(Path.of("/proc/self/oom_score_adj"), "1000");
        } catch (IOException _) {
            // The worker tries it again, and reports it.
        }
    }
}
