package touchline.api.cluster.ownership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static touchline.api.cluster.ownership.OwnershipFixture.SEEN_MS;
import static touchline.api.cluster.ownership.OwnershipFixture.TIMES;
import static touchline.api.cluster.ownership.OwnershipFixture.WINDOW_MS;
import static touchline.api.cluster.ownership.OwnershipFixture.X;
import static touchline.api.cluster.ownership.OwnershipFixture.Y;
import static touchline.api.cluster.ownership.OwnershipFixture.Z;
import static touchline.api.cluster.ownership.OwnershipFixture.at;
import static touchline.api.cluster.ownership.OwnershipFixture.claim;
import static touchline.api.cluster.ownership.OwnershipFixture.lease;
import static touchline.api.cluster.ownership.OwnershipFixture.ownedByX;

import java.util.Objects;
import org.junit.jupiter.api.Test;
import touchline.api.cluster.ownership.OwnerRow.Phase;
import touchline.api.cluster.ownership.Takeover.Claim;
import touchline.api.cluster.ownership.Takeover.Verdict;

final class TakeoverTest {
    /** One heartbeat of Y is confirmed behind the end of X's lease. */
    private static final long DEAD_MS = SEEN_MS + TIMES.leaseMs() + 2 * TIMES.heartbeatMs();

    @Test
    void claim_unclaimedStream_wins() {
        OwnerRow row = OwnerRow.unclaimed("s", 41);
        Verdict.Won won = won(Takeover.decide(row, at(SEEN_MS, lease(Y, SEEN_MS)), claim(Y, row)));

        assertEquals(42, won.firstNumber());
        assertEquals(44, won.row().floor());
        assertEquals(1, won.row().epoch());
        assertEquals(Y, won.row().owner());
        assertEquals("new-session", won.row().sessionId());
        assertEquals(Phase.WAITING, won.row().phase());
        assertNull(won.endedSession());
    }

    @Test
    void claim_otherEpochOrOwnLeaseOver_loses() {
        OwnerRow row = ownedByX();
        Registry registry = at(DEAD_MS, lease(X, SEEN_MS), lease(Y, DEAD_MS));
        Claim late = new Claim(Y, row.epoch() - 1, false, false, "new", WINDOW_MS);
        assertInstanceOf(Verdict.Lost.class, Takeover.decide(row, registry, late));

        Registry old = at(DEAD_MS, lease(X, SEEN_MS), lease(Y, SEEN_MS - 1));
        assertInstanceOf(Verdict.Lost.class, Takeover.decide(row, old, claim(Y, row)));
        NodeRef next = new NodeRef("y", 2);
        assertInstanceOf(Verdict.Lost.class, Takeover.decide(row, registry, claim(next, row)));
    }

    @Test
    void claim_leaseGood_relays() {
        OwnerRow row = ownedByX();
        long nowMs = SEEN_MS + TIMES.leaseMs() - 1;
        Verdict verdict =
                Takeover.decide(row, at(nowMs, lease(X, SEEN_MS), lease(Y, nowMs)), claim(Y, row));

        assertEquals(new Verdict.Alive(X), verdict);
    }

    @Test
    void claim_leaseOverWithWitness_resumesBehindTheFloor() {
        OwnerRow row = ownedByX();
        Registry registry = at(DEAD_MS, lease(X, SEEN_MS), lease(Y, DEAD_MS));
        Verdict.Won won = won(Takeover.decide(row, registry, claim(Y, row)));

        assertEquals(108, won.firstNumber());
        assertEquals("session", won.row().sessionId());
        assertEquals(row.epoch() + 1, won.row().epoch());
        assertNull(won.endedSession());
        assertEquals(row.initFloor() + OwnerRow.INIT_RESERVE, won.row().initFloor());
    }

    /** Another node's heartbeats are as good as the claimant's: it may have started just now. */
    @Test
    void claim_claimantIsNewButAnotherNodeIsWitness_resumes() {
        OwnerRow row = ownedByX();
        NodeLease young = NodeLease.joined(Y, DEAD_MS, TIMES);
        Registry registry = at(DEAD_MS, lease(X, SEEN_MS), young, lease(Z, DEAD_MS));

        assertEquals(108, won(Takeover.decide(row, registry, claim(Y, row))).firstNumber());
    }

    @Test
    void claim_noNodeWasKnownToTheOwner_waitsUntilTheSessionIsOver() {
        OwnerRow row = ownedByX();
        NodeLease young = NodeLease.joined(Y, SEEN_MS + 3_000, TIMES);
        long soonMs = SEEN_MS + WINDOW_MS;
        NodeLease soon = young.heartbeat(soonMs, soonMs - 1_000, false, TIMES);
        assertEquals(
                new Verdict.Unproven(X),
                Takeover.decide(row, at(soonMs, lease(X, SEEN_MS), unbroken(soon)), claim(Y, row)));

        long lateMs = soonMs + 1;
        NodeLease late = young.heartbeat(lateMs, lateMs - 1_000, false, TIMES);
        Verdict.Won won =
                won(
                        Takeover.decide(
                                row, at(lateMs, lease(X, SEEN_MS), unbroken(late)), claim(Y, row)));
        assertEquals("session", won.endedSession());
        assertEquals("new-session", won.row().sessionId());
        assertTrue(won.firstNumber() > 108 + 60, "outage numbers are not counted");
    }

    private static NodeLease unbroken(NodeLease lease) {
        return new NodeLease(
                lease.node(),
                lease.state(),
                lease.leaseUntilMs(),
                lease.confirmedAtMs(),
                lease.startedAtMs(),
                lease.startedAtMs());
    }

    /** All heartbeats were broken from 10 s to 40 s: the owner may have used a number a second. */
    @Test
    void claim_behindADatabaseOutage_waitsThenCountsSeconds() {
        OwnerRow row = ownedByX();
        long backMs = SEEN_MS + 40_000;
        long earlyMs = backMs + TIMES.settleMs();
        NodeLease early = lease(Y, earlyMs, backMs);
        assertEquals(
                new Verdict.Unproven(X),
                Takeover.decide(row, at(earlyMs, lease(X, SEEN_MS), early), claim(Y, row)));

        long nowMs = earlyMs + TIMES.heartbeatMs();
        NodeLease settled = lease(Y, nowMs, backMs);
        Verdict.Won won =
                won(Takeover.decide(row, at(nowMs, lease(X, SEEN_MS), settled), claim(Y, row)));
        long seconds = (nowMs - SEEN_MS + TIMES.heartbeatMs()) / 1_000;
        assertEquals(107 + seconds + 2 + 1, won.firstNumber());
        assertEquals("session", won.row().sessionId());
    }

    /** Its answers count, not what the database stored: the node itself may not know of that. */
    @Test
    void claim_witnessWithoutAnswerFromBehindTheLease_isNoProof() {
        OwnerRow row = ownedByX();
        long nowMs = SEEN_MS + TIMES.leaseMs() + 1;
        Registry registry = at(nowMs, lease(X, SEEN_MS), lease(Y, nowMs));

        assertEquals(new Verdict.Unproven(X), Takeover.decide(row, registry, claim(Y, row)));
    }

    @Test
    void claim_processRefusesConnections_winsAtOnce() {
        OwnerRow row = ownedByX();
        long nowMs = SEEN_MS + 500;
        Registry registry = at(nowMs, lease(X, SEEN_MS), lease(Y, nowMs));
        Claim witness = new Claim(Y, row.epoch(), false, true, "new", WINDOW_MS);
        assertEquals(108, won(Takeover.decide(row, registry, witness)).firstNumber());

        // Its own heartbeat failed since: it may have sent the owner into outage mode.
        Claim failing = new Claim(Y, row.epoch(), true, true, "new", WINDOW_MS);
        assertEquals(110, won(Takeover.decide(row, registry, failing)).firstNumber());
    }

    @Test
    void claim_afterTheWindow_beginsANewSession() {
        OwnerRow row = ownedByX().interrupted(DEAD_MS - 1);
        Registry registry = at(DEAD_MS, lease(X, SEEN_MS), lease(Y, DEAD_MS));
        Verdict.Won won = won(Takeover.decide(row, registry, claim(Y, row)));

        assertEquals("session", won.endedSession());
        assertEquals("new-session", won.row().sessionId());
        assertEquals(108, won.firstNumber());
    }

    @Test
    void claim_releasedStream_skipsNothing() {
        OwnerRow row = ownedByX().released(105, SEEN_MS + WINDOW_MS);
        Verdict.Won won = won(Takeover.decide(row, at(SEEN_MS, lease(Y, SEEN_MS)), claim(Y, row)));

        assertEquals(106, won.firstNumber());
        assertEquals("session", won.row().sessionId());
    }

    @Test
    void expire_deadOwnersSession_raisesTheEpoch() {
        OwnerRow row = ownedByX();
        long overMs = SEEN_MS + WINDOW_MS + 1;
        assertNull(
                Takeover.expire(
                        row, at(overMs - 1, lease(X, SEEN_MS), lease(Y, overMs - 1)), WINDOW_MS));
        OwnerRow ended =
                Takeover.expire(row, at(overMs, lease(X, SEEN_MS), lease(Y, overMs)), WINDOW_MS);

        assertNotNull(ended);
        assertEquals(row.epoch() + 1, ended.epoch());
        assertNull(ended.sessionId());
        assertEquals(Phase.FREE, ended.phase());
        assertTrue(ended.floor() >= row.floor());
        assertFalse(ended.heldBy(X, row.epoch()));
        assertNull(Takeover.expire(ended, at(overMs, lease(Y, overMs)), WINDOW_MS));
    }

    @Test
    void expire_aliveOwnerOrReleasedInTime_endsNothing() {
        Registry alive = at(SEEN_MS + 1, lease(X, SEEN_MS));
        assertNull(Takeover.expire(ownedByX().interrupted(SEEN_MS), alive, 0));
        OwnerRow released = ownedByX().released(105, SEEN_MS + 10);
        assertNull(Takeover.expire(released, at(SEEN_MS + 10), WINDOW_MS));
        assertNotNull(Takeover.expire(released, at(SEEN_MS + 11), WINDOW_MS));
    }

    @Test
    void gone_needsProof() {
        NodeLease x = lease(X, SEEN_MS);
        assertTrue(Takeover.isGone(x, at(DEAD_MS, x, lease(Y, DEAD_MS))));
        assertFalse(Takeover.isGone(x, at(DEAD_MS, x, lease(Y, DEAD_MS, DEAD_MS))));
        assertFalse(Takeover.isGone(x, at(SEEN_MS + 1, x, lease(Y, SEEN_MS))));
        NodeLease gone = x.with(NodeLease.State.GONE);
        assertFalse(Takeover.isGone(gone, at(DEAD_MS, gone, lease(Y, DEAD_MS))));
    }

    /** Its streams stay unproven, but it no longer keeps its peers from outage mode. */
    @Test
    void gone_nothingIsProven_afterALongTime() {
        NodeLease x = lease(X, SEEN_MS);
        long forgottenMs = x.leaseUntilMs() + TIMES.forgetMs();

        assertFalse(Takeover.isGone(x, afterJoinOfY(x, forgottenMs - 1)));
        Registry late = afterJoinOfY(x, forgottenMs);
        assertTrue(Takeover.isGone(x, late));
        assertEquals(Registry.Liveness.UNKNOWN, late.liveness(X));
    }

    /** Y never met X: it joined when X's lease was over. */
    private static Registry afterJoinOfY(NodeLease x, long confirmedAtMs) {
        NodeLease y =
                new NodeLease(
                        Y,
                        NodeLease.State.UP,
                        confirmedAtMs + TIMES.leaseMs(),
                        confirmedAtMs,
                        x.leaseUntilMs(),
                        x.leaseUntilMs());
        return at(confirmedAtMs, x, y);
    }

    /** Otherwise the numbers of the former incarnation's outage mode would be given out again. */
    @Test
    void retire_formerIncarnation_countsItsOutageNumbers() {
        OwnerRow row = ownedByX();
        OwnerRow retired = Takeover.retire(row, at(SEEN_MS + 30_000, lease(X, SEEN_MS)), WINDOW_MS);

        assertNull(retired.owner());
        assertEquals(row.epoch(), retired.epoch());
        assertEquals(107 + 31 + 2, retired.floor());
        assertEquals(SEEN_MS + WINDOW_MS, retired.resumableUntilMs());
        assertEquals("session", retired.sessionId());
        OwnerRow witnessed =
                Takeover.retire(
                        row,
                        at(SEEN_MS + 30_000, lease(X, SEEN_MS), lease(Z, SEEN_MS + 29_500)),
                        WINDOW_MS);
        assertEquals(107 + 2, witnessed.floor());
    }

    private static Verdict.Won won(Verdict verdict) {
        return Objects.requireNonNull(assertInstanceOf(Verdict.Won.class, verdict));
    }
}
