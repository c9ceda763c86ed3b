package touchline.api.cluster;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.cluster.ownership.NodeRef;
import touchline.api.cluster.ownership.NodeStanding;
import touchline.api.cluster.ownership.OwnedStream;
import touchline.api.cluster.ownership.OwnedStream.Action;
import touchline.api.cluster.ownership.OwnedStream.Message;
import touchline.api.cluster.ownership.OwnerRow;
import touchline.api.cluster.ownership.OwnershipTimes;
import touchline.api.db.DatabaseException;
import touchline.api.db.FencedException;
import touchline.api.db.NodeExchange.Owned;
import touchline.api.db.StreamOwnerRepository;
import touchline.api.session.StreamUse;
import touchline.media.StreamId;

/**
 * The streams that this node owns: what they send and learn with each heartbeat, and what follows
 * from that. Any thread; nothing waits, writes have threads of their own.
 */
final class OwnedStreams implements Membership.Streams, HeldStream.Environment {
    private static final Logger log = LoggerFactory.getLogger(OwnedStreams.class);

    /** An admitted publisher connects and sends its first media within this time. */
    private static final long KEPT_MS = 15_000;

    private final Membership membership;
    private final StreamOwnerRepository owners;
    private final Executor executor;
    private final ConcurrentHashMap<StreamId, HeldStream> held = new ConcurrentHashMap<>();

    /** Claims whose outcome is not known yet. */
    private final Set<StreamId> claiming = ConcurrentHashMap.newKeySet();

    /** Streams whose floor is being stored now. */
    private final Set<StreamId> raising = ConcurrentHashMap.newKeySet();

    private volatile @Nullable StreamUse use;

    /**
     * @param executor a virtual thread for each call
     */
    OwnedStreams(Membership membership, StreamOwnerRepository owners, Executor executor) {
        this.membership = membership;
        this.owners = owners;
        this.executor = executor;
    }

    /** Called once, before the first publisher is admitted. */
    void watch(StreamUse streams) {
        use = streams;
        membership.carry(this);
    }

    StreamUse use() {
        return Objects.requireNonNull(use, "streams are not watched yet");
    }

    /** Whether anything of a stream runs here, or the database lacks its end. */
    boolean isBusy(StreamId stream) {
        return use().isOpen(stream) || use().isEnding(stream);
    }

    Optional<HeldStream> find(StreamId stream) {
        return Optional.ofNullable(held.get(stream));
    }

    Collection<HeldStream> all() {
        return List.copyOf(held.values());
    }

    int count() {
        return held.size();
    }

    void add(HeldStream claimed) {
        held.put(claimed.epoch().stream(), claimed);
    }

    /** This node owns it no more. False where it did not. */
    boolean forget(HeldStream mine) {
        boolean removed = held.remove(mine.epoch().stream(), mine);
        if (removed) {
            // What it still wants to publish is discarded.
            List<Action> _ = mine.on(new Message.Fenced());
        }
        return removed;
    }

    /** Begins a claim; false while another one is on its way. */
    boolean beginClaim(StreamId stream) {
        return claiming.add(stream);
    }

    void endClaim(StreamId stream) {
        claiming.remove(stream);
    }

    boolean isClaiming(StreamId stream) {
        return claiming.contains(stream);
    }

    // ---- heartbeats

    @Override
    public List<Owned> due() {
        List<Owned> all = new ArrayList<>();
        for (HeldStream each : held.values()) {
            observe(each);
            long floor = 0;
            for (Action action : each.on(new Message.HeartbeatDue())) {
                if (action instanceof Action.RaiseFloor(_, long atLeast)) {
                    floor = atLeast;
                } else {
                    perform(each, action);
                }
            }
            all.add(each.due(floor));
        }
        return all;
    }

    /** What the hub knows of publishers since the last heartbeat. */
    private void observe(HeldStream mine) {
        StreamId stream = mine.epoch().stream();
        OwnedStream state = mine.read();
        boolean present = state.publisher() != null;
        String publisher = present ? Objects.requireNonNull(state.publisher()) : "publisher";
        if (use().isSending(stream)) {
            if (!present) {
                List<Action> _ = mine.on(new Message.PublisherArrived(publisher));
            }
            List<Action> _ = mine.on(new Message.MediaArrived());
        } else if (present && !use().isOpen(stream) && mine.sinceAdmittedMs() > KEPT_MS) {
            List<Action> _ = mine.on(new Message.PublisherLeft(publisher));
        }
    }

    @Override
    public void read(List<Owned> sent, List<OwnerRow> rows, Set<String> gone, boolean draining) {
        NodeRef self = membership.self();
        Map<String, Owned> stored = new HashMap<>();
        sent.forEach(each -> stored.put(each.epoch().stream().value(), each));
        for (OwnerRow row : rows) {
            HeldStream mine = held.get(new StreamId(row.streamId()));
            if (mine != null) {
                Owned each = stored.get(row.streamId());
                if (each != null && row.heldBy(self, each.epoch().number())) {
                    mine.stored(each);
                }
                if (!isBeingEnded(mine, row)) {
                    performAll(mine, mine.on(new Message.RowRead(row, self)));
                }
            } else if (self.equals(row.owner())) {
                releaseUnheld(row);
            }
        }
        for (HeldStream each : held.values()) {
            if (gone.contains(each.epoch().stream().value())) {
                boolean _ = forget(each);
            } else if (draining) {
                performAll(each, each.on(new Message.Drain()));
            }
        }
    }

    /** The session's end has given the row back, and reports that next. */
    private boolean isBeingEnded(HeldStream mine, OwnerRow row) {
        return row.owner() == null
                && row.epoch() == mine.epoch().number()
                && use().isEnding(mine.epoch().stream());
    }

    /** A claim whose answer was lost. */
    private void releaseUnheld(OwnerRow row) {
        StreamId stream = new StreamId(row.streamId());
        if (claiming.contains(stream) || isBusy(stream)) {
            return;
        }
        write(stream, "release", () -> owners.releaseUnheld(row));
    }

    private void performAll(HeldStream mine, List<Action> actions) {
        actions.forEach(each -> perform(mine, each));
    }

    /** Does not wait. Phases are stored by sessions, with the events that belong to them. */
    private void perform(HeldStream mine, Action action) {
        StreamId stream = mine.epoch().stream();
        switch (action) {
            case Action.AcceptPublisher _,
                    Action.RefusePublisher _,
                    Action.CutPublisher _,
                    Action.StorePublishing _,
                    Action.StoreInterrupted _,
                    Action.RaiseFloor _ -> {}
            case Action.AnswerSending _ -> write(stream, "answer", () -> owners.keep(mine.epoch()));
            case Action.Release _ -> leave(mine, () -> use().release(stream));
            case Action.EndSession _ -> leave(mine, () -> use().end(stream));
            case Action.DropSession() -> {
                log.warn("stream={} is not of this node any more: it is dropped", stream);
                boolean _ = forget(mine);
                executor.execute(() -> use().drop(stream));
            }
        }
    }

    /** The session's end gives the stream back; without one it is given back here. */
    private void leave(HeldStream mine, Runnable end) {
        StreamId stream = mine.epoch().stream();
        write(
                stream,
                "release",
                () -> {
                    if (isBusy(stream)) {
                        end.run();
                    } else if (owners.end(mine.epoch(), mine.release().newest())) {
                        boolean _ = forget(mine);
                    }
                });
    }

    void write(StreamId stream, String what, Runnable work) {
        executor.execute(
                () -> {
                    try {
                        work.run();
                    } catch (DatabaseException | FencedException e) {
                        // The next heartbeat does it again, if it still has to be done.
                        log.debug("stream={} {} is not stored", stream, what, e);
                    }
                });
    }

    // ---- for held streams

    @Override
    public OwnershipTimes times() {
        return membership.times();
    }

    @Override
    public long nowMs() {
        return membership.nowMs();
    }

    @Override
    public NodeStanding standing() {
        return membership.standing();
    }

    @Override
    public void raiseNow(HeldStream stream) {
        StreamId id = stream.epoch().stream();
        if (!membership.standing().mayPublish()
                || membership.standing().failing()
                || !raising.add(id)) {
            return;
        }
        write(
                id,
                "floor",
                () -> {
                    try {
                        Owned blocked = stream.blocked();
                        if (owners.raise(blocked)) {
                            stream.stored(blocked);
                        }
                    } finally {
                        raising.remove(id);
                    }
                });
    }

    @Override
    public void settled(HeldStream stream) {
        OptionalLong next = stream.settled();
        if (next.isPresent() && stream.read().state() == OwnedStream.State.DROPPED) {
            write(
                    stream.epoch().stream(),
                    "numbers",
                    () -> owners.settle(stream.epoch(), next.getAsLong() - 1));
        }
    }
}
