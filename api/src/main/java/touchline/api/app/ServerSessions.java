package touchline.api.app;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import touchline.api.asset.AssetService;
import touchline.api.audit.ModerationDependencies;
import touchline.api.db.AuditRunRepository;
import touchline.api.db.Database;
import touchline.api.db.MediaSequences;
import touchline.api.db.SessionRepository;
import touchline.api.db.StreamRepository;
import touchline.api.db.StreamWrites;
import touchline.api.domain.SuspendedSession;
import touchline.api.events.StreamEvents;
import touchline.api.maintenance.Housekeeping;
import touchline.api.restream.Restreams;
import touchline.api.scoreboard.OverlayDependencies;
import touchline.api.session.PlaybackResolver;
import touchline.api.session.RecordingCounters;
import touchline.api.session.RenditionDependencies;
import touchline.api.session.SessionDependencies;
import touchline.api.session.SessionJournal;
import touchline.api.session.SessionSupervisor;
import touchline.api.session.SessionUse;
import touchline.api.signal.SignalWatches;
import touchline.config.LiveConfig;
import touchline.media.SessionId;
import touchline.media.alignment.AudioAlignment;
import touchline.media.ffmpeg.Ffmpeg;
import touchline.media.hub.FailoverDependencies;
import touchline.media.hub.LiveStreams;
import touchline.media.hub.StandbyMaker;
import touchline.media.signal.SignalWatch;
import touchline.media.transcode.LiveBoundaryEncoder;
import touchline.packager.hls.MediaMemory;

/** The sessions of a server, with the timer of their streams. */
final class ServerSessions {
    private static final Duration STOP_LIMIT = Duration.ofSeconds(5);

    private ServerSessions() {}

    /** What sessions need; borrowed. */
    record Dependencies(
            LiveConfig live,
            ServerCluster cluster,
            StreamRepository streams,
            StreamEvents events,
            PlaybackResolver playback,
            MediaMemory memory,
            AssetService assets,
            RecordingCounters recordings,
            ModerationDependencies moderation,
            OverlayDependencies overlay,
            RenditionDependencies renditions,
            Restreams restreams,
            SignalWatch signals,
            StandbyMaker standby,
            InstantSource clock) {}

    /**
     * Ends in the database what an earlier server has left open, but for sessions that continue.
     * The caller closes the result.
     *
     * @param suspended sessions that continue
     * @param open closes the timer
     */
    static SessionSupervisor open(
            Dependencies shared,
            Path dataDir,
            List<SuspendedSession> suspended,
            OpenResources open) {
        InstantSource clock = shared.clock();
        Database database = shared.cluster().database();
        SessionRepository repository = new SessionRepository(database);
        SessionJournal journal = journal(shared, repository);
        Set<SessionId> resumed = SuspendedSession.ids(suspended);
        Housekeeping.afterStart(
                shared.streams(),
                journal.handover(),
                resumed,
                new AuditRunRepository(database),
                clock.instant());
        SessionDependencies dependencies =
                new SessionDependencies(
                        shared.streams(),
                        repository,
                        journal,
                        new MediaSequences(database),
                        shared.playback(),
                        shared.live().get().packager(),
                        shared.memory(),
                        shared.assets(),
                        DataFolder.emptySpool(dataDir, resumed),
                        shared.live().section(DataFolder::leastFree),
                        shared.recordings(),
                        shared.moderation(),
                        shared.overlay(),
                        shared.renditions(),
                        shared.restreams(),
                        signals(shared, journal),
                        shared.standby(),
                        STOP_LIMIT,
                        () -> shared.live().get().rtmp().completeHold(),
                        clock);
        var timer = HubTimer.create();
        open.add("timer", timer::shutdownNow);
        var boundary = new LiveBoundaryEncoder(() -> Ffmpeg.encoders().usable());
        open.add("boundary encoder", boundary);
        var failover = new FailoverDependencies(AudioAlignment::open, boundary);
        SessionSupervisor supervisor =
                new SessionSupervisor(
                        dependencies,
                        listener ->
                                new LiveStreams(
                                        clock, System::nanoTime, timer, listener, failover));
        shared.cluster().watch(new SessionUse(supervisor, journal), journal.handover());
        return supervisor;
    }

    private static SessionJournal journal(Dependencies shared, SessionRepository repository) {
        return new SessionJournal(
                new SessionJournal.Dependencies(
                        shared.cluster().database(),
                        shared.streams(),
                        repository,
                        shared.events(),
                        shared.cluster().admission(),
                        new StreamWrites(),
                        shared.clock()));
    }

    private static SignalWatches signals(Dependencies shared, SessionJournal journal) {
        return new SignalWatches(
                new SignalWatches.Dependencies(shared.signals(), shared.streams(), journal::fault));
    }
}
