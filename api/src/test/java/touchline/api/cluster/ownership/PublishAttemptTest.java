package touchline.api.cluster.ownership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static touchline.api.cluster.ownership.OwnershipFixture.TIMES;
import static touchline.api.cluster.ownership.OwnershipFixture.X;
import static touchline.api.cluster.ownership.OwnershipFixture.Y;
import static touchline.api.cluster.ownership.OwnershipFixture.ownedByX;

import java.util.List;
import org.junit.jupiter.api.Test;
import touchline.api.cluster.ownership.PublishAttempt.Action;
import touchline.api.cluster.ownership.PublishAttempt.Local;
import touchline.api.cluster.ownership.PublishAttempt.Message;
import touchline.api.cluster.ownership.PublishAttempt.Refusal;
import touchline.api.cluster.ownership.PublishAttempt.Reply;
import touchline.api.cluster.ownership.PublishAttempt.State;
import touchline.api.cluster.ownership.Takeover.Verdict;

/** An encoder at the door of Y; X owns the stream, unless it is free. */
final class PublishAttemptTest {
    private static final OwnerRow FREE = OwnerRow.unclaimed("s", 0);
    private PublishAttempt attempt = PublishAttempt.begin(0).state();

    private List<Action> on(Message message, long nowMs) {
        Step<PublishAttempt, Action> step = attempt.on(message, nowMs, TIMES);
        attempt = step.state();
        return step.actions();
    }

    private List<Action> read(OwnerRow row, boolean ownerAlive, long nowMs) {
        return on(new Message.RowRead(row, Y, Local.NONE, ownerAlive, true), nowMs);
    }

    private List<Action> lookAgain(OwnerRow row, boolean ownerAlive, long nowMs) {
        assertEquals(State.WAITING, attempt.state());
        assertEquals(List.of(new Action.ReadRow()), on(new Message.Tick(), nowMs));
        return read(row, ownerAlive, nowMs);
    }

    @Test
    void freeStream_isClaimedAndServed() {
        assertEquals(List.of(new Action.TryClaim(0, false)), read(FREE, false, 0));
        Verdict.Won won = new Verdict.Won(FREE.claimed(Y, "session", false, 3), 1, null);
        assertEquals(List.of(new Action.StartOwning(won)), on(new Message.Decided(won), 10));
        assertFalse(attempt.decided());
        on(new Message.Replied(Reply.ACCEPTED), 10);
        assertEquals(State.SERVED, attempt.state());
        assertTrue(attempt.decided());
    }

    @Test
    void ownerAlive_isAsked_andItsAnswerStands() {
        assertEquals(List.of(new Action.AskOwner(X)), read(ownedByX(), true, 0));
        PublishAttempt asking = attempt;
        on(new Message.Replied(Reply.ACCEPTED), 10);
        assertEquals(State.RELAYED, attempt.state());
        assertEquals(List.of(new Action.ReadRow()), on(new Message.RelayLost(), 9_000));
        assertEquals(9_000, attempt.startedAtMs());

        attempt = asking;
        assertEquals(
                List.of(new Action.Refuse(Refusal.ANOTHER_SENDS)),
                on(new Message.Replied(Reply.SENDING), 10));
    }

    @Test
    void ownersProcessIsOver_isTakenOverAtOnce() {
        read(ownedByX(), true, 0);
        assertEquals(
                List.of(new Action.ReadRow()),
                on(new Message.Replied(Reply.CONNECTION_REFUSED), 5));
        assertEquals(List.of(new Action.TryClaim(1, true)), read(ownedByX(), true, 6));
    }

    @Test
    void ownerTimesOut_wantedIsWritten_untilTheLeaseIsOver() {
        OwnerRow row = ownedByX();
        read(row, true, 0);
        on(new Message.Replied(Reply.TIMED_OUT), 1_500);
        assertEquals(List.of(new Action.StoreWanted(1)), read(row, true, 1_500));
        assertEquals(List.of(), on(new Message.Tick(), 1_600));
        assertEquals(List.of(), lookAgain(row.wanted("y"), true, 1_700));
        assertEquals(
                List.of(new Action.TryClaim(1, false)), lookAgain(row.wanted("y"), false, 1_900));
    }

    @Test
    void ownerTimesOut_itReleases_orSaysThatItIsSending() {
        OwnerRow row = ownedByX();
        read(row, true, 0);
        on(new Message.Replied(Reply.TIMED_OUT), 1_500);
        read(row, true, 1_500);
        // Not yet seen in the row: there is no answer.
        assertEquals(List.of(new Action.StoreWanted(1)), lookAgain(row, true, 1_700));
        assertEquals(List.of(), lookAgain(row.wanted("y"), true, 1_900));
        PublishAttempt waiting = attempt;

        assertEquals(
                List.of(new Action.TryClaim(1, false)),
                lookAgain(row.wanted("y").released(105, 0), false, 2_100));
        attempt = waiting;
        assertEquals(
                List.of(new Action.Refuse(Refusal.ANOTHER_SENDS)), lookAgain(row, true, 2_100));
    }

    @Test
    void unprovenOwner_isWaitedForAsLongAsAPublishIsHeld() {
        read(ownedByX(), false, 0);
        on(new Message.Replied(Reply.TIMED_OUT), 1_500);
        assertEquals(List.of(new Action.TryClaim(1, false)), read(ownedByX(), false, 1_500));
        assertEquals(List.of(), on(new Message.Decided(new Verdict.Unproven(X)), 1_500));
        assertEquals(State.WAITING, attempt.state());
        lookAgain(ownedByX(), false, 1_700);
        assertEquals(
                List.of(new Action.Refuse(Refusal.UNDECIDED)),
                on(new Message.Decided(new Verdict.Unproven(X)), TIMES.holdMs()));
    }

    @Test
    void notOwner_isReadAgainThreeTimes() {
        for (int i = 0; i < 3; i++) {
            assertEquals(List.of(new Action.AskOwner(X)), read(ownedByX(), true, i));
            assertEquals(
                    List.of(new Action.ReadRow()), on(new Message.Replied(Reply.NOT_OWNER), i));
        }
        read(ownedByX(), true, 4);
        assertEquals(List.of(), on(new Message.Replied(Reply.NOT_OWNER), 4));
        assertEquals(State.WAITING, attempt.state());
    }

    @Test
    void twoEncodersOfOneStreamHere_claimOnce() {
        assertEquals(List.of(), on(new Message.RowRead(FREE, Y, Local.CLAIMING, false, true), 0));
        assertEquals(State.WAITING, attempt.state());
        on(new Message.Tick(), 200);
        OwnerRow mine = FREE.claimed(Y, "session", false, 3);
        assertEquals(
                List.of(new Action.ServeHere()),
                on(new Message.RowRead(mine, Y, Local.HELD, true, true), 200));
    }

    /**
     * This node has the stream in an epoch that is over, and does not know it yet: its next
     * heartbeat drops it and cuts the publisher that it has. A claim before that would leave that
     * publisher connected to nothing.
     */
    @Test
    void rowThatThisNodeHasLost_isClaimedWhenItsStreamIsDropped() {
        OwnerRow retired = FREE.claimed(X, "session", false, 3).retired(3, 0);
        assertEquals(List.of(), on(new Message.RowRead(retired, Y, Local.HELD, false, true), 0));
        assertEquals(State.WAITING, attempt.state());
        on(new Message.Tick(), 200);
        assertEquals(
                List.of(new Action.TryClaim(retired.epoch(), false)),
                on(new Message.RowRead(retired, Y, Local.NONE, false, true), 200));
    }

    /** The answer to a claim was lost: claiming again gives the number that this node may use. */
    @Test
    void ownRowWithoutTheStream_isClaimedAgain() {
        OwnerRow mine = FREE.claimed(Y, "session", false, 3);
        assertEquals(List.of(new Action.TryClaim(1, false)), read(mine, true, 0));
    }

    @Test
    void draining_claimsNothing_butRelays() {
        PublishAttempt reading = attempt;
        assertEquals(
                List.of(new Action.Refuse(Refusal.DRAINING)),
                on(new Message.RowRead(FREE, Y, Local.NONE, false, false), 0));
        attempt = reading;
        assertEquals(
                List.of(new Action.AskOwner(X)),
                on(new Message.RowRead(ownedByX(), Y, Local.NONE, true, false), 0));
    }

    @Test
    void databaseAway_relaysToTheLastKnownOwnerOnce() {
        assertEquals(
                List.of(new Action.AskOwner(X)), on(new Message.DatabaseAway(X, Y, Local.NONE), 0));
        on(new Message.Replied(Reply.TIMED_OUT), 1_500);
        assertEquals(List.of(), on(new Message.DatabaseAway(X, Y, Local.NONE), 3_500));
        on(new Message.Tick(), 3_700);
        assertEquals(
                List.of(new Action.Refuse(Refusal.UNDECIDED)),
                on(new Message.DatabaseAway(X, Y, Local.NONE), TIMES.holdMs()));

        attempt = PublishAttempt.begin(0).state();
        assertEquals(
                List.of(new Action.ServeHere()), on(new Message.DatabaseAway(Y, Y, Local.HELD), 0));
    }

    @Test
    void lateReply_changesNothing() {
        PublishAttempt before = attempt;
        assertEquals(List.of(), on(new Message.Replied(Reply.ACCEPTED), 0));
        assertEquals(List.of(), on(new Message.Decided(new Verdict.Lost()), 0));
        assertEquals(List.of(), on(new Message.RelayLost(), 0));
        assertEquals(before, attempt);
    }
}
