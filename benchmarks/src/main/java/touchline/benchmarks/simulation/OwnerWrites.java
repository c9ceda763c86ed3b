package touchline.benchmarks.simulation;

import touchline.api.cluster.ownership.NodeRef;
import touchline.api.cluster.ownership.OwnedStream.Action;
import touchline.api.cluster.ownership.OwnerRow;

/** The transaction of each action of an owner. Stateless. */
final class OwnerWrites {
    private OwnerWrites() {}

    static OwnerRow apply(SimulatedDatabase database, NodeRef node, String stream, Action action) {
        return switch (action) {
            case Action.RaiseFloor raise -> database.raise(node, stream, raise);
            case Action.StorePublishing(long epoch) ->
                    database.write(node, stream, epoch, "publishing", OwnerRow::publishing);
            case Action.StoreInterrupted(long epoch, long resumableMs) ->
                    database.write(
                            node,
                            stream,
                            epoch,
                            "interrupted",
                            row -> row.interrupted(database.nowMs() + resumableMs));
            case Action.Release(long epoch, long newest, long resumableMs) ->
                    database.write(
                            node,
                            stream,
                            epoch,
                            "release",
                            row -> row.released(newest, database.nowMs() + resumableMs));
            case Action.EndSession end -> database.end(node, stream, end);
            case Action.AnswerSending(long epoch) ->
                    database.write(node, stream, epoch, "sending", row -> row.wanted(null));
            case Action.AcceptPublisher _,
                    Action.RefusePublisher _,
                    Action.CutPublisher _,
                    Action.DropSession _ ->
                    throw new IllegalArgumentException("no write: " + action);
        };
    }
}
