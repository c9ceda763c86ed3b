package touchline.api.app;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.config.JobsConfig;
import touchline.config.ServerConfig;
import touchline.media.worker.WorkerIsolation;
import touchline.media.worker.WorkerJvm;
import touchline.media.worker.WorkerLaunch;
import touchline.media.worker.WorkerLimits;

/**
 * The isolation of all worker processes of a server: {@code jobs.worker-isolation}, and what the
 * host offers, found by trying. Any thread.
 */
final class ServerIsolation implements Supplier<WorkerIsolation> {
    /** What a host needs. */
    static final String ADVICE =
            "allow namespaces (util-linux's unshare; in a container CAP_SYS_ADMIN), or use a kernel"
                    + " with Landlock (Linux 5.13)";

    private static final Logger log = LoggerFactory.getLogger(ServerIsolation.class);

    /** Encoders that need no graphics card. */
    private static final Set<String> SOFTWARE = Set.of("x264", "openh264");

    /** What workers have on this host. */
    interface Host {
        Host USUAL = new Host() {};

        /** Tries it, as {@link WorkerIsolation#probe(WorkerLaunch, boolean)} does. */
        default WorkerIsolation isolation(WorkerLaunch launch, boolean withGpu) {
            return WorkerIsolation.probe(launch, withGpu);
        }

        /** Their JVM. */
        default WorkerJvm jvm() {
            return WorkerJvm.likeThis();
        }
    }

    private final JobsConfig.WorkerIsolation wanted;
    private final boolean withGpu;
    private final Path work;
    private final Host host;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private @Nullable WorkerIsolation found;

    /**
     * @param work folder of the workers of jobs; isolation is tried there
     */
    ServerIsolation(ServerConfig config, Path work) {
        this(config, work, Host.USUAL);
    }

    private ServerIsolation(ServerConfig config, Path work, Host host) {
        this.wanted = config.jobs().workerIsolation();
        this.withGpu =
                !SOFTWARE.contains(config.encoder().video())
                        && Files.exists(Path.of("/dev/nvidiactl"));
        this.work = work;
        this.host = host;
    }

    /**
     * Empties the folder of the workers of jobs.
     *
     * @throws StartException where isolation is required, and this host has none
     */
    static ServerIsolation of(ServerConfig config, Path dataDir, Host host) {
        ServerIsolation isolation =
                new ServerIsolation(config, DataFolder.emptyWork(dataDir), host);
        isolation.require();
        return isolation;
    }

    /** Workers of jobs and of single frames. */
    WorkerLaunch launch(WorkerLimits limits) {
        return launch(work, limits);
    }

    /**
     * @param folder of these workers
     */
    WorkerLaunch launch(Path folder, WorkerLimits limits) {
        return new WorkerLaunch(host.jvm(), Main.class.getName(), folder, limits);
    }

    /** The first call blocks: about a second. */
    @Override
    public WorkerIsolation get() {
        lock.lock();
        try {
            WorkerIsolation known = found;
            if (known == null) {
                known = tried();
                found = known;
                log.info("worker processes: {}", known.describe());
            }
            return known;
        } finally {
            lock.unlock();
        }
    }

    private WorkerIsolation tried() {
        return wanted == JobsConfig.WorkerIsolation.OFF
                ? WorkerIsolation.withoutSandbox()
                : host.isolation(launch(WorkerLimits.DEFAULTS), withGpu);
    }

    /**
     * @throws StartException where isolation is required, and this host has none
     */
    void require() {
        if (wanted == JobsConfig.WorkerIsolation.REQUIRED && !get().sandbox().isWall()) {
            throw new StartException(
                    "jobs.worker-isolation: required, but workers have: %s%n%s"
                            .formatted(get().describe(), ADVICE));
        }
    }

    /** A line of the doctor's report. */
    Finding finding() {
        String subject = "workers";
        String text = get().describe();
        if (get().sandbox().isWall()) {
            return Finding.ok(subject, text);
        }
        return switch (wanted) {
            case AUTO -> Finding.warn(subject, text, ADVICE);
            case OFF -> Finding.warn(subject, text, "set jobs.worker-isolation to auto");
            case REQUIRED ->
                    Finding.fail(subject, text, "jobs.worker-isolation is required: " + ADVICE);
        };
    }
}
