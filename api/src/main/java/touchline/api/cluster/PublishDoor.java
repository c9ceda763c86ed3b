package touchline.api.cluster;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import touchline.api.cluster.ownership.NodeRef;
import touchline.api.cluster.ownership.PublishAttempt;
import touchline.api.cluster.ownership.PublishAttempt.Action;
import touchline.api.cluster.ownership.PublishAttempt.Message;
import touchline.api.cluster.ownership.PublishAttempt.Reply;
import touchline.api.cluster.ownership.Step;
import touchline.api.cluster.ownership.Takeover.Verdict;
import touchline.api.session.Admission;
import touchline.media.StreamId;

/**
 * One publisher at the door of this node: runs {@link PublishAttempt} until it is served here,
 * refused, or to be relayed. One thread at a time, which waits.
 */
final class PublishDoor {
    private final StreamId stream;
    private final House house;
    private PublishAttempt attempt;

    /** What the door asks of the node. Calls block. */
    interface House {
        Membership membership();

        /** The row, or that the database is away. */
        Message read(StreamId stream);

        /** What became of a claim, or that the database is away. */
        Message claim(StreamId stream, Action.TryClaim claim);

        /** Asks the owner for the stream; false where that is not stored. */
        boolean want(StreamId stream, long epoch);

        /** Whether the stream's session here takes the publisher. */
        boolean admit(StreamId stream);

        /** Where publishers can be relayed to a node; empty where that is not known. */
        Optional<InetSocketAddress> address(NodeRef owner);

        /** Whether the port for nodes of an owner refuses connections, too. */
        boolean refuses(NodeRef owner);
    }

    private PublishDoor(StreamId stream, House house, PublishAttempt attempt) {
        this.stream = stream;
        this.house = house;
        this.attempt = attempt;
    }

    static Admission open(StreamId stream, House house) {
        Step<PublishAttempt, Action> begun = PublishAttempt.begin(house.membership().nowMs());
        return new PublishDoor(stream, house, begun.state()).run(begun);
    }

    /** The relay says what its owner has said. */
    private Admission relayed(Reply said) {
        NodeRef owner = attempt.asked();
        // One of its two ports alone proves nothing.
        boolean isAlive =
                said == Reply.CONNECTION_REFUSED && owner != null && !house.refuses(owner);
        Reply reply = isAlive ? Reply.TIMED_OUT : said;
        Step<PublishAttempt, Action> step = on(new Message.Replied(reply));
        return run(reply == Reply.ACCEPTED ? on(new Message.RelayLost()) : step);
    }

    private Step<PublishAttempt, Action> on(Message message) {
        Step<PublishAttempt, Action> step =
                attempt.on(message, house.membership().nowMs(), house.membership().times());
        attempt = step.state();
        return step;
    }

    private Admission run(Step<PublishAttempt, Action> first) {
        Step<PublishAttempt, Action> step = first;
        while (true) {
            Optional<Admission> decided = decided(step.actions());
            if (decided.isPresent()) {
                return decided.get();
            }
            Message answer = null;
            for (Action action : step.actions()) {
                answer = perform(action);
            }
            step = on(answer == null ? tick() : answer);
            if (attempt.state() == PublishAttempt.State.SERVED) {
                return Admission.HERE;
            }
        }
    }

    private Optional<Admission> decided(List<Action> actions) {
        for (Action action : actions) {
            if (action instanceof Action.Refuse(PublishAttempt.Refusal reason)) {
                return Optional.of(new Admission.Refused(description(reason)));
            }
            if (action instanceof Action.AskOwner(NodeRef owner)) {
                return house.address(owner)
                        .map(address -> new Admission.Relay(owner, address, this::relayed));
            }
        }
        return Optional.empty();
    }

    private String description(PublishAttempt.Refusal reason) {
        String node = "node " + house.membership().self().id();
        NodeRef owner = attempt.asked();
        return switch (reason) {
            case DRAINING -> node + " takes no further streams";
            case ANOTHER_SENDS, UNDECIDED ->
                    owner == null
                            ? node + " cannot find out which node has the stream"
                            : "the stream is live at node " + owner.id();
        };
    }

    /** Does what the attempt wants, and returns what came of it. */
    private @Nullable Message perform(Action action) {
        return switch (action) {
            case Action.ReadRow() -> house.read(stream);
            case Action.TryClaim claim -> house.claim(stream, claim);
            case Action.AskOwner _ -> new Message.Replied(Reply.TIMED_OUT);
            case Action.StoreWanted(long epoch) -> {
                yield house.want(stream, epoch) ? new Message.WantedStored(epoch) : null;
            }
            case Action.StartOwning(Verdict.Won _) -> served();
            case Action.ServeHere() -> served();
            case Action.Refuse _ -> throw new IllegalStateException("decided before");
        };
    }

    private Message served() {
        return new Message.Replied(house.admit(stream) ? Reply.ACCEPTED : Reply.NOT_OWNER);
    }

    private Message tick() {
        long leftMs = attempt.lookAtMs() - house.membership().nowMs();
        while (leftMs > 0) {
            LockSupport.parkNanos(leftMs * 1_000_000);
            leftMs = attempt.lookAtMs() - house.membership().nowMs();
        }
        return new Message.Tick();
    }
}
