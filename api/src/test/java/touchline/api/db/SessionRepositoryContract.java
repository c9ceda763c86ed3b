package touchline.api.db;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import touchline.api.domain.AssetId;
import touchline.api.domain.AudioDelivery;
import touchline.api.domain.LatencyMode;
import touchline.api.domain.Page;
import touchline.api.domain.PageRequest;
import touchline.api.domain.Session;
import touchline.api.domain.SessionEnd;
import touchline.api.domain.SessionReport;
import touchline.api.domain.StreamDefinition;
import touchline.api.domain.SuspendedSession;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.media.hub.IngestReport;
import touchline.media.hub.InterruptedSession;

/** Contract of {@link SessionRepository} on any database. */
abstract class SessionRepositoryContract {
    private static final SessionId FIRST = new SessionId("ses_first");
    private static final SessionId SECOND = new SessionId("ses_second");
    private static final SessionReport REPORT =
            new SessionReport(
                    List.of("avc1.64001f", "mp4a.40.34"),
                    AudioDelivery.TRANSCODED,
                    1280,
                    720,
                    29.97,
                    2_500_000,
                    128_000,
                    List.of(
                            new IngestReport.Warning(
                                    "key_frame_interval",
                                    "set the key frame interval to 2 s",
                                    Samples.NOW),
                            new IngestReport.Warning("audio_silent", "check it", Samples.NOW)
                                    .ended(Samples.NOW.plusMillis(12_345))));

    private SessionRepository sessions;
    private StreamId stream;

    abstract Database database();

    @BeforeEach
    void empty() {
        database().with(handle -> handle.execute("DELETE FROM live_streams"));
        StreamRepository streams = new StreamRepository(database(), Samples.vault());
        StreamDefinition definition = Samples.stream();
        streams.create(definition);
        stream = definition.id();
        sessions = new SessionRepository(database());
    }

    private Session start(SessionId id, Instant at) {
        Session session = Session.started(id, stream, at);
        assertTrue(sessions.start(session, Epoch.ALONE));
        return session;
    }

    @Test
    void find_started_comesBackEqual() {
        Session session = start(FIRST, Samples.NOW);

        assertEquals(Optional.of(session), sessions.find(FIRST));
        assertEquals(Optional.empty(), sessions.find(SECOND));
    }

    @Test
    void start_streamDeletedMeanwhile_isFalse() {
        new StreamRepository(database(), Samples.vault()).delete(stream);

        assertFalse(sessions.start(Session.started(FIRST, stream, Samples.NOW), Epoch.ALONE));
    }

    @Test
    void report_running_isShown() {
        Session session = start(FIRST, Samples.NOW);

        assertTrue(sessions.report(FIRST, REPORT, Samples.NOW.plusSeconds(5), Epoch.ALONE));

        assertEquals(
                Optional.of(
                        new Session(FIRST, stream, session.startedAt(), Optional.empty(), REPORT)),
                sessions.find(FIRST));
    }

    @Test
    void end_once_firstReasonStays() {
        start(FIRST, Samples.NOW);
        Instant at = Samples.NOW.plusSeconds(60);

        assertTrue(sessions.end(FIRST, at, SessionEnd.COMPLETED, Epoch.ALONE));
        assertFalse(sessions.end(FIRST, at.plusSeconds(1), SessionEnd.DISABLED, Epoch.ALONE));
        assertFalse(sessions.report(FIRST, REPORT, at.plusSeconds(1), Epoch.ALONE));

        assertEquals(
                Optional.of(new Session.Ended(at, SessionEnd.COMPLETED)),
                sessions.find(FIRST).orElseThrow().end());
    }

    @Test
    void list_ofStream_newestFirst() {
        List<SessionId> newestFirst = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            newestFirst.addFirst(start(new SessionId("ses_" + i), Samples.NOW).id());
        }

        Page<Session> first = sessions.list(stream, new PageRequest(1, 3));
        Page<Session> second = sessions.list(stream, new PageRequest(2, 3));

        List<SessionId> listed = new ArrayList<>();
        first.items().forEach(session -> listed.add(session.id()));
        second.items().forEach(session -> listed.add(session.id()));
        assertEquals(newestFirst, listed);
        assertEquals(5, first.total());
        assertTrue(first.hasMore());
        assertFalse(second.hasMore());
        assertEquals(0, sessions.list(new StreamId("str_other"), PageRequest.FIRST).total());
    }

    @Test
    void closeInterrupted_afterACrash_endsWhatRanWhereItWasLastSeen() {
        Instant lastSeen = Samples.NOW.plusSeconds(30);
        start(FIRST, Samples.NOW);
        sessions.report(FIRST, REPORT, lastSeen, Epoch.ALONE);
        start(SECOND, Samples.NOW);
        sessions.end(SECOND, Samples.NOW.plusSeconds(10), SessionEnd.PUBLISHER_GONE, Epoch.ALONE);

        List<Session> closed = sessions.closeInterrupted(Set.of());

        Session.Ended end = new Session.Ended(lastSeen, SessionEnd.INTERRUPTED);
        assertEquals(
                List.of(new Session(FIRST, stream, Samples.NOW, Optional.of(end), REPORT)), closed);
        assertEquals(Optional.of(end), sessions.find(FIRST).orElseThrow().end());
        assertEquals(
                SessionEnd.PUBLISHER_GONE,
                sessions.find(SECOND).orElseThrow().end().orElseThrow().reason());
        assertEquals(List.of(), sessions.closeInterrupted(Set.of()));
    }

    @Test
    void suspended_withinItsWindow_isListedUntilItIsResumed() {
        SuspendedSession suspended = suspend(FIRST, Samples.NOW.plusSeconds(60));

        assertEquals(List.of(suspended), sessions.suspended(Samples.NOW.plusSeconds(59)));
        assertEquals(List.of(), sessions.suspended(Samples.NOW.plusSeconds(60)));

        assertEquals(List.of(), sessions.closeInterrupted(Set.of(FIRST)));
        assertEquals(Optional.empty(), sessions.find(FIRST).orElseThrow().end());
        // From now on it may crash as any other.
        assertEquals(List.of(), sessions.suspended(Samples.NOW));
        assertEquals(
                SessionEnd.INTERRUPTED,
                sessions.closeInterrupted(Set.of()).getFirst().end().orElseThrow().reason());
    }

    @Test
    void suspended_afterItsWindow_endsAtTheWindowsEnd() {
        Instant until = Samples.NOW.plusSeconds(60);
        suspend(FIRST, until);

        List<Session> closed = sessions.closeInterrupted(Set.of());

        assertEquals(
                Optional.of(new Session.Ended(until, SessionEnd.PUBLISHER_GONE)),
                closed.getFirst().end());
    }

    @Test
    void suspend_ofAnEndedSession_hasNoEffect() {
        Session session = start(FIRST, Samples.NOW);
        sessions.end(FIRST, Samples.NOW, SessionEnd.COMPLETED, Epoch.ALONE);

        assertFalse(
                sessions.suspend(
                        suspended(session, Samples.NOW.plusSeconds(60)),
                        Epoch.ALONE,
                        Optional.empty()));
        assertEquals(List.of(), sessions.suspended(Samples.NOW));
    }

    private SuspendedSession suspend(SessionId id, Instant until) {
        start(id, Samples.NOW);
        sessions.report(id, REPORT, Samples.NOW, Epoch.ALONE);
        SuspendedSession suspended = suspended(sessions.find(id).orElseThrow(), until);
        assertTrue(sessions.suspend(suspended, Epoch.ALONE, Optional.empty()));
        return suspended;
    }

    private static SuspendedSession suspended(Session session, Instant until) {
        Duration window = Duration.between(Samples.NOW, until);
        return new SuspendedSession(
                session,
                new InterruptedSession(
                        session.stream(),
                        session.id(),
                        session.startedAt(),
                        Samples.NOW,
                        window,
                        window,
                        /* mediaEndUs= */ 12_345_678,
                        /* timelines= */ 3),
                until,
                new SuspendedSession.Settings(LatencyMode.LOW, true, false, 2, 57),
                Optional.of(new AssetId("ast_1")));
    }
}
