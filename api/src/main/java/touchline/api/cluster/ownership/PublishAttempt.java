package touchline.api.cluster.ownership;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import touchline.api.cluster.ownership.Takeover.Verdict;

/**
 * An encoder that publishes at a node, from its {@code publish} command until it is served here,
 * relayed to the owner, or refused. The command is held meanwhile: encoders answer a refusal by a
 * growing pause. Immutable; {@link #on} returns the next state. All times are node time.
 *
 * @param startedAtMs when the encoder published, or lost the relay
 * @param asked the owner that was asked last, null before the first
 * @param here whether the node that was asked is this one
 * @param reply what it said, null while no reply is there
 * @param lookAtMs when to read the row again, while {@code state} is waiting
 * @param wantedEpoch epoch of a row that had this node in {@code wanted_by}, else -1
 * @param rereads times that a node said it is not the owner
 */
public record PublishAttempt(
        State state,
        long startedAtMs,
        @Nullable NodeRef asked,
        boolean here,
        @Nullable Reply reply,
        long lookAtMs,
        long wantedEpoch,
        int rereads) {
    private static final int MOST_REREADS = 3;

    /** How far the attempt is. */
    public enum State {
        /** Waits for the owner row. */
        READING,
        /** Waits for the verdict about a claim. */
        CLAIMING,
        /** Waits for the reply of the owner, another node or this one. */
        ASKING,
        /** Looks again soon. */
        WAITING,
        /** This node owns the stream and serves the encoder. */
        SERVED,
        /** The owner accepted; media goes there. */
        RELAYED,
        /** Over. */
        REFUSED
    }

    /** What the owner says to a relayed publish. */
    public enum Reply {
        ACCEPTED,
        /** Another encoder sends. */
        SENDING,
        NOT_OWNER,
        /** Both of its ports refuse connections: the process is over. */
        CONNECTION_REFUSED,
        TIMED_OUT
    }

    /** What this node itself has of the stream. */
    public enum Local {
        NONE,
        /** Another encoder at this door has sent a claim that is not decided. */
        CLAIMING,
        /** An {@link OwnedStream} in state owned. */
        HELD
    }

    /** Why an encoder is refused. */
    public enum Refusal {
        /** {@code NetStream.Publish.BadName}. */
        ANOTHER_SENDS,
        /**
         * {@code NetStream.Publish.Denied}: no owner was found in time, or the database is away.
         */
        UNDECIDED,
        /** {@code NetStream.Publish.Denied}: this node takes no new streams. */
        DRAINING
    }

    /** What happens to an attempt. */
    public sealed interface Message {
        /**
         * @param ownerAlive whether the owner's lease is good by the database's time
         * @param mayClaim false while this node drains
         */
        record RowRead(
                OwnerRow row, NodeRef self, Local local, boolean ownerAlive, boolean mayClaim)
                implements Message {}

        /**
         * The row cannot be read, or the outcome of a claim is unknown.
         *
         * @param lastKnown owner by the directory, null where it knows none
         */
        record DatabaseAway(@Nullable NodeRef lastKnown, NodeRef self, Local local)
                implements Message {}

        record Decided(Verdict verdict) implements Message {}

        /** {@code wanted_by} names this node in a row of this epoch. */
        record WantedStored(long epoch) implements Message {}

        record Replied(Reply reply) implements Message {}

        /** The relay ended, while the encoder is still connected here. */
        record RelayLost() implements Message {}

        record Tick() implements Message {}
    }

    /** What the node does for the encoder. */
    public sealed interface Action {
        record ReadRow() implements Action {}

        /**
         * @param connectionRefused as in {@link Takeover.Claim}
         */
        record TryClaim(long seenEpoch, boolean connectionRefused) implements Action {}

        /** Publish at the owner, as a relay. */
        record AskOwner(NodeRef owner) implements Action {}

        /** Writes {@code wanted_by} where the row has this epoch. */
        record StoreWanted(long epoch) implements Action {}

        /** Start the {@link OwnedStream} of a won claim, then as {@link ServeHere}. */
        record StartOwning(Verdict.Won won) implements Action {}

        /**
         * Hand the encoder to the {@link OwnedStream} that runs here; it replies like any owner.
         */
        record ServeHere() implements Action {}

        record Refuse(Refusal reason) implements Action {}
    }

    public static Step<PublishAttempt, Action> begin(long nowMs) {
        return Step.of(
                new PublishAttempt(State.READING, nowMs, null, false, null, nowMs, -1, 0),
                new Action.ReadRow());
    }

    public boolean decided() {
        return state == State.SERVED || state == State.RELAYED || state == State.REFUSED;
    }

    public Step<PublishAttempt, Action> on(Message message, long nowMs, OwnershipTimes times) {
        return switch (message) {
            case Message.RowRead read when state == State.READING -> rowRead(read, nowMs, times);
            case Message.DatabaseAway away when state == State.READING || state == State.CLAIMING ->
                    databaseAway(away, nowMs, times);
            case Message.Decided(Verdict verdict) when state == State.CLAIMING ->
                    verdict(verdict, nowMs, times);
            case Message.Replied replied when state == State.ASKING ->
                    replied(replied, nowMs, times);
            case Message.RelayLost() when state == State.RELAYED -> begin(nowMs);
            case Message.WantedStored(long epoch) when state == State.WAITING ->
                    Step.of(seenWanted(epoch));
            case Message.Tick() when state == State.WAITING && nowMs >= lookAtMs ->
                    Step.of(with(State.READING), new Action.ReadRow());
            // Late replies to a question that is no longer open.
            default -> Step.of(this);
        };
    }

    private Step<PublishAttempt, Action> rowRead(
            Message.RowRead read, long nowMs, OwnershipTimes times) {
        OwnerRow row = read.row();
        NodeRef owner = row.owner();
        if (read.local() == Local.CLAIMING) {
            return lookAgain(nowMs, times);
        }
        if (read.local() == Local.HELD && read.self().equals(owner)) {
            return serveHere(read.self());
        }
        if (owner == null || owner.id().equals(read.self().id())) {
            return claim(read, /* connectionRefused= */ false, nowMs, times);
        }
        boolean wasAsked = owner.equals(asked) && reply != null;
        if (wasAsked && reply == Reply.CONNECTION_REFUSED) {
            return claim(read, /* connectionRefused= */ true, nowMs, times);
        }
        if (!read.ownerAlive()) {
            return wasAsked
                    ? claim(read, /* connectionRefused= */ false, nowMs, times)
                    : ask(owner);
        }
        if (wasAsked && reply == Reply.TIMED_OUT) {
            return unreachable(row, read.self(), nowMs, times);
        }
        return ask(owner);
    }

    /** The owner lives by its lease, but not for this node: it reads {@code wanted_by}. */
    private Step<PublishAttempt, Action> unreachable(
            OwnerRow row, NodeRef self, long nowMs, OwnershipTimes times) {
        if (self.id().equals(row.wantedBy())) {
            return seenWanted(row.epoch()).lookAgain(nowMs, times);
        }
        if (wantedEpoch == row.epoch() && row.wantedBy() == null) {
            return refuse(Refusal.ANOTHER_SENDS);
        }
        Step<PublishAttempt, Action> waiting = lookAgain(nowMs, times);
        return waiting.state().state == State.WAITING
                ? Step.of(waiting.state(), new Action.StoreWanted(row.epoch()))
                : waiting;
    }

    private Step<PublishAttempt, Action> databaseAway(
            Message.DatabaseAway away, long nowMs, OwnershipTimes times) {
        NodeRef owner = away.lastKnown();
        if (away.local() == Local.HELD) {
            return serveHere(away.self());
        }
        boolean askedBefore = owner != null && owner.equals(asked);
        if (owner != null && !askedBefore && !owner.id().equals(away.self().id())) {
            return ask(owner);
        }
        return lookAgain(nowMs, times);
    }

    private Step<PublishAttempt, Action> verdict(
            Verdict verdict, long nowMs, OwnershipTimes times) {
        return switch (verdict) {
            case Verdict.Won won ->
                    Step.of(
                            asking(Objects.requireNonNull(won.row().owner()), /* isHere= */ true),
                            new Action.StartOwning(won));
            case Verdict.Alive(NodeRef owner) ->
                    owner.equals(asked) ? lookAgain(nowMs, times) : ask(owner);
            case Verdict.Lost() -> lookAgain(nowMs, times);
            case Verdict.Unproven _ -> lookAgain(nowMs, times);
        };
    }

    private Step<PublishAttempt, Action> replied(
            Message.Replied message, long nowMs, OwnershipTimes times) {
        Reply value = message.reply();
        PublishAttempt next =
                new PublishAttempt(
                        state, startedAtMs, asked, here, value, lookAtMs, wantedEpoch, rereads);
        return switch (value) {
            case ACCEPTED -> Step.of(next.with(next.accepted()));
            case SENDING -> next.refuse(Refusal.ANOTHER_SENDS);
            case NOT_OWNER ->
                    rereads >= MOST_REREADS
                            ? next.lookAgain(nowMs, times)
                            : Step.of(next.reread(), new Action.ReadRow());
            case CONNECTION_REFUSED -> Step.of(next.with(State.READING), new Action.ReadRow());
            case TIMED_OUT -> Step.of(next.with(State.READING), new Action.ReadRow());
        };
    }

    private State accepted() {
        return here ? State.SERVED : State.RELAYED;
    }

    private Step<PublishAttempt, Action> claim(
            Message.RowRead read, boolean connectionRefused, long nowMs, OwnershipTimes times) {
        if (read.local() == Local.HELD) {
            // In an epoch that is over. The next heartbeat drops it and cuts its publisher, which
            // would otherwise send into nothing once another publisher owns the stream here.
            return lookAgain(nowMs, times);
        }
        return read.mayClaim()
                ? Step.of(
                        with(State.CLAIMING),
                        new Action.TryClaim(read.row().epoch(), connectionRefused))
                : refuse(Refusal.DRAINING);
    }

    private Step<PublishAttempt, Action> ask(NodeRef owner) {
        return Step.of(asking(owner, /* isHere= */ false), new Action.AskOwner(owner));
    }

    private Step<PublishAttempt, Action> serveHere(NodeRef self) {
        return Step.of(asking(self, /* isHere= */ true), new Action.ServeHere());
    }

    private PublishAttempt asking(NodeRef node, boolean isHere) {
        return new PublishAttempt(
                State.ASKING, startedAtMs, node, isHere, null, lookAtMs, wantedEpoch, rereads);
    }

    private Step<PublishAttempt, Action> lookAgain(long nowMs, OwnershipTimes times) {
        if (nowMs - startedAtMs >= times.holdMs()) {
            return refuse(Refusal.UNDECIDED);
        }
        return Step.of(
                new PublishAttempt(
                        State.WAITING,
                        startedAtMs,
                        asked,
                        here,
                        reply,
                        nowMs + times.lookMs(),
                        wantedEpoch,
                        rereads));
    }

    private Step<PublishAttempt, Action> refuse(Refusal reason) {
        return Step.of(with(State.REFUSED), new Action.Refuse(reason));
    }

    private PublishAttempt reread() {
        return new PublishAttempt(
                State.READING, startedAtMs, asked, here, reply, lookAtMs, wantedEpoch, rereads + 1);
    }

    private PublishAttempt seenWanted(long epoch) {
        return new PublishAttempt(state, startedAtMs, asked, here, reply, lookAtMs, epoch, rereads);
    }

    private PublishAttempt with(State next) {
        return new PublishAttempt(
                next, startedAtMs, asked, here, reply, lookAtMs, wantedEpoch, rereads);
    }
}
