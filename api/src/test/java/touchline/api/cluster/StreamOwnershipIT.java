package touchline.api.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import touchline.api.cluster.ownership.OwnerRow;
import touchline.api.cluster.ownership.PublishAttempt;
import touchline.api.cluster.ownership.ResumeRecord;
import touchline.api.db.Epoch;
import touchline.api.db.FencedException;
import touchline.api.domain.SessionEnd;
import touchline.api.domain.SessionReport;
import touchline.api.session.Admission;
import touchline.api.session.ReservedNumbers;
import touchline.api.session.Resumption;
import touchline.api.session.StreamAdmission.DatabaseState;
import touchline.config.DatabaseConfig;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.testing.Await;

/** Streams of two nodes on one PostgreSQL. */
@Timeout(480)
final class StreamOwnershipIT {
    private static final StreamId STREAM = TestNode.STREAM;
    private static final SessionId SESSION = TestNode.SESSION;

    private final DatabaseConfig config = TestNode.database();
    private final List<TestNode> open = new ArrayList<>();
    private final TestNode a = node("node-a", true);
    private final TestNode b = node("node-b", true);

    private TestNode node(String id, boolean isOrigin) {
        TestNode node = new TestNode(config, id, isOrigin);
        open.add(node);
        return node;
    }

    @AfterEach
    void close() {
        open.reversed().forEach(TestNode::close);
    }

    private static String refusal(Admission admission) {
        return assertInstanceOf(Admission.Refused.class, admission).description();
    }

    private static ResumeRecord record(long newest) {
        return new ResumeRecord(
                0,
                "low",
                60_000,
                true,
                false,
                2,
                500_000,
                0,
                new ResumeRecord.SealedSegment(newest, 0, 2_000_000, 0),
                1,
                1,
                7,
                0,
                null);
    }

    @Test
    void numbers_areReserved_andOneAboveThemWaitsForTheDatabase() throws Exception {
        assertEquals(Epoch.lost(STREAM), a.ownership.epoch(STREAM));
        ReservedNumbers numbers = a.publish();
        assertEquals(Admission.HERE, a.ownership.admit(STREAM));
        assertEquals(new Epoch(STREAM, 1), a.ownership.epoch(STREAM));
        assertEquals(0, numbers.first());
        assertEquals(0, numbers.firstInit());
        assertEquals(2, a.row().floor());

        for (int i = 0; i <= 10; i++) {
            assertTrue(numbers.awaitPart(i));
            assertTrue(numbers.awaitPart(i));
            assertTrue(a.row().floor() >= i);
        }
        assertTrue(numbers.awaitInit(OwnerRow.INIT_RESERVE + 1));

        assertTrue(a.row().initFloor() > OwnerRow.INIT_RESERVE);
    }

    @Test
    void publisher_ofAStreamThatSendsElsewhere_isRefusedWithTheOwnersName() {
        ReservedNumbers _ = a.publish();

        assertEquals("the stream is live at node node-a", refusal(b.ownership.admit(STREAM)));
        assertEquals(new Epoch(STREAM, 1), a.ownership.epoch(STREAM));
    }

    @Test
    void stream_whoseEncoderIsAwayElsewhere_isGivenUp_andItsSessionGoesOn() throws Exception {
        ReservedNumbers numbers = a.publish();
        assertTrue(numbers.awaitPart(0));
        assertTrue(numbers.awaitPart(1));
        a.ownership.resumable(STREAM, SESSION, record(0));
        a.sending.clear();
        a.execute("UPDATE nodes SET state = 'draining' WHERE id = 'node-a'");
        Await.until(() -> a.ownership.count() == 0);
        assertTrue(refusal(a.ownership.admit(STREAM)).contains("takes no further"));

        assertEquals(Admission.HERE, b.ownership.admit(STREAM));

        assertEquals(List.of("goes on ses_1 false"), b.reports);
        Resumption resumption = b.ownership.resumption(STREAM).orElseThrow();
        assertEquals(2, resumption.firstMediaSequence());
        assertEquals(SESSION, resumption.session());
        assertEquals(record(0), resumption.record());
        assertEquals(Optional.empty(), b.ownership.resumption(STREAM));
        assertEquals(Epoch.lost(STREAM), a.ownership.epoch(STREAM));
        assertFalse(numbers.awaitPart(2));
    }

    @Test
    void stream_ofADeadNode_isTaken_andItsSessionGoesOnAboveItsNumbers() throws Exception {
        ReservedNumbers numbers = a.publish();
        assertTrue(numbers.awaitPart(0));
        a.ownership.resumable(STREAM, SESSION, record(0));
        Await.until(() -> a.row().resume() != null);
        Epoch first = a.ownership.epoch(STREAM);
        a.die(b);

        assertEquals(Admission.HERE, b.ownership.admit(STREAM));

        assertEquals(List.of("goes on ses_1 true"), b.reports);
        Resumption resumption = b.ownership.resumption(STREAM).orElseThrow();
        assertEquals(3, resumption.firstMediaSequence());
        assertEquals(OwnerRow.INIT_RESERVE + 1, resumption.firstInit());
        assertThrows(
                FencedException.class,
                () -> b.sessions.report(SESSION, SessionReport.EMPTY, Instant.now(), first));
        Epoch second = b.ownership.epoch(STREAM);
        assertTrue(b.sessions.end(SESSION, Instant.now(), SessionEnd.COMPLETED, second));
    }

    @Test
    void session_thatHasNothingToGoOnWith_endsWithItsOwner() {
        ReservedNumbers _ = a.publish();
        a.die(b);

        assertEquals(Admission.HERE, b.ownership.admit(STREAM));

        assertEquals(List.of("closed ses_1 true"), b.reports);
        assertEquals(Optional.empty(), b.ownership.resumption(STREAM));
        assertEquals(0, b.ownership.numbers(STREAM, SESSION).orElseThrow().firstInit());
    }

    @Test
    void janitor_endsASessionWhoseWindowIsOver_andRaisesTheEpoch() {
        ReservedNumbers _ = a.publish();
        b.janitor.tick();
        a.die(b);
        b.janitor.tick();
        assertEquals(List.of(), b.reports);
        b.execute("UPDATE live_streams SET reconnect_window_s = 0");
        b.execute("UPDATE nodes SET lease_until_ms = lease_until_ms - 1 WHERE id = 'node-a'");

        Await.until(
                () -> {
                    b.janitor.tick();
                    return !b.reports.isEmpty();
                });

        assertEquals(List.of("closed ses_1 true"), b.reports);
        assertEquals(2, b.row().epoch());
        assertEquals(OwnerRow.Phase.FREE, b.row().phase());
    }

    @Test
    void unusedNumbers_areReturnedWithTheEnd() throws Exception {
        ReservedNumbers numbers = a.publish();
        assertTrue(numbers.awaitPart(0));
        Epoch epoch = a.ownership.epoch(STREAM);
        a.connected.clear();
        a.sessions.end(SESSION, Instant.now(), SessionEnd.COMPLETED, epoch);
        a.ownership.closed(epoch);
        numbers.settle(1);

        Await.until(() -> a.row().floor() == 0);

        assertEquals(Admission.HERE, b.ownership.admit(STREAM));
        assertEquals(1, b.ownership.numbers(STREAM, SESSION).orElseThrow().first());
    }

    @Test
    void stream_whoseOverlayStays_isTakenAgain() {
        ReservedNumbers _ = a.publish();
        Epoch epoch = a.ownership.epoch(STREAM);
        a.ending.add(STREAM);
        a.sessions.end(SESSION, Instant.now(), SessionEnd.PUBLISHER_GONE, epoch);
        // It reads that the row has no owner any more.
        a.awaitHeartbeat();

        a.ownership.closed(epoch);
        a.ending.remove(STREAM);

        Await.until(() -> a.ownership.epoch(STREAM).equals(new Epoch(STREAM, 2)));
        assertFalse(a.reports.contains("drop"));
    }

    @Test
    void join_takesTheStreamsAwayFromTheFormerIncarnation() {
        ReservedNumbers _ = a.publish();
        Epoch first = a.ownership.epoch(STREAM);
        a.die(b);

        TestNode again = node("node-a", true);

        OwnerRow row = again.row();
        assertEquals(null, row.owner());
        assertEquals(first.number(), row.epoch());
        assertEquals(OwnerRow.Phase.INTERRUPTED, row.phase());
        assertTrue(row.floor() > 2, "it may have used numbers without a database");
    }

    @Test
    void publisher_ofAnotherNodesStream_isRelayed_untilThatNodesPortsRefuse() {
        ReservedNumbers _ = a.publish();
        b.rtmp = Optional.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1));

        Admission.Relay relay = assertInstanceOf(Admission.Relay.class, b.ownership.admit(STREAM));
        assertEquals("node-a", relay.owner().id());
        assertEquals(Admission.HERE, a.ownership.admitRelayed(STREAM));
        assertEquals(new Admission.NotOwner(), b.ownership.admitRelayed(STREAM));
        a.die(b);

        assertEquals(Admission.HERE, relay.next().apply(PublishAttempt.Reply.CONNECTION_REFUSED));
        assertEquals(new Epoch(STREAM, 2), b.ownership.epoch(STREAM));
    }

    @Test
    void publisherOfARunningSession_goesWhereItWas_whileHeartbeatsFail() {
        ReservedNumbers _ = a.publish();
        b.rtmp = Optional.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1));
        assertInstanceOf(Admission.Relay.class, b.ownership.admit(STREAM));
        assertEquals(DatabaseState.ANSWERS, b.ownership.database());

        a.execute("ALTER TABLE nodes RENAME TO nodes_away");
        Await.until(() -> a.ownership.database() == DatabaseState.AWAY);
        Await.until(() -> b.ownership.database() == DatabaseState.AWAY);

        assertEquals(Admission.HERE, a.ownership.admit(STREAM));
        Admission.Relay relay = assertInstanceOf(Admission.Relay.class, b.ownership.admit(STREAM));
        assertEquals("node-a", relay.owner().id());
        a.execute("ALTER TABLE nodes_away RENAME TO nodes");
        Await.until(() -> b.ownership.database() == DatabaseState.ANSWERS);
    }

    @Test
    void publisherOfARunningSession_isRelayedByANodeThatNeverSawIt_whileHeartbeatsFail() {
        ReservedNumbers _ = a.publish();
        a.execute("INSERT INTO stream_keys VALUES ('key-1', 'str_1', 'MAIN', '')");
        b.rtmp = Optional.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1));
        b.active.tick();

        a.execute("ALTER TABLE nodes RENAME TO nodes_away");
        Await.until(() -> b.ownership.database() == DatabaseState.AWAY);

        assertEquals(STREAM, b.ownership.activeKey("key-1").orElseThrow().stream());
        Admission.Relay relay = assertInstanceOf(Admission.Relay.class, b.ownership.admit(STREAM));
        assertEquals("node-a", relay.owner().id());
        a.execute("ALTER TABLE nodes_away RENAME TO nodes");
        Await.until(() -> b.ownership.database() == DatabaseState.ANSWERS);
    }

    @Test
    void publisher_atANodeThatIsNoOrigin_isRefused() {
        TestNode edge = node("node-c", false);

        assertTrue(refusal(edge.ownership.admit(STREAM)).contains("accepts no encoders"));
    }
}
