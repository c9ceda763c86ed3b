package touchline.moderation;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.config.ModerationConfig;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.media.decoding.GopDecoders;
import touchline.media.hub.Feed;

/** The moderation of a server: a model registry, an inference thread, and a task per session. */
public final class ModerationService implements Moderation {
    private static final Logger log = LoggerFactory.getLogger(ModerationService.class);

    private static final Duration SCAN_PERIOD = Duration.ofSeconds(2);
    private static final long LOG_INTERVAL_NS = TimeUnit.MINUTES.toNanos(1);

    private final ModerationConfig config;
    private final Dependencies dependencies;
    private final SampleCounts counts = new SampleCounts(null);
    private final InternalErrors errors;
    private final InferenceScheduler scheduler;
    private final ModelRegistry registry;
    private final Set<SessionModeration> tasks = ConcurrentHashMap.newKeySet();

    /** When the next "falls behind" may be logged. */
    private final AtomicLong nextLogNs;

    /**
     * The clocks, chance, and decoders.
     *
     * @param nanoTime monotonic
     * @param random from 0 to 1, not predictable: it decides which frames are analysed. Any thread
     * @param decoders of sampled frames; borrowed
     * @param timer runs short tasks; the caller closes it
     */
    public record Dependencies(
            InstantSource clock,
            LongSupplier nanoTime,
            DoubleSupplier random,
            GopDecoders decoders,
            ScheduledExecutorService timer) {}

    private ModerationService(
            ModerationConfig config,
            Path demoFolder,
            DetectorLoader loader,
            Duration scanPeriod,
            Dependencies dependencies) {
        this.config = config;
        this.dependencies = dependencies;
        this.nextLogNs = new AtomicLong(dependencies.nanoTime().getAsLong());
        this.errors = new InternalErrors(dependencies.nanoTime());
        this.scheduler =
                new InferenceScheduler(
                        config.queueFrames(),
                        config.batchWait().toNanos(),
                        dependencies.nanoTime(),
                        errors,
                        counts);
        this.registry =
                new ModelRegistry(
                        config,
                        demoFolder,
                        scanPeriod,
                        new ModelRegistry.Dependencies(
                                loader,
                                scheduler,
                                errors.source("model scan", counts),
                                this::modelsChanged));
    }

    /**
     * Reads the model folders. Frames wait for {@link #load}.
     *
     * @param demoFolder receives the demo models, if they are enabled and the models folder lacks
     *     them
     */
    public static ModerationService open(
            ModerationConfig config,
            Path demoFolder,
            DetectorLoader loader,
            Dependencies dependencies) {
        return open(config, demoFolder, loader, SCAN_PERIOD, dependencies);
    }

    /** {@link #open} and {@link #load}. */
    public static ModerationService start(
            ModerationConfig config,
            Path demoFolder,
            DetectorLoader loader,
            Dependencies dependencies) {
        return start(config, demoFolder, loader, SCAN_PERIOD, dependencies);
    }

    static ModerationService start(
            ModerationConfig config,
            Path demoFolder,
            DetectorLoader loader,
            Duration scanPeriod,
            Dependencies dependencies) {
        ModerationService service = open(config, demoFolder, loader, scanPeriod, dependencies);
        service.load();
        return service;
    }

    private static ModerationService open(
            ModerationConfig config,
            Path demoFolder,
            DetectorLoader loader,
            Duration scanPeriod,
            Dependencies dependencies) {
        ModerationService service =
                new ModerationService(config, demoFolder, loader, scanPeriod, dependencies);
        service.registry.open();
        return service;
    }

    /** Starts to load the models. Does not wait until they are loaded. Called once. */
    public void load() {
        registry.load();
    }

    @Override
    public boolean serves(AlertType type) {
        return registry.models().stream()
                .anyMatch(
                        model ->
                                model.serves().contains(type)
                                        && (model.state() == ModelStatus.State.READY
                                                || model.state() == ModelStatus.State.LOADING));
    }

    @Override
    public List<ModelStatus> models() {
        return registry.models();
    }

    @Override
    public String state() {
        List<String> failures = errors.active();
        List<String> problems = new ArrayList<>();
        boolean ready = false;
        boolean loading = false;
        for (ModelStatus model : registry.models()) {
            ready |= model.state() == ModelStatus.State.READY;
            loading |= model.state() == ModelStatus.State.LOADING;
            model.reason().ifPresent(reason -> problems.add(model.name() + ": " + reason));
        }
        if (loading && failures.isEmpty()) {
            return "loading";
        }
        long stuckSeconds = scheduler.stuckSeconds();
        if (stuckSeconds > 0) {
            problems.add("an inference has been running for " + stuckSeconds + " s");
        }
        problems.addAll(failures);
        if (!problems.isEmpty()) {
            return "degraded: " + String.join("; ", problems);
        }
        return ready ? "up" : "unavailable";
    }

    @Override
    public String device() {
        return registry.device();
    }

    @Override
    public double rejectCutoff() {
        return config.rejectCutoff();
    }

    @Override
    public ModerationCounters counters() {
        return counts.snapshot();
    }

    @Override
    public ModerationTask open(
            StreamId stream, SessionId session, Supplier<Feed> program, ModerationSink sink) {
        SampleCounts sessionCounts = new SampleCounts(counts);
        SessionModeration task =
                new SessionModeration(
                        program,
                        new SessionModeration.Dependencies(
                                new SessionModeration.Identity(stream, session),
                                this,
                                sink,
                                sessionCounts,
                                new SampleGate(
                                        session,
                                        dependencies.nanoTime(),
                                        dependencies.timer(),
                                        config.gateOpenAfter())));
        tasks.add(task);
        return task;
    }

    InferenceScheduler scheduler() {
        return scheduler;
    }

    InternalErrors errors() {
        return errors;
    }

    InstantSource clock() {
        return dependencies.clock();
    }

    DoubleSupplier random() {
        return dependencies.random();
    }

    GopDecoders decoders() {
        return dependencies.decoders();
    }

    void closed(SessionModeration task) {
        tasks.remove(task);
    }

    /** Logs that a session dropped a frame, at most once a minute over all sessions. */
    void fellBehind(String session) {
        long nowNs = dependencies.nanoTime().getAsLong();
        long nextNs = nextLogNs.get();
        if (nowNs - nextNs >= 0 && nextLogNs.compareAndSet(nextNs, nowNs + LOG_INTERVAL_NS)) {
            log.warn(
                    "{} analysis falls behind, frames are dropped ({} waiting, {} in all)",
                    session,
                    scheduler.waitingFrames(),
                    counters());
        }
    }

    private void modelsChanged() {
        tasks.forEach(SessionModeration::modelsChanged);
    }

    @Override
    public void close() {
        List.copyOf(tasks).forEach(SessionModeration::close);
        registry.close();
        scheduler.close();
    }
}
