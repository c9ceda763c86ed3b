package touchline.api.cluster.ownership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static touchline.api.cluster.ownership.OwnershipFixture.SEEN_MS;
import static touchline.api.cluster.ownership.OwnershipFixture.TIMES;
import static touchline.api.cluster.ownership.OwnershipFixture.WINDOW_MS;
import static touchline.api.cluster.ownership.OwnershipFixture.X;
import static touchline.api.cluster.ownership.OwnershipFixture.Y;
import static touchline.api.cluster.ownership.OwnershipFixture.at;
import static touchline.api.cluster.ownership.OwnershipFixture.claim;
import static touchline.api.cluster.ownership.OwnershipFixture.lease;

import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import touchline.api.cluster.ownership.OwnedStream.Action;
import touchline.api.cluster.ownership.OwnedStream.Message;
import touchline.api.cluster.ownership.OwnedStream.State;
import touchline.api.cluster.ownership.OwnerRow.Phase;

/** X has claimed a stream in epoch 1: first number 1, floor 3. */
final class OwnedStreamTest {
    private static final OwnerRow ROW = row();
    private static final NodeStanding NORMAL =
            NodeStanding.joined(
                    new NodeStanding.Heartbeat(0, SEEN_MS), at(SEEN_MS, lease(Y, SEEN_MS)), X);

    private static OwnerRow row() {
        return won().row();
    }

    private static Takeover.Verdict.Won won() {
        OwnerRow free = OwnerRow.unclaimed("s", 0);
        return assertInstanceOf(
                Takeover.Verdict.Won.class,
                Takeover.decide(free, at(SEEN_MS, lease(X, SEEN_MS)), claim(X, free)));
    }

    private static OwnedStream owned() {
        return OwnedStream.claimed(won(), WINDOW_MS, 0);
    }

    private static OwnedStream publishing() {
        OwnedStream owned = step(owned(), new Message.PublisherArrived("a"), 0).state();
        return step(owned, new Message.MediaArrived(), 0).state();
    }

    private static Step<OwnedStream, Action> step(OwnedStream owned, Message message, long nowMs) {
        return owned.on(message, nowMs, TIMES);
    }

    private static OwnedStream next(OwnedStream owned, NodeStanding standing, long nowMs) {
        return Objects.requireNonNull(owned.nextNumber(standing, nowMs));
    }

    @Test
    void numbers_endAtTheFloorUntilItIsStored() {
        OwnedStream owned = publishing();
        for (long number = 1; number <= 3; number++) {
            owned = next(owned, NORMAL, 100);
            assertEquals(number, owned.newest());
        }
        assertNull(owned.nextNumber(NORMAL, 100));

        assertEquals(
                List.of(new Action.RaiseFloor(1, 5)),
                step(owned, new Message.HeartbeatDue(), 100).actions());
        assertEquals(
                List.of(new Action.RaiseFloor(1, 6)),
                step(owned, new Message.NumberBlocked(), 100).actions());
        OwnedStream raised = step(owned, new Message.FloorStored(5), 200).state();
        assertEquals(4, next(raised, NORMAL, 200).newest());
        assertEquals(5, step(raised, new Message.FloorStored(4), 200).state().floor());
        assertNull(raised.nextNumber(NORMAL.at(TIMES.leaseMs()), TIMES.leaseMs()));
    }

    @Test
    void numbers_inOutageMode_riseAboveTheFloorByTime() {
        NodeStanding outage =
                NORMAL.failed(1_000)
                        .peerAnswered("y", new NodeStanding.PeerState(false, SEEN_MS), 1_000)
                        .at(1_000);
        OwnedStream owned = publishing();
        for (int i = 0; i < 4; i++) {
            owned = next(owned, outage, 1_000);
        }
        assertNull(owned.nextNumber(outage, 1_999));
        owned = next(owned, outage, 2_000);
        assertEquals(5, owned.newest());
        // The first heartbeat behind the outage must bring the floor up to what was used.
        assertEquals(
                List.of(new Action.RaiseFloor(1, 7)),
                step(owned, new Message.HeartbeatDue(), 2_000).actions());
        assertNull(owned.nextNumber(NORMAL, 2_000));
    }

    @Test
    void secondPublisher_whileTheFirstSends_isRefused() {
        OwnedStream owned = publishing();
        long silentMs = TIMES.silentMs();
        assertEquals(
                List.of(new Action.RefusePublisher("b", /* sending= */ true)),
                step(owned, new Message.PublisherArrived("b"), silentMs - 1).actions());

        Step<OwnedStream, Action> late = step(owned, new Message.PublisherArrived("b"), silentMs);
        assertEquals(
                List.of(new Action.CutPublisher("a"), new Action.AcceptPublisher("b")),
                late.actions());
        assertEquals("b", late.state().publisher());
        assertEquals(late.state(), step(late.state(), new Message.PublisherLeft("a"), 1).state());
    }

    @Test
    void publisherLeft_windowOver_endsTheSessionOnce() {
        Step<OwnedStream, Action> left = step(publishing(), new Message.PublisherLeft("a"), 1_000);
        assertEquals(List.of(new Action.StoreInterrupted(1, WINDOW_MS)), left.actions());
        assertEquals(Phase.INTERRUPTED, left.state().phase());

        OwnedStream waiting =
                step(left.state(), new Message.HeartbeatDue(), 1_000 + WINDOW_MS).state();
        assertEquals(State.OWNED, waiting.state());
        Step<OwnedStream, Action> over =
                step(waiting, new Message.HeartbeatDue(), 1_001 + WINDOW_MS);
        assertEquals(List.of(new Action.EndSession(1, "new-session", 0)), over.actions());
        assertEquals(State.ENDING, over.state().state());
        assertEquals(
                List.of(new Action.RefusePublisher("b", /* sending= */ false)),
                step(over.state(), new Message.PublisherArrived("b"), 0).actions());
        // Its answer may be lost: repeated until the row says so.
        assertEquals(over.actions(), step(over.state(), new Message.HeartbeatDue(), 0).actions());
        Step<OwnedStream, Action> ended =
                step(over.state(), new Message.RowRead(ROW.ended(0), X), 0);
        assertEquals(State.DROPPED, ended.state().state());
    }

    @Test
    void wanted_whileSending_isAnswered_elseTheStreamIsReleased() {
        OwnedStream owned = next(publishing(), NORMAL, 0);
        Message wanted = new Message.RowRead(ROW.publishing().wanted("y"), X);
        assertEquals(List.of(new Action.AnswerSending(1)), step(owned, wanted, 1_000).actions());

        Step<OwnedStream, Action> silent = step(owned, wanted, TIMES.silentMs());
        assertEquals(
                List.of(new Action.CutPublisher("a"), new Action.Release(1, 1, WINDOW_MS)),
                silent.actions());
        assertNull(silent.state().nextNumber(NORMAL, 0), "a number behind the one given back");
        assertEquals(
                List.of(new Action.Release(1, 1, WINDOW_MS)),
                step(silent.state(), new Message.HeartbeatDue(), 0).actions());
    }

    @Test
    void releaseAsked_orDrain() {
        OwnedStream owned = publishing();
        assertEquals(List.of(), step(owned, new Message.ReleaseAsked(), 1_000).actions());
        assertEquals(
                State.RELEASING,
                step(owned, new Message.ReleaseAsked(), TIMES.silentMs()).state().state());
        Step<OwnedStream, Action> drained = step(owned, new Message.Drain(), 1_000);
        assertEquals(
                List.of(new Action.CutPublisher("a"), new Action.Release(1, 0, WINDOW_MS)),
                drained.actions());
    }

    @Test
    void row_ofAHigherEpoch_dropsTheStream_ofALowerOneIsOld() {
        OwnedStream owned = publishing();
        OwnerRow stolen = ROW.claimed(Y, "new-session", true, 9);
        Step<OwnedStream, Action> dropped = step(owned, new Message.RowRead(stolen, X), 0);
        assertEquals(
                List.of(new Action.CutPublisher("a"), new Action.DropSession()), dropped.actions());
        assertEquals(List.of(), step(dropped.state(), new Message.HeartbeatDue(), 0).actions());
        assertNotNull(owned.nextNumber(NORMAL, 0));

        Message old = new Message.RowRead(OwnerRow.unclaimed("s", 0), X);
        assertEquals(State.OWNED, step(owned, old, 0).state().state());
    }

    /** A write was lost, or two of them came in the wrong order. */
    @Test
    void row_withAnotherPhase_isWrittenAgain() {
        Message interrupted = new Message.RowRead(ROW.interrupted(SEEN_MS), X);
        assertEquals(
                List.of(new Action.StorePublishing(1)),
                step(publishing(), interrupted, 100).actions());
        OwnedStream left = step(publishing(), new Message.PublisherLeft("a"), 1_000).state();
        assertEquals(
                List.of(new Action.StoreInterrupted(1, WINDOW_MS - 500)),
                step(left, new Message.RowRead(ROW.publishing(), X), 1_500).actions());
        assertEquals(9, step(left, new Message.RowRead(ROW.floorRaised(9), X), 0).state().floor());
    }

    @Test
    void floor_inTheRow_neverFalls() {
        assertEquals(9, ROW.floorRaised(9).floorRaised(5).floor());
        assertEquals(2, ROW.floorRaised(9).released(2, 0).floor());
        assertEquals(new Action.Release(1, 3, 500), OwnedStream.unheld(ROW, 500));
    }
}
