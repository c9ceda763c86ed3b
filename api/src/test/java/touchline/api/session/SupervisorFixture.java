package touchline.api.session;

import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import touchline.api.access.FrameLinks;
import touchline.api.access.MasterKeys;
import touchline.api.access.SecretBox;
import touchline.api.access.SignedUrls;
import touchline.api.access.StreamKeys;
import touchline.api.access.TestViewers;
import touchline.api.asset.AssetFiles;
import touchline.api.asset.AssetFolders;
import touchline.api.asset.AssetService;
import touchline.api.asset.ChapterTexts;
import touchline.api.audit.EvidenceFolder;
import touchline.api.audit.FakeModeration;
import touchline.api.audit.ModerationDependencies;
import touchline.api.audit.ModerationRecorder;
import touchline.api.audit.PaintedByHand;
import touchline.api.db.AssetRepository;
import touchline.api.db.AuditRunRepository;
import touchline.api.db.Database;
import touchline.api.db.MediaSequences;
import touchline.api.db.MemoryDatabase;
import touchline.api.db.SessionRepository;
import touchline.api.db.StreamRepository;
import touchline.api.db.StreamWrites;
import touchline.api.domain.Asset;
import touchline.api.domain.PlaybackId;
import touchline.api.domain.PlaybackPolicy;
import touchline.api.domain.StreamDefinition;
import touchline.api.domain.StreamSettings;
import touchline.api.domain.SuspendedSession;
import touchline.api.events.StreamEvents;
import touchline.api.restream.TestRestreams;
import touchline.api.scoreboard.OverlayDependencies;
import touchline.api.signal.SignalWatches;
import touchline.api.view.AssetView;
import touchline.config.AudioCodec;
import touchline.config.EncoderConfig;
import touchline.config.PackagerConfig;
import touchline.ingest.PublishDecision;
import touchline.media.SessionId;
import touchline.media.decoding.GopDecoders;
import touchline.media.hub.EndReason;
import touchline.media.hub.LiveStreams;
import touchline.media.hub.Publication;
import touchline.media.hub.PublishRequest;
import touchline.media.hub.Role;
import touchline.media.rendition.RenditionCounters;
import touchline.media.signal.SignalCounters;
import touchline.media.signal.SignalWatch;
import touchline.media.store.DiskSpace;
import touchline.overlay.CompositorCounters;
import touchline.packager.audience.Audience;
import touchline.packager.delivery.FrameDecision;
import touchline.packager.delivery.NettyMediaMemory;
import touchline.packager.delivery.PlaybackDecision;
import touchline.packager.delivery.PlaybackRequest;
import touchline.packager.hls.LivePlayback;
import touchline.packager.hls.RenderedPlaylist;
import touchline.testing.Await;
import touchline.testing.SettableClock;
import touchline.testing.SyntheticStream;

/** A supervisor with everything below it, on a database in memory that a test lets fail or wait. */
final class SupervisorFixture implements AutoCloseable {
    /** Tables without which neither a stream nor a session can be stored. */
    private static final List<String> TABLES = List.of("live_streams", "sessions");

    final SettableClock clock = new SettableClock();
    final List<String> events = new CopyOnWriteArrayList<>();
    final List<EndReason> cuts = new CopyOnWriteArrayList<>();
    final SessionRepository sessions;
    final StreamRepository streams;
    final StreamDefinition stream;
    SessionSupervisor supervisor;

    final Database database;
    private final AssetService assets;
    private final ModerationRecorder recorder;
    private final List<SessionSupervisor> dead = new ArrayList<>();
    private PlaybackResolver playback;
    private final Path folder;
    private final AtomicInteger waiting = new AtomicInteger();
    private final SignalWatch signals;
    private volatile CountDownLatch held = new CountDownLatch(0);

    SupervisorFixture(Path folder) {
        this.folder = folder;
        database = MemoryDatabase.open(this::eventTime);
        database.outbox().listen((event, _) -> events.add(event.type().wireName()));
        MasterKeys keys =
                MasterKeys.load(
                        Optional.of(Base64.getEncoder().encodeToString(new byte[32])), folder);
        streams = new StreamRepository(database, new StreamKeys(new SecretBox(keys)));
        sessions = new SessionRepository(database);
        stream = newStream();
        streams.create(stream);
        AssetFolders folders = new AssetFolders(folder.resolve("assets"));
        assets =
                new AssetService(
                        new AssetRepository(database, AssetView::of),
                        folders,
                        AssetFiles.LOCAL,
                        clock);
        playback = newPlayback();
        recorder =
                new ModerationRecorder(
                        database,
                        new EvidenceFolder(folder.resolve("evidence")),
                        new FrameLinks(
                                new SignedUrls(keys, clock),
                                URI.create("http://play.test:8081"),
                                clock),
                        _ -> true,
                        () -> {},
                        clock);
        signals = new SignalWatch(GopDecoders.LOCAL, new SignalCounters(), clock);
        supervisor = supervisor(StreamAdmission.ALONE);
    }

    private PlaybackResolver newPlayback() {
        return new PlaybackResolver(
                TestViewers.knowing(),
                assets.playbackIds(),
                new ChapterTexts(database),
                new Audience(
                        new Audience.Limits(() -> 0, _ -> true),
                        System::nanoTime,
                        InstantSource.system()),
                _ -> CompletableFuture.completedFuture(FrameDecision.Refused.NOT_FOUND));
    }

    private StreamDefinition newStream() {
        return new StreamDefinition(
                StreamDefinition.newId(),
                StreamDefinition.DEFAULT_ACCOUNT,
                StreamKeys.create(),
                StreamSettings.DEFAULTS,
                /* disabled= */ false,
                List.of(PlaybackId.create(PlaybackPolicy.PUBLIC)),
                Optional.empty(),
                Optional.empty(),
                clock.instant());
    }

    private SessionSupervisor supervisor(StreamAdmission admission) {
        StreamEvents streamEvents = new StreamEvents(database, URI.create("rtmp://push.test/live"));
        SessionJournal journal =
                new SessionJournal(
                        new SessionJournal.Dependencies(
                                database,
                                streams,
                                sessions,
                                streamEvents,
                                admission,
                                new StreamWrites(
                                        new StreamWrites.Timing(
                                                Duration.ofSeconds(1), Await.PATIENCE)),
                                clock));
        return new SessionSupervisor(
                new SessionDependencies(
                        streams,
                        sessions,
                        journal,
                        new MediaSequences(database),
                        playback,
                        new PackagerConfig(
                                Duration.ofMinutes(1),
                                Duration.ofMillis(500),
                                Set.of(AudioCodec.MP3)),
                        new NettyMediaMemory(),
                        assets,
                        folder,
                        () -> new DiskSpace.Least(0, 0),
                        new RecordingCounters(),
                        moderation(streamEvents),
                        overlay(streamEvents),
                        RenditionDependencies.of(
                                new EncoderConfig("auto", 0, "veryfast", 1, "software", 0),
                                new CompositorCounters(),
                                new RenditionCounters(),
                                new TrackCounters()),
                        TestRestreams.of(database, streams, folder, clock),
                        new SignalWatches(
                                new SignalWatches.Dependencies(signals, streams, journal::fault)),
                        _ -> CompletableFuture.failedFuture(new IllegalStateException("no media")),
                        Await.PATIENCE,
                        () -> Duration.ofSeconds(30),
                        clock),
                listener -> new LiveStreams(clock, clock::nanoTime, clock.timer(), listener));
    }

    private ModerationDependencies moderation(StreamEvents streamEvents) {
        return new ModerationDependencies(
                new FakeModeration(),
                recorder,
                database,
                new AuditRunRepository(database),
                streams,
                streamEvents,
                (_, _) -> {},
                clock);
    }

    private OverlayDependencies overlay(StreamEvents streamEvents) {
        return new OverlayDependencies(
                new PaintedByHand(),
                new EncoderConfig("auto", 0, "veryfast", 1, "software", 0),
                new CompositorCounters(),
                OverlayDependencies.slots(0),
                database,
                streams,
                streamEvents,
                clock,
                OverlayDependencies.Timing.REAL);
    }

    private Instant eventTime() {
        waiting.incrementAndGet();
        try {
            held.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        } finally {
            waiting.decrementAndGet();
        }
        return clock.instant();
    }

    /** Transactions with events wait from now on, until the latch is counted down. */
    CountDownLatch holdEvents() {
        held = new CountDownLatch(1);
        return held;
    }

    void awaitHeldEvent() {
        Await.until(() -> waiting.get() > 0);
    }

    /** The database answers with errors. */
    void breakDatabase() throws SQLException {
        for (String table : TABLES) {
            sql("ALTER TABLE %s RENAME TO %s_away".formatted(table, table));
        }
    }

    void mendDatabase() throws SQLException {
        for (String table : TABLES) {
            sql("ALTER TABLE %s_away RENAME TO %s".formatted(table, table));
        }
    }

    private void sql(String statement) throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement sql = connection.createStatement()) {
            sql.execute(statement);
        }
    }

    /** Stops the supervisor as the server does, and lets some time pass. */
    void stop(Duration pause) {
        supervisor.close();
        supervisor.closeSuspended();
        clock.advance(pause);
    }

    /** Starts another supervisor as the next start of the server does. */
    void startAgain() {
        List<SuspendedSession> suspended = sessions.suspended(clock.instant());
        Set<SessionId> resumed = SuspendedSession.ids(suspended);
        supervisor = supervisor(StreamAdmission.ALONE);
        supervisor.resume(suspended);
        sessions.closeInterrupted(resumed);
    }

    /** Begins again with this admission, as a node of a cluster does. */
    void join(StreamAdmission admission) {
        dead.add(supervisor);
        supervisor = supervisor(admission);
    }

    /**
     * Another node goes on with what the one before leaves, which ends without another word. What
     * that one showed is shown no more.
     */
    void takeOver(StreamAdmission admission) {
        playback = newPlayback();
        join(admission);
    }

    /** The assets that are being recorded. */
    List<Asset> recording() {
        return new AssetRepository(database, AssetView::of).live();
    }

    /** The newest session's media playlist as it is now. */
    String playlist() {
        RenderedPlaylist text =
                shown().getFirst()
                        .mediaPlaylist(LivePlayback.PlaylistKind.WINDOW)
                        .toCompletableFuture()
                        .join()
                        .orElseThrow();
        String plain = StandardCharsets.UTF_8.decode(text.plain().bytes()).toString();
        text.release();
        return plain;
    }

    /** Decision of the gate about the stream's key. */
    PublishDecision decision() {
        return supervisor.gate().decide(stream.streamKey());
    }

    /** An encoder that sends a second of media. */
    Publication publish(Duration reconnectWindow) {
        Publication publication =
                supervisor
                        .live()
                        .publish(
                                new PublishRequest(
                                        stream.id(),
                                        Role.MAIN,
                                        reconnectWindow,
                                        "test",
                                        cuts::add));
        SyntheticStream media = SyntheticStream.standard().seconds(1).bFrames(0);
        publication.begin(media.tracks());
        media.published(/* startMs= */ 0).forEach(publication::write);
        publication.flush();
        return publication;
    }

    /** Sessions visible to viewers of the stream: live and lingering ones, newest first. */
    List<LivePlayback> shown() {
        PlaybackDecision decision =
                playback.resolve(
                                new PlaybackRequest(
                                        stream.playbackIds().getFirst().id(),
                                        PlaybackRequest.Resource.MEDIA,
                                        Optional.empty(),
                                        Optional.empty(),
                                        InetAddress.getLoopbackAddress(),
                                        Optional.empty()))
                        .toCompletableFuture()
                        .join();
        return decision instanceof PlaybackDecision.Live live ? live.sessions() : List.of();
    }

    @Override
    public void close() {
        held.countDown();
        supervisor.close();
        supervisor.closeSuspended();
        dead.forEach(SessionSupervisor::close);
        signals.close();
        recorder.close();
        assets.close();
        database.close();
    }
}
