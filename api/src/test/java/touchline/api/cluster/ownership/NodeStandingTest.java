package touchline.api.cluster.ownership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static touchline.api.cluster.ownership.OwnershipFixture.SEEN_MS;
import static touchline.api.cluster.ownership.OwnershipFixture.TIMES;
import static touchline.api.cluster.ownership.OwnershipFixture.X;
import static touchline.api.cluster.ownership.OwnershipFixture.Y;
import static touchline.api.cluster.ownership.OwnershipFixture.Z;
import static touchline.api.cluster.ownership.OwnershipFixture.at;
import static touchline.api.cluster.ownership.OwnershipFixture.lease;

import org.junit.jupiter.api.Test;
import touchline.api.cluster.ownership.NodeStanding.Heartbeat;
import touchline.api.cluster.ownership.NodeStanding.Mode;
import touchline.api.cluster.ownership.NodeStanding.PeerState;

/** Node time starts at 0, where X's newest heartbeat was sent. */
final class NodeStandingTest {
    private static final PeerState AWAY = new PeerState(false, SEEN_MS + 900);
    private static final PeerState HAS = new PeerState(true, SEEN_MS + 900);

    private static NodeStanding joined(NodeLease... peers) {
        return NodeStanding.joined(new Heartbeat(0, SEEN_MS), at(SEEN_MS, peers), X);
    }

    @Test
    void lease_endsCountedFromTheSending() {
        NodeStanding standing = joined(lease(X, SEEN_MS), lease(Y, SEEN_MS)).failed(3_000);

        assertTrue(standing.at(TIMES.leaseMs() - 1).mayPublish());
        NodeStanding holding = standing.at(TIMES.leaseMs());
        assertEquals(Mode.HOLDING, holding.mode());
        assertFalse(holding.mayPublish());
        assertEquals(Mode.HOLDING, holding.at(TIMES.leaseMs() + TIMES.graceMs() - 1).mode());
        assertEquals(Mode.FENCED, holding.at(TIMES.leaseMs() + TIMES.graceMs()).mode());
    }

    @Test
    void outage_allPeersAway_numbersRiseByOneASecond() {
        NodeStanding standing =
                joined(lease(Y, SEEN_MS), lease(Z, SEEN_MS))
                        .failed(3_000)
                        .peerAnswered("y", AWAY, 3_000);
        assertEquals(Mode.NORMAL, standing.at(3_100).mode());

        NodeStanding outage = standing.peerAnswered("z", AWAY, 3_050).at(3_100);
        assertEquals(Mode.OUTAGE, outage.mode());
        assertEquals(1, outage.outageNumbers(3_100));
        assertEquals(1, outage.outageNumbers(4_099));
        assertEquals(2, outage.outageNumbers(4_100));
    }

    @Test
    void outage_peerHasDatabaseOrIsSilent_ends() {
        NodeStanding outage =
                joined(lease(Y, SEEN_MS)).failed(3_000).peerAnswered("y", AWAY, 3_000).at(3_001);
        assertEquals(Mode.OUTAGE, outage.mode());

        assertEquals(Mode.NORMAL, outage.peerAnswered("y", HAS, 3_500).at(3_501).mode());
        long silentMs = 3_000 + TIMES.answerMs() + 1;
        assertEquals(Mode.NORMAL, outage.at(silentMs).mode());
        NodeStanding late = outage.peerAnswered("y", AWAY, 6_500).at(6_600);
        assertEquals(Mode.OUTAGE, late.mode());
        assertEquals(Mode.HOLDING, late.peerAnswered("y", HAS, 6_700).at(6_701).mode());
        assertEquals(0, late.peerAnswered("y", HAS, 6_700).at(6_701).outageNumbers(6_701));
    }

    /** A takeover concludes this from the end of a lease. */
    @Test
    void outage_notEnteredBehindTheLease() {
        NodeStanding holding = joined(lease(Y, SEEN_MS)).failed(3_000).at(TIMES.leaseMs());
        NodeStanding answered = holding.peerAnswered("y", AWAY, TIMES.leaseMs() + 1);

        assertEquals(Mode.HOLDING, answered.at(TIMES.leaseMs() + 2).mode());
    }

    /** This node's clock stood still: by the peer's database time, its lease is over. */
    @Test
    void outage_peerHadTheDatabaseBehindThisLease_isNotEntered() {
        NodeStanding standing = joined(lease(Y, SEEN_MS)).failed(1_000);
        PeerState later = new PeerState(false, SEEN_MS + TIMES.leaseMs());

        assertEquals(Mode.NORMAL, standing.peerAnswered("y", later, 1_100).at(1_200).mode());
        PeerState before = new PeerState(false, SEEN_MS + TIMES.leaseMs() - 1);
        assertEquals(Mode.OUTAGE, standing.peerAnswered("y", before, 1_100).at(1_200).mode());
    }

    @Test
    void outage_noPeers_needsAFailure() {
        NodeLease gone = lease(Y, SEEN_MS - TIMES.leaseMs()).with(NodeLease.State.GONE);
        NodeStanding alone = joined(lease(X, SEEN_MS), gone);

        assertEquals(Mode.NORMAL, alone.at(2_000).mode());
        assertEquals(Mode.OUTAGE, alone.failed(2_000).at(2_001).mode());
        assertEquals(Mode.OUTAGE, alone.failed(2_000).at(2_001).at(600_000).mode());
    }

    /** Behind a database outage the first heartbeat finds the leases of all others over. */
    @Test
    void outage_peerWithoutLease_isAskedToo() {
        NodeStanding first = joined(lease(Y, SEEN_MS - TIMES.leaseMs())).failed(2_000);

        assertEquals(Mode.NORMAL, first.at(2_001).mode());
        assertEquals(Mode.NORMAL, first.peerAnswered("y", HAS, 2_100).at(2_101).mode());
        assertEquals(Mode.OUTAGE, first.peerAnswered("y", AWAY, 2_100).at(2_101).mode());
    }

    @Test
    void heartbeat_confirmed_endsEverythingButAFence() {
        NodeStanding holding = joined(lease(Y, SEEN_MS)).failed(3_000).at(TIMES.leaseMs());
        Heartbeat next = new Heartbeat(TIMES.leaseMs() + 10, SEEN_MS + 6_010);
        Registry registry = at(SEEN_MS + 6_010, lease(Y, SEEN_MS + 6_000));
        NodeStanding back = holding.confirmed(next, registry, X);
        assertEquals(Mode.NORMAL, back.at(TIMES.leaseMs() + 20).mode());
        assertFalse(back.failing());
        assertEquals(SEEN_MS + 6_010, back.confirmedAtMs());

        NodeStanding fenced = holding.rejected();
        assertEquals(Mode.FENCED, fenced.confirmed(next, registry, X).at(6_020).mode());
        Heartbeat older = new Heartbeat(-1_000, SEEN_MS - 1_000);
        assertEquals(holding, holding.confirmed(older, registry, X));
    }

    @Test
    void lease_missedHeartbeatsWithoutAFailure_areAHole() {
        NodeLease lease = lease(Y, SEEN_MS);
        long lateMs = SEEN_MS + TIMES.leaseMs() + 1;

        assertEquals(0, lease.heartbeat(lateMs - 1, SEEN_MS, false, TIMES).unbrokenSinceMs());
        assertEquals(lateMs, lease.heartbeat(lateMs, SEEN_MS, false, TIMES).unbrokenSinceMs());
        assertEquals(
                SEEN_MS + 1, lease.heartbeat(SEEN_MS + 1, SEEN_MS, true, TIMES).unbrokenSinceMs());
        assertEquals(
                SEEN_MS - 1_000,
                lease.heartbeat(SEEN_MS + 1, SEEN_MS - 5_000, false, TIMES).confirmedAtMs());
    }
}
