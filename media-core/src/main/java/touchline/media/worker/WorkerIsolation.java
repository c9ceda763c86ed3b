package touchline.media.worker;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Isolation of worker processes available on this host, probed once at the start. It uses programs
 * of util-linux and coreutils that each exec the next, and {@link SandboxMain}. Immutable.
 *
 * @param lowPriority {@code nice} is available
 * @param memoryLimit {@code prlimit} is available
 * @param sandbox separation from the server and its host
 * @param withGpu workers encode on a graphics card
 */
public record WorkerIsolation(
        boolean lowPriority, boolean memoryLimit, WorkerSandbox sandbox, boolean withGpu) {
    private static final Logger log = LoggerFactory.getLogger(WorkerIsolation.class);
    private static final long PROBE_SECONDS = 5;

    /** Limits of priority and memory only. Takes some milliseconds. Blocks. */
    public static WorkerIsolation withoutSandbox() {
        return new WorkerIsolation(
                works(List.of("nice", "-n", "10", "true")),
                works(List.of("prlimit", "--data=1073741824", "--core=0", "--", "true")),
                WorkerSandbox.NONE,
                /* withGpu= */ false);
    }

    /** {@link #probe(WorkerLaunch, boolean)} for workers like this JVM, without a graphics card. */
    public static WorkerIsolation probe() {
        Path folder = Path.of(System.getProperty("java.io.tmpdir"));
        return probe(
                WorkerLaunch.likeThisJvm("", folder, WorkerLimits.DEFAULTS), /* withGpu= */ false);
    }

    /**
     * Tries the sandboxes from the strongest on: in each a program tries to read a file of the
     * server and to reach one of its ports. Takes about a second. Blocks.
     *
     * @param launch of the workers
     * @param withGpu whether workers encode on a graphics card
     * @throws IllegalStateException if the thread is interrupted
     */
    public static WorkerIsolation probe(WorkerLaunch launch, boolean withGpu) {
        WorkerIsolation bare = withoutSandbox();
        if (!Syscalls.supported()) {
            return bare;
        }
        for (WorkerSandbox each : WorkerSandbox.candidates(SandboxProbe.isRoot())) {
            WorkerIsolation candidate =
                    new WorkerIsolation(bare.lowPriority(), bare.memoryLimit(), each, withGpu);
            String failure = failure(launch, candidate);
            if (failure.isEmpty()) {
                return candidate;
            }
            log.info("worker processes cannot have {}: {}", each.describe(), failure.strip());
        }
        return bare;
    }

    private static String failure(WorkerLaunch launch, WorkerIsolation candidate) {
        try {
            return new SandboxProbe(launch, candidate).failure();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("the isolation of workers is not known", e);
        }
    }

    /** Returns the isolation of a host on which only this sandbox is tried. */
    WorkerIsolation with(WorkerSandbox other) {
        return new WorkerIsolation(lowPriority, memoryLimit, other, withGpu);
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

    /** Returns the whole command of a child. */
    List<String> command(
            WorkerLaunch launch, List<String> java, WorkerFolder folder, WorkerFiles files) {
        List<String> command = prefix(launch.limits());
        if (sandbox.confinement() == WorkerSandbox.Confinement.NONE) {
            command.addAll(java);
            return command;
        }
        SandboxPaths paths = SandboxPaths.of(launch, withGpu);
        List<Path> readable = new ArrayList<>(paths.readable());
        readable.addAll(files.readable());
        SandboxSpec spec =
                new SandboxSpec(
                        sandbox.confinement(),
                        folder.user(),
                        folder.job(),
                        folder.root(),
                        new SandboxSpec.Libraries(folder.libraries(), SandboxPaths.libraries()),
                        readable,
                        files.writable(),
                        paths.devices());
        command.addAll(sandbox.around(java, spec));
        return command;
    }

    /** Returns what stands in front of the sandbox. */
    List<String> prefix(WorkerLimits limits) {
        List<String> prefix = new ArrayList<>();
        if (lowPriority) {
            prefix.addAll(List.of("nice", "-n", Integer.toString(limits.niceness())));
        }
        if (memoryLimit) {
            prefix.addAll(List.of("prlimit", "--data=" + limits.dataBytes(), "--core=0", "--"));
        }
        return prefix;
    }

    /** Returns a text for the log and for {@code doctor}. */
    public String describe() {
        return sandbox.describe()
                + ", priority "
                + (lowPriority ? "low" : "normal (nice is missing)")
                + ", native memory "
                + (memoryLimit ? "limited" : "not limited (prlimit is missing)");
    }
}
