package touchline.api.cluster.ownership;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import touchline.api.cluster.ownership.OwnerRow.Phase;

/**
 * A stream at the node that owns it. Immutable; {@link #on} returns the next state. All times are
 * node time.
 *
 * @param floor highest number of which the database is known to know
 * @param newest highest number used; the segment in progress, or the last one
 * @param publisher connection that publishes, null where none does
 * @param lastMediaMs when media came last, or the publisher
 * @param interruptedAtMs when the publisher left, while {@code phase} is interrupted
 */
public record OwnedStream(
        String streamId,
        long epoch,
        String sessionId,
        State state,
        Phase phase,
        long floor,
        long newest,
        @Nullable String publisher,
        long lastMediaMs,
        long interruptedAtMs,
        long reconnectWindowMs) {
    /** Whether this node still acts for the stream. */
    public enum State {
        /** Publishes, admits publishers. */
        OWNED,
        /** Publishes nothing more; the row is being given to any other node. */
        RELEASING,
        /** Publishes nothing more; the session is being ended. */
        ENDING,
        /** No longer ours; nothing is written any more. */
        DROPPED
    }

    /** What happens to an owned stream. */
    public sealed interface Message {
        /** An encoder publishes here, directly or through a relay. */
        record PublisherArrived(String connection) implements Message {}

        record PublisherLeft(String connection) implements Message {}

        record MediaArrived() implements Message {}

        /** A number is needed now, and the reserve is used up. */
        record NumberBlocked() implements Message {}

        /** The database has stored a floor of at least this. */
        record FloorStored(long floor) implements Message {}

        /** Before each heartbeat: what is to be written with it. */
        record HeartbeatDue() implements Message {}

        /** The row as read with a heartbeat, or after a release or an end. */
        record RowRead(OwnerRow row, NodeRef self) implements Message {}

        /** The node at whose door an encoder waits cannot publish to this one; it asks for it. */
        record ReleaseAsked() implements Message {}

        record Drain() implements Message {}

        /** The node is fenced, or a write was rejected for its epoch. */
        record Fenced() implements Message {}
    }

    /**
     * What the owner does. Each write names the epoch and is rejected where the row has another.
     */
    public sealed interface Action {
        record AcceptPublisher(String connection) implements Action {}

        /**
         * @param sending another encoder sends: {@code NetStream.Publish.BadName}; else this node
         *     is giving up the stream, and the caller reads the owner again
         */
        record RefusePublisher(String connection, boolean sending) implements Action {}

        record CutPublisher(String connection) implements Action {}

        /** {@link OwnerRow#floorRaised}. */
        record RaiseFloor(long epoch, long atLeast) implements Action {}

        /** {@link OwnerRow#publishing}. */
        record StorePublishing(long epoch) implements Action {}

        /** {@link OwnerRow#interrupted}, resumable for so long from now. */
        record StoreInterrupted(long epoch, long resumableMs) implements Action {}

        /**
         * {@link OwnerRow#released}, resumable for so long from now; repeated until the row is read
         * without this owner.
         */
        record Release(long epoch, long newest, long resumableMs) implements Action {}

        /** {@link OwnerRow#ended} and the end of the session; repeated like a release. */
        record EndSession(long epoch, String sessionId, long newest) implements Action {}

        /** Clears {@code wanted_by}: the waiting node refuses its encoder. */
        record AnswerSending(long epoch) implements Action {}

        /** Viewers are sent to find the owner again; nothing is written. */
        record DropSession() implements Action {}
    }

    /** The stream right after a claim. */
    public static OwnedStream claimed(
            Takeover.Verdict.Won won, long reconnectWindowMs, long nowMs) {
        OwnerRow row = won.row();
        return new OwnedStream(
                row.streamId(),
                row.epoch(),
                Objects.requireNonNull(row.sessionId()),
                State.OWNED,
                Phase.WAITING,
                row.floor(),
                won.firstNumber() - 1,
                null,
                nowMs,
                nowMs,
                reconnectWindowMs);
    }

    /**
     * The answer to a row that names this node as owner while it has no owned stream and no claim
     * on its way: a claim whose answer was lost. Without it every other node would be sent here,
     * and no node would serve the stream.
     */
    public static Action.Release unheld(OwnerRow row, long reconnectWindowMs) {
        return new Action.Release(row.epoch(), row.floor(), reconnectWindowMs);
    }

    /**
     * Takes the next number.
     *
     * @return this stream with {@code newest} raised by 1, or null: the reserve is used up, send
     *     {@link Message.NumberBlocked} and ask again when a floor is stored, or later
     */
    public @Nullable OwnedStream nextNumber(NodeStanding standing, long nowMs) {
        boolean allowed =
                state == State.OWNED
                        && standing.mayPublish()
                        && newest < floor + standing.outageNumbers(nowMs);
        return allowed ? withNumbers(floor, newest + 1) : null;
    }

    /** Whether viewers may be answered for this stream, given the node's standing. */
    public boolean answers(NodeStanding standing) {
        return state == State.OWNED && standing.mayPublish();
    }

    private boolean sending(long nowMs, OwnershipTimes times) {
        return publisher != null && nowMs - lastMediaMs < times.silentMs();
    }

    public Step<OwnedStream, Action> on(Message message, long nowMs, OwnershipTimes times) {
        if (state == State.DROPPED) {
            return Step.of(this);
        }
        return switch (message) {
            case Message.PublisherArrived(String connection) -> arrived(connection, nowMs, times);
            case Message.PublisherLeft(String connection) -> left(connection, nowMs);
            case Message.MediaArrived() -> media(nowMs);
            case Message.NumberBlocked() -> Step.of(this, raise(Takeover.RESERVE));
            case Message.FloorStored(long stored) ->
                    Step.of(withNumbers(Math.max(floor, stored), newest));
            case Message.HeartbeatDue() -> heartbeatDue(nowMs);
            case Message.RowRead(OwnerRow row, NodeRef self) -> rowRead(row, self, nowMs, times);
            case Message.ReleaseAsked() ->
                    sending(nowMs, times) || state != State.OWNED
                            ? Step.of(this)
                            : leave(State.RELEASING);
            case Message.Drain() -> state == State.OWNED ? leave(State.RELEASING) : Step.of(this);
            case Message.Fenced() -> drop();
        };
    }

    private Step<OwnedStream, Action> arrived(String connection, long nowMs, OwnershipTimes times) {
        if (state != State.OWNED || sending(nowMs, times)) {
            return Step.of(this, new Action.RefusePublisher(connection, state == State.OWNED));
        }
        List<Action> actions = new ArrayList<>();
        if (publisher != null) {
            actions.add(new Action.CutPublisher(publisher));
        }
        actions.add(new Action.AcceptPublisher(connection));
        return new Step<>(with(state, phase, connection, nowMs, interruptedAtMs), actions);
    }

    private Step<OwnedStream, Action> left(String connection, long nowMs) {
        if (!connection.equals(publisher)) {
            return Step.of(this);
        }
        OwnedStream next = with(state, Phase.INTERRUPTED, null, lastMediaMs, nowMs);
        return state == State.OWNED
                ? Step.of(next, new Action.StoreInterrupted(epoch, reconnectWindowMs))
                : Step.of(next);
    }

    private Step<OwnedStream, Action> media(long nowMs) {
        OwnedStream next = with(state, Phase.PUBLISHING, publisher, nowMs, interruptedAtMs);
        boolean first = phase != Phase.PUBLISHING && state == State.OWNED;
        return first ? Step.of(next, new Action.StorePublishing(epoch)) : Step.of(next);
    }

    private Step<OwnedStream, Action> heartbeatDue(long nowMs) {
        return switch (state) {
            case RELEASING, ENDING -> Step.of(this, leaving(state));
            case DROPPED -> Step.of(this);
            case OWNED -> {
                boolean gone = phase == Phase.INTERRUPTED || phase == Phase.WAITING;
                if (gone && publisher == null && nowMs - interruptedAtMs > reconnectWindowMs) {
                    yield leave(State.ENDING);
                }
                // The number in progress is one of the reserve.
                yield newest >= floor ? Step.of(this, raise(Takeover.RESERVE - 1)) : Step.of(this);
            }
        };
    }

    private Step<OwnedStream, Action> rowRead(
            OwnerRow row, NodeRef self, long nowMs, OwnershipTimes times) {
        if (!row.heldBy(self, epoch)) {
            return row.epoch() < epoch ? Step.of(this) : drop();
        }
        if (state != State.OWNED) {
            return Step.of(this);
        }
        boolean sending = sending(nowMs, times);
        if (row.wantedBy() != null && !sending) {
            return leave(State.RELEASING);
        }
        List<Action> actions = new ArrayList<>();
        if (row.wantedBy() != null) {
            actions.add(new Action.AnswerSending(epoch));
        }
        if (row.phase() != phase) {
            // A write was lost, or two writes came in the wrong order.
            actions.add(storePhase(nowMs));
        }
        return new Step<>(withNumbers(Math.max(floor, row.floor()), newest), actions);
    }

    private Action storePhase(long nowMs) {
        return phase == Phase.INTERRUPTED
                ? new Action.StoreInterrupted(
                        epoch, Math.max(0, reconnectWindowMs - (nowMs - interruptedAtMs)))
                : new Action.StorePublishing(epoch);
    }

    private Action.RaiseFloor raise(int numbers) {
        return new Action.RaiseFloor(epoch, newest + numbers);
    }

    private Step<OwnedStream, Action> leave(State next) {
        List<Action> actions = new ArrayList<>();
        if (publisher != null) {
            actions.add(new Action.CutPublisher(publisher));
        }
        actions.add(leaving(next));
        return new Step<>(
                with(next, phase, /* nextPublisher= */ null, lastMediaMs, interruptedAtMs),
                actions);
    }

    private Action leaving(State next) {
        return next == State.ENDING
                ? new Action.EndSession(epoch, sessionId, newest)
                : new Action.Release(epoch, newest, reconnectWindowMs);
    }

    private Step<OwnedStream, Action> drop() {
        List<Action> actions = new ArrayList<>();
        if (publisher != null) {
            actions.add(new Action.CutPublisher(publisher));
        }
        actions.add(new Action.DropSession());
        return new Step<>(with(State.DROPPED, phase, null, lastMediaMs, interruptedAtMs), actions);
    }

    private OwnedStream with(
            State nextState,
            Phase nextPhase,
            @Nullable String nextPublisher,
            long nextMediaMs,
            long nextInterruptedAtMs) {
        return new OwnedStream(
                streamId,
                epoch,
                sessionId,
                nextState,
                nextPhase,
                floor,
                newest,
                nextPublisher,
                nextMediaMs,
                nextInterruptedAtMs,
                reconnectWindowMs);
    }

    private OwnedStream withNumbers(long nextFloor, long nextNewest) {
        return new OwnedStream(
                streamId,
                epoch,
                sessionId,
                state,
                phase,
                nextFloor,
                nextNewest,
                publisher,
                lastMediaMs,
                interruptedAtMs,
                reconnectWindowMs);
    }
}
