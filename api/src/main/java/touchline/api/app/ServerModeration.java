package touchline.api.app;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import touchline.api.access.FrameLinks;
import touchline.api.access.MasterKeys;
import touchline.api.access.SignedUrls;
import touchline.api.audit.EvidenceFolder;
import touchline.api.audit.EvidenceFrames;
import touchline.api.audit.FrameHome;
import touchline.api.audit.ModerationControl;
import touchline.api.audit.ModerationDependencies;
import touchline.api.audit.ModerationRecorder;
import touchline.api.db.AuditRunRepository;
import touchline.api.db.Database;
import touchline.api.db.EvidenceRepository;
import touchline.api.db.SampledFrames;
import touchline.api.db.StreamRepository;
import touchline.api.domain.AuditSettings;
import touchline.api.events.StreamEvents;
import touchline.api.http.ModerationApiDependencies;
import touchline.api.maintenance.EvidenceRetention;
import touchline.api.session.SessionSupervisor;
import touchline.config.LiveConfig;
import touchline.config.ServerConfig;
import touchline.media.StreamId;
import touchline.media.decoding.GopDecoders;
import touchline.media.hub.StandbyReason;
import touchline.moderation.ModelStatus;
import touchline.moderation.Moderation;
import touchline.moderation.ModerationService;
import touchline.moderation.djl.DjlLoader;

/**
 * The server's moderation: models, stored results, and links to evidence frames. Built and closed
 * by the thread that builds the server.
 */
final class ServerModeration implements AutoCloseable {
    private final ScheduledThreadPoolExecutor timer;
    private final ModerationService moderation;
    private final Database database;
    private final FrameLinks links;
    private final EvidenceFrames frames;
    private final EvidenceRetention retention;
    private final ModerationRecorder recorder;
    private final InstantSource clock;

    /**
     * What it works with; borrowed.
     *
     * @param home takes and brings evidence frames; empty without S3
     * @param decoders of sampled frames
     */
    record Dependencies(
            LiveConfig live,
            Database database,
            MasterKeys masterKeys,
            Optional<FrameHome> home,
            GopDecoders decoders,
            InstantSource clock) {}

    private ServerModeration(Dependencies parts) {
        LiveConfig live = parts.live();
        ServerConfig config = live.get();
        Path dataDir = config.dataDir();
        this.database = parts.database();
        this.clock = parts.clock();
        this.timer =
                new ScheduledThreadPoolExecutor(
                        1, Thread.ofPlatform().name("moderation-timer").daemon().factory());
        timer.setRemoveOnCancelPolicy(true);
        this.moderation =
                ModerationService.open(
                        config.moderation(),
                        DataFolder.demoModels(dataDir),
                        new DjlLoader(config.moderation()),
                        new ModerationService.Dependencies(
                                clock,
                                System::nanoTime,
                                new SecureRandom()::nextDouble,
                                parts.decoders(),
                                timer));
        this.links =
                new FrameLinks(
                        new SignedUrls(parts.masterKeys(), clock),
                        config.publicUrls().playbackUrl(),
                        clock);
        EvidenceFolder folder = new EvidenceFolder(DataFolder.evidence(dataDir));
        this.frames = new EvidenceFrames(links, folder);
        this.retention =
                new EvidenceRetention(
                        new EvidenceRetention.Dependencies(
                                () -> live.get().storage().evidence(),
                                folder,
                                new EvidenceRepository(database),
                                new SampledFrames(database),
                                parts.home().isPresent(),
                                clock));
        this.recorder =
                new ModerationRecorder(
                        database,
                        folder,
                        links,
                        this::isDemo,
                        () -> parts.home().ifPresent(FrameHome::recorded),
                        clock);
    }

    /** Reads the model folders. */
    static ServerModeration open(Dependencies parts) {
        ServerModeration room = new ServerModeration(parts);
        room.retention.start();
        room.recorder.start();
        return room;
    }

    /** Starts to load the models; does not wait for them. */
    void load() {
        moderation.load();
    }

    private boolean isDemo(String model) {
        return moderation.models().stream()
                .anyMatch(status -> status.name().equals(model) && status.demo());
    }

    EvidenceFrames frames() {
        return frames;
    }

    /** The dependencies of sessions. */
    ModerationDependencies parts(
            StreamRepository streams, StreamEvents events, Supplier<SessionSupervisor> sessions) {
        return new ModerationDependencies(
                moderation,
                recorder,
                database,
                new AuditRunRepository(database),
                streams,
                events,
                (stream, action) -> rejected(sessions.get(), stream, action),
                clock);
    }

    /** A frame of a stream was rejected. */
    private static void rejected(
            SessionSupervisor sessions, StreamId stream, AuditSettings.OnReject action) {
        switch (action) {
            case NONE -> {}
            case DISABLE -> sessions.disabler().disable(stream);
            case STANDBY -> {
                boolean _ = sessions.standby().on(stream, StandbyReason.REJECTED);
            }
        }
    }

    /** The dependencies of the control API. */
    ModerationApiDependencies dependencies(ModerationControl control) {
        return new ModerationApiDependencies(moderation, control, links, recorder::storeScores);
    }

    /** The line of the health report. */
    String state() {
        return moderation.state();
    }

    /** Registers the metrics. */
    void bind(MeterRegistry registry) {
        counter(
                registry,
                "touchline.moderation.sampled",
                "Frames taken for analysis",
                m -> m.counters().sampled());
        counter(
                registry,
                "touchline.moderation.analysed",
                "Frames that were analysed",
                m -> m.counters().analysed());
        counter(
                registry,
                "touchline.moderation.dropped",
                "Frames dropped because analysis fell behind",
                m -> m.counters().dropped());
        counter(
                registry,
                "touchline.moderation.failed",
                "Frames that could not be taken, or for which a model failed",
                m -> m.counters().failed());
        counter(
                registry,
                "touchline.moderation.undecodable",
                "GOPs that could not be decoded to their end",
                m -> m.counters().undecodable());
        counter(
                registry,
                "touchline.moderation.errors",
                "Unexpected exceptions of moderation; the log has them",
                m -> m.counters().errors());
        for (ModelStatus.State state : ModelStatus.State.values()) {
            Gauge.builder("touchline.moderation.models", moderation, m -> inState(m, state))
                    .description("Model folders by state")
                    .tag("state", state.wireName())
                    .register(registry);
        }
        stored(
                registry,
                "touchline.moderation.records",
                "Moderation records stored",
                ModerationRecorder::recorded);
        stored(
                registry,
                "touchline.moderation.lost",
                "Records and scores of analysed frames that could not be stored",
                ModerationRecorder::lost);
        stored(
                registry,
                "touchline.moderation.without.frame",
                "Records without an evidence frame because storing it failed",
                ModerationRecorder::withoutFrame);
        Gauge.builder(
                        "touchline.moderation.scores.waiting",
                        recorder,
                        ModerationRecorder::waitingScores)
                .description("Sampled frames whose scores are to be stored")
                .register(registry);
    }

    private static double inState(Moderation moderation, ModelStatus.State state) {
        return moderation.models().stream().filter(model -> model.state() == state).count();
    }

    private void counter(
            MeterRegistry registry,
            String name,
            String description,
            ToDoubleFunction<Moderation> value) {
        FunctionCounter.builder(name, moderation, value)
                .description(description)
                .register(registry);
    }

    private void stored(
            MeterRegistry registry,
            String name,
            String description,
            ToDoubleFunction<ModerationRecorder> value) {
        FunctionCounter.builder(name, recorder, value).description(description).register(registry);
    }

    @Override
    public void close() {
        recorder.close();
        retention.close();
        moderation.close();
        timer.shutdownNow();
    }
}
