package touchline.api.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import touchline.api.cluster.ownership.NodeLease;
import touchline.api.cluster.ownership.NodeRef;
import touchline.api.cluster.ownership.NodeStanding.Mode;
import touchline.api.cluster.ownership.NodeStanding.PeerState;
import touchline.api.cluster.ownership.OwnershipTimes;
import touchline.api.cluster.ownership.Registry;
import touchline.api.db.NodeExchange;

/** A node with one peer, and a database that comes and goes. */
final class MembershipTest {
    private static final OwnershipTimes TIMES = OwnershipTimes.DEFAULT;
    private static final NodeRef SELF = new NodeRef("node-a", 1);
    private static final NodeRef PEER = new NodeRef("node-b", 1);
    private static final long DATABASE_MS = 1_700_000_000_000L;

    private final AtomicLong nowMs = new AtomicLong(1_000);
    private final AtomicLong aheadMs = new AtomicLong();
    private final Membership membership =
            new Membership(
                    TIMES,
                    () -> Instant.ofEpochMilli(databaseMs() + aheadMs.get()),
                    () -> TimeUnit.MILLISECONDS.toNanos(nowMs.get()));

    MembershipTest() {
        membership.joined(SELF, registry(), nanos());
    }

    private long nanos() {
        return TimeUnit.MILLISECONDS.toNanos(nowMs.get());
    }

    private long databaseMs() {
        return DATABASE_MS + nowMs.get();
    }

    private Registry registry() {
        return new Registry(
                List.of(
                        NodeLease.joined(SELF, databaseMs(), TIMES),
                        NodeLease.joined(PEER, databaseMs(), TIMES)),
                databaseMs(),
                TIMES);
    }

    private void beat() {
        NodeExchange.Sent sent = membership.due();
        membership.confirmed(sent, new NodeExchange.Answer(registry(), List.of()), nanos());
    }

    private Mode laterBy(long ms) {
        nowMs.addAndGet(ms);
        return membership.watched().mode();
    }

    @Test
    void clockThatGoesWrong_isMeasuredByTheNextHeartbeat() {
        assertEquals(Optional.empty(), membership.clock());
        beat();
        assertEquals(Duration.ZERO, membership.clock().orElseThrow().ahead());

        aheadMs.set(90_000);
        beat();
        assertEquals(Duration.ofSeconds(90), membership.clock().orElseThrow().ahead());
        assertEquals(Mode.NORMAL, membership.standing().mode());
    }

    @Test
    void failedHeartbeat_isKnownToPeersAndTheDatabase_untilOneIsConfirmed() {
        beat();
        assertEquals(new PeerState(true, databaseMs()), membership.state());
        NodeExchange.Sent lost = membership.due();
        assertFalse(lost.broken());
        membership.failed();

        assertFalse(membership.state().hasDatabase());

        NodeExchange.Sent next = membership.due();
        assertTrue(next.broken());
        membership.confirmed(next, new NodeExchange.Answer(registry(), List.of()), nanos());
        assertTrue(membership.state().hasDatabase());
        assertFalse(membership.due().broken());
    }

    @Test
    void heartbeatWithoutAnAnswerInTime_countsAsFailed_evenIfTheAnswerComes() {
        NodeExchange.Sent sent = membership.due();
        assertEquals(Mode.NORMAL, laterBy(TIMES.answerMs()));
        assertTrue(membership.state().hasDatabase());

        assertEquals(Mode.NORMAL, laterBy(1));
        assertFalse(membership.state().hasDatabase());

        membership.confirmed(sent, new NodeExchange.Answer(registry(), List.of()), nanos());
        assertTrue(membership.state().hasDatabase());
        assertTrue(membership.due().broken());
    }

    @Test
    void noNodeHasTheDatabase_numbersGoOn_untilOneHasIt() {
        beat();
        membership.failed();
        membership.peerAnswered("node-b", new PeerState(false, databaseMs()), nowMs.get());

        assertEquals(Mode.OUTAGE, laterBy(500));
        assertTrue(membership.mayAnswer());
        assertEquals(1, membership.standing().outageNumbers(nowMs.get()));
        membership.peerAnswered("node-b", new PeerState(true, databaseMs()), nowMs.get());

        assertEquals(Mode.NORMAL, laterBy(1));
        assertEquals(Mode.HOLDING, laterBy(TIMES.leaseMs()));
        assertFalse(membership.mayAnswer());
        assertEquals(Mode.FENCED, laterBy(TIMES.graceMs()));
    }

    @Test
    void peerThatDoesNotAnswer_mayHaveTheDatabase() {
        beat();
        membership.failed();

        assertEquals(Mode.NORMAL, laterBy(1_000));
        assertFalse(laterBy(TIMES.leaseMs()) == Mode.OUTAGE);
        beat();
        assertEquals(Mode.NORMAL, laterBy(0));
    }
}
