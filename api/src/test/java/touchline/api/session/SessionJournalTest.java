package touchline.api.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.net.URI;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import touchline.api.access.MasterKeys;
import touchline.api.access.SecretBox;
import touchline.api.access.StreamKeys;
import touchline.api.db.Database;
import touchline.api.db.Epoch;
import touchline.api.db.EventRepository;
import touchline.api.db.MemoryDatabase;
import touchline.api.db.SessionRepository;
import touchline.api.db.StreamRepository;
import touchline.api.db.StreamWrites;
import touchline.api.domain.AudioDelivery;
import touchline.api.domain.Event;
import touchline.api.domain.EventType;
import touchline.api.domain.LatencyMode;
import touchline.api.domain.PageRequest;
import touchline.api.domain.PlaybackId;
import touchline.api.domain.PlaybackPolicy;
import touchline.api.domain.Records;
import touchline.api.domain.Session;
import touchline.api.domain.SessionEnd;
import touchline.api.domain.SessionReport;
import touchline.api.domain.StreamDefinition;
import touchline.api.domain.StreamSettings;
import touchline.api.domain.SuspendedSession;
import touchline.api.events.StreamEvents;
import touchline.media.AccessUnit;
import touchline.media.CodecConfig;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.media.Timescale;
import touchline.media.Track;
import touchline.media.hub.EndReason;
import touchline.media.hub.IngestReport;
import touchline.media.hub.InterruptedSession;
import touchline.media.hub.LiveStream;
import touchline.media.hub.LiveStreams;
import touchline.media.hub.Publication;
import touchline.media.hub.PublishRequest;
import touchline.media.hub.Role;
import touchline.testing.Await;
import touchline.testing.LogLines;
import touchline.testing.SettableClock;

/** Stored rows and reported events of sessions, and their order. */
final class SessionJournalTest {
    private static final int SAMPLE_RATE_HZ = 48_000;

    private final SettableClock clock = new SettableClock();
    private final Database database = MemoryDatabase.open(clock);
    private final StreamRepository streams =
            new StreamRepository(
                    database,
                    new StreamKeys(
                            new SecretBox(
                                    MasterKeys.load(
                                            Optional.of(
                                                    Base64.getEncoder()
                                                            .encodeToString(new byte[32])),
                                            Path.of("does-not-exist")))));
    private final SessionRepository sessions = new SessionRepository(database);
    private final SessionJournal ledger =
            new SessionJournal(
                    new SessionJournal.Dependencies(
                            database,
                            streams,
                            sessions,
                            new StreamEvents(database, URI.create("rtmp://push.test/live")),
                            StreamAdmission.ALONE,
                            new StreamWrites(
                                    new StreamWrites.Timing(Duration.ofMillis(10), Await.PATIENCE)),
                            clock));
    private final AtomicReference<LiveStream> last = new AtomicReference<>();
    private final AtomicReference<SessionJournal.Started> started = new AtomicReference<>();
    private final LiveStreams hub =
            new LiveStreams(clock, clock::nanoTime, clock.timer(), new ToLedger());
    private final StreamDefinition stream =
            new StreamDefinition(
                    StreamDefinition.newId(),
                    StreamDefinition.DEFAULT_ACCOUNT,
                    "key",
                    StreamSettings.DEFAULTS,
                    /* disabled= */ false,
                    List.of(PlaybackId.create(PlaybackPolicy.PUBLIC)),
                    Optional.empty(),
                    Optional.empty(),
                    clock.instant());

    /** As the supervisor does it. */
    private final class ToLedger implements LiveStreams.Listener {
        @Override
        public void sessionStarted(LiveStream live) {
            last.set(live);
            started.set(ledger.started(live));
        }

        @Override
        public void publisherConnected(LiveStream live) {
            ledger.connected(live);
        }

        @Override
        public void publisherDisconnected(LiveStream live) {
            ledger.disconnected(live);
        }

        @Override
        public void sessionEnded(LiveStream live, EndReason reason) {
            ledger.ended(live, reason, () -> SessionReport.EMPTY);
        }
    }

    @BeforeEach
    void create() {
        streams.create(stream);
    }

    @AfterEach
    void close() {
        database.close();
    }

    private Publication publish(StreamId id) {
        Publication publication =
                hub.publish(
                        new PublishRequest(id, Role.MAIN, Duration.ofSeconds(60), "test", _ -> {}));
        Track audio =
                new Track(
                        Track.AUDIO_ID,
                        new Timescale(SAMPLE_RATE_HZ),
                        new CodecConfig.Mp3(SAMPLE_RATE_HZ, 2));
        publication.begin(List.of(audio));
        publication.write(
                new AccessUnit(
                        audio,
                        0,
                        0,
                        /* idr= */ true,
                        MemorySegment.ofArray(new byte[8]).asReadOnly()));
        return publication;
    }

    /** All reported events, once they are stored. */
    private List<EventType> reported() {
        ledger.close();
        return new EventRepository(database)
                .list(EventRepository.Choice.ALL, PageRequest.FIRST).items().reversed().stream()
                        .map(Event::type)
                        .toList();
    }

    private SessionId session() {
        LiveStream live = last.get();
        assertTrue(live != null, "no session has started");
        return live.session();
    }

    @Test
    void session_withAReconnect_reportsEachChange() {
        publish(stream.id()).close();
        publish(stream.id());
        hub.end(stream.id(), EndReason.COMPLETED);

        assertEquals(
                List.of(
                        EventType.LIVE_STREAM_CONNECTED,
                        EventType.LIVE_STREAM_ACTIVE,
                        EventType.LIVE_STREAM_DISCONNECTED,
                        EventType.LIVE_STREAM_CONNECTED,
                        EventType.LIVE_STREAM_DISCONNECTED,
                        EventType.LIVE_STREAM_IDLE),
                reported());
        Session stored = sessions.find(session()).orElseThrow();
        assertEquals(SessionEnd.COMPLETED, stored.end().orElseThrow().reason());
    }

    @Test
    void session_thatWaitedInVain_isDisconnectedOnce() {
        publish(stream.id()).close();
        clock.advance(Duration.ofSeconds(61));

        assertEquals(
                List.of(
                        EventType.LIVE_STREAM_CONNECTED,
                        EventType.LIVE_STREAM_ACTIVE,
                        EventType.LIVE_STREAM_DISCONNECTED,
                        EventType.LIVE_STREAM_IDLE),
                reported());
    }

    @Test
    void consecutiveSessions_areReportedInOrder() {
        for (int i = 0; i < 5; i++) {
            publish(stream.id());
            hub.end(stream.id(), EndReason.COMPLETED);
        }

        List<EventType> reported = reported();
        assertEquals(20, reported.size());
        for (int i = 0; i < 20; i += 4) {
            assertEquals(
                    List.of(
                            EventType.LIVE_STREAM_CONNECTED,
                            EventType.LIVE_STREAM_ACTIVE,
                            EventType.LIVE_STREAM_DISCONNECTED,
                            EventType.LIVE_STREAM_IDLE),
                    reported.subList(i, i + 4));
        }
    }

    @Test
    void session_ofADisabledOrDeletedStream_isNeitherStoredNorReported() throws Exception {
        streams.setDisabled(stream.id(), true);
        publish(stream.id());
        assertFalse(ledger.started(last.get()).await());
        publish(new StreamId("str_gone"));
        assertFalse(ledger.started(last.get()).await());

        assertEquals(List.of(), reported());
        assertTrue(sessions.find(session()).isEmpty());
    }

    @Test
    void streamDisabledMeanwhile_isNotReportedAsIdle() throws Exception {
        publish(stream.id());
        assertFalse(reported().isEmpty());
        streams.setDisabled(stream.id(), true);
        hub.end(stream.id(), EndReason.DISABLED);

        assertEquals(EventType.LIVE_STREAM_DISCONNECTED, reported().getLast());
    }

    @Test
    void warningOfBFrames_isForLowLatencyOnly() {
        publish(stream.id());
        ledger.warned(last.get(), warning(IngestReport.B_FRAMES));
        ledger.warned(last.get(), warning(IngestReport.AV_DRIFT));
        assertEquals(EventType.LIVE_STREAM_WARNING, reported().getLast());
        assertEquals(3, reported().size());

        streams.patch(
                stream.id(), settings -> Records.with(settings, "latencyMode", LatencyMode.LOW));
        ledger.warned(last.get(), warning(IngestReport.B_FRAMES));
        assertEquals(4, reported().size());
    }

    @Test
    void warningOfBeforeAStop_isNotRecordedAgain() {
        publish(stream.id());
        assertEquals(2, reported().size());
        SessionId session = last.get().session();
        SessionReport report =
                new SessionReport(
                        List.of("avc1.64001f"),
                        AudioDelivery.NONE,
                        1280,
                        720,
                        30,
                        1_000,
                        0,
                        List.of(warning(IngestReport.AV_DRIFT)));
        sessions.report(session, report, clock.instant(), Epoch.ALONE);
        Duration window = Duration.ofSeconds(60);
        Instant now = clock.instant();
        SuspendedSession suspended =
                new SuspendedSession(
                        sessions.find(session).orElseThrow(),
                        new InterruptedSession(
                                stream.id(), session, now, now, window, window, 0, 1),
                        now.plus(window),
                        new SuspendedSession.Settings(LatencyMode.STANDARD, false, false, 1, 1),
                        Optional.empty());

        ledger.resumed(suspended);
        int before = reported().size();
        ledger.warned(last.get(), warning(IngestReport.AV_DRIFT));
        assertEquals(before, reported().size());
        ledger.warned(last.get(), warning(IngestReport.BITRATE_SWINGS));
        assertEquals(before + 1, reported().size());
    }

    private static IngestReport.Warning warning(String code) {
        return new IngestReport.Warning(code, "change it", Instant.EPOCH);
    }

    @Test
    void sessionsOfADeadServer_areEndedAndReported() {
        Session lost = Session.started(new SessionId("ses_lost"), stream.id(), clock.instant());
        sessions.start(lost, Epoch.ALONE);

        ledger.handover().closeInterrupted(Set.of());
        ledger.handover().closeInterrupted(Set.of());

        assertEquals(
                List.of(EventType.LIVE_STREAM_DISCONNECTED, EventType.LIVE_STREAM_IDLE),
                reported());
        assertEquals(
                SessionEnd.INTERRUPTED,
                sessions.find(lost.id()).orElseThrow().end().orElseThrow().reason());
    }

    @Test
    void databaseThatFails_isTriedAgain_andTheStartIsStored() throws Exception {
        execute("ALTER TABLE sessions RENAME TO sessions_away");
        // On the thread that has failed, before its next try.
        Runnable mend = () -> execute("ALTER TABLE sessions_away RENAME TO sessions");
        try (LogLines log = LogLines.of(StreamWrites.class, mend)) {
            publish(stream.id());

            assertTrue(started.get().await());
            assertEquals(1, log.texts().size(), log.texts()::toString);
        }

        assertEquals(
                List.of(EventType.LIVE_STREAM_CONNECTED, EventType.LIVE_STREAM_ACTIVE), reported());
        assertTrue(sessions.find(session()).isPresent());
    }

    @Test
    void databaseThatFails_isTriedThreeTimes_andTheStartGivesUp() throws Exception {
        List<String> lines;
        try (LogLines log = LogLines.of(StreamWrites.class)) {
            execute("ALTER TABLE sessions RENAME TO sessions_away");
            publish(stream.id());

            assertThrows(IllegalStateException.class, () -> started.get().await());
            execute("ALTER TABLE sessions_away RENAME TO sessions");
            lines = log.texts();
        }

        assertEquals(
                List.of(3L, 1L),
                List.of(
                        lines.stream().filter(line -> line.contains("is not stored")).count(),
                        lines.stream()
                                .filter(line -> line.contains("could not be stored"))
                                .count()));
        assertEquals(List.of(), reported());
    }

    private void execute(String sql) {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            boolean _ = statement.execute(sql);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }
}
