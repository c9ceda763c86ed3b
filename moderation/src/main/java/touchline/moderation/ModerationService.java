package touchline.moderation;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.config.ModerationConfig;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.media.hub.Feed;

/** The moderation of a server: a shelf of models, one inference thread, one task per session. */
public final class ModerationService implements Moderation {
    private static final Logger log = LoggerFactory.getLogger(ModerationService.class);

    private static final long QUIET_NS = TimeUnit.MINUTES.toNanos(1);

    private final ModerationConfig config;
    private final Dependencies dependencies;
    private final InferenceScheduler detectors;
    private final ModelRegistry shelf;
    private final SampleCounts counts = new SampleCounts(null);
    private final Set<SessionModeration> tasks = ConcurrentHashMap.newKeySet();
    private final AtomicLong quietUntilNs;

    /**
     * Time, as everything here has it.
     *
     * @param nanoTime never goes back
     * @param timer runs short tasks; not closed here
     */
    public record Dependencies(
            InstantSource clock, LongSupplier nanoTime, ScheduledExecutorService timer) {}

    private ModerationService(
            ModerationConfig config,
            Path demoFolder,
            DetectorLoader loader,
            Dependencies dependencies) {
        this.config = config;
        this.dependencies = dependencies;
        this.quietUntilNs = new AtomicLong(dependencies.nanoTime().getAsLong());
        this.detectors =
                new InferenceScheduler(
                        config.queueFrames(),
                        config.batchWait().toNanos(),
                        dependencies.nanoTime());
        this.shelf = new ModelRegistry(config, demoFolder, loader, detectors, this::modelsChanged);
    }

    /**
     * Reads the model folders and begins to load them; does not wait for that.
     *
     * @param demoFolder where demo models are made, if they are wanted and the models folder has
     *     none
     * @param loader turns folders into detectors
     */
    public static ModerationService start(
            ModerationConfig config,
            Path demoFolder,
            DetectorLoader loader,
            Dependencies dependencies) {
        ModerationService room = new ModerationService(config, demoFolder, loader, dependencies);
        room.shelf.start();
        return room;
    }

    @Override
    public boolean serves(AlertType type) {
        return shelf.models().stream()
                .anyMatch(
                        model ->
                                model.serves().contains(type)
                                        && (model.state() == ModelStatus.State.READY
                                                || model.state() == ModelStatus.State.LOADING));
    }

    @Override
    public List<ModelStatus> models() {
        return shelf.models();
    }

    @Override
    public String state() {
        List<String> troubles = new ArrayList<>();
        boolean ready = false;
        boolean loading = false;
        for (ModelStatus model : shelf.models()) {
            ready |= model.state() == ModelStatus.State.READY;
            loading |= model.state() == ModelStatus.State.LOADING;
            model.reason().ifPresent(reason -> troubles.add(model.name() + ": " + reason));
        }
        long stuckSeconds = detectors.stuckSeconds();
        if (stuckSeconds > 0) {
            troubles.add("an inference has been running for " + stuckSeconds + " s");
        }
        if (loading) {
            return "loading";
        }
        if (!troubles.isEmpty()) {
            return "degraded: " + String.join("; ", troubles);
        }
        return ready ? "up" : "unavailable";
    }

    @Override
    public String device() {
        return shelf.device();
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
        SessionModeration task =
                new SessionModeration(
                        new SessionModeration.Identity(stream, session),
                        program,
                        sink,
                        this,
                        new SampleCounts(counts));
        tasks.add(task);
        return task;
    }

    InferenceScheduler detectors() {
        return detectors;
    }

    InstantSource clock() {
        return dependencies.clock();
    }

    SampleGate gate(SessionId session) {
        return new SampleGate(
                session, dependencies.nanoTime(), dependencies.timer(), config.gateOpenAfter());
    }

    void closed(SessionModeration task) {
        tasks.remove(task);
    }

    /** Told once a minute at most. */
    void fellBehind(String who) {
        long nowNs = dependencies.nanoTime().getAsLong();
        long untilNs = quietUntilNs.get();
        if (nowNs - untilNs >= 0 && quietUntilNs.compareAndSet(untilNs, nowNs + QUIET_NS)) {
            log.warn(
                    "{} analysis falls behind, frames are dropped ({} waiting, {} in all)",
                    who,
                    detectors.waitingFrames(),
                    counters());
        }
    }

    private void modelsChanged() {
        tasks.forEach(SessionModeration::modelsChanged);
    }

    @Override
    public void close() {
        List.copyOf(tasks).forEach(SessionModeration::close);
        shelf.close();
        detectors.close();
    }
}
