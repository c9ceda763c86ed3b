package touchline.api.cluster;

import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.cluster.ownership.NodeRef;
import touchline.api.cluster.ownership.NodeStanding;
import touchline.api.cluster.ownership.ResumeRecord;
import touchline.api.cluster.ownership.Takeover.Verdict;
import touchline.api.db.DatabaseException;
import touchline.api.db.Epoch;
import touchline.api.db.Release;
import touchline.api.db.StreamOwnerRepository;
import touchline.api.domain.PublishTerms;
import touchline.api.domain.SuspendedSession;
import touchline.api.session.Admission;
import touchline.api.session.ReservedNumbers;
import touchline.api.session.Resumption;
import touchline.api.session.StreamAdmission;
import touchline.api.session.StreamUse;
import touchline.ingest.RelayKey;
import touchline.media.SessionId;
import touchline.media.StreamId;

/**
 * The streams of this node, for its sessions. It takes one when a publisher arrives, and gives it
 * back when its session has ended, when another node has its encoder at the door, or when it
 * drains. The rules are in {@code ownership}: {@link PublishDoor} decides about publishers, {@link
 * HeldStream} is an owner. Any thread.
 */
public final class StreamOwnership implements StreamAdmission {
    private static final Logger log = LoggerFactory.getLogger(StreamOwnership.class);

    private final Membership membership;
    private final Dependencies dependencies;
    private final OwnedStreams streams;
    private final StreamClaims claims;

    /** How publishers are relayed to other nodes. */
    public interface Relays {
        /** Where an owner accepts them; empty where that is not known. */
        Optional<InetSocketAddress> address(NodeRef owner);

        /** See {@link Peers#refuses}. */
        boolean refuses(NodeRef owner);

        /** With what nodes know each other; empty: nothing is relayed. */
        Optional<RelayKey> key();
    }

    /** What happens in the database to a session whose owner has ended. Blocks. */
    public interface Sessions {
        /** See {@code SessionHandover.closeAbandoned}. */
        void closeAbandoned(StreamId stream, boolean connected);

        /** See {@code SessionHandover.takeOver}. */
        void takeOver(Epoch epoch, SessionId session, boolean connected, Instant at);
    }

    /**
     * Borrowed.
     *
     * @param isOrigin whether this node accepts encoders
     * @param relays to other nodes
     * @param active streams of all nodes, for the time without the database
     * @param executor a virtual thread for each call
     */
    public record Dependencies(
            StreamOwnerRepository owners,
            Sessions sessions,
            boolean isOrigin,
            Relays relays,
            ActiveStreams active,
            Executor executor) {}

    public StreamOwnership(Membership membership, Dependencies dependencies) {
        this.membership = membership;
        this.dependencies = dependencies;
        this.streams = new OwnedStreams(membership, dependencies.owners(), dependencies.executor());
        this.claims = new StreamClaims(membership, dependencies, streams);
    }

    /** Called once, before the first publisher is admitted. */
    public void watch(StreamUse use) {
        streams.watch(use);
    }

    /** Streams of this node now. */
    public int count() {
        return streams.count();
    }

    @Override
    public Admission admit(StreamId stream) {
        if (!dependencies.isOrigin()) {
            return new Admission.Refused(
                    "node " + membership.self().id() + " accepts no encoders (cluster.roles)");
        }
        return PublishDoor.open(stream, claims);
    }

    @Override
    public Admission admitRelayed(StreamId stream) {
        return claims.isServedHere(stream) ? Admission.HERE : new Admission.NotOwner();
    }

    @Override
    public DatabaseState database() {
        NodeStanding now = membership.standing();
        return switch (now.mode()) {
            case HOLDING, FENCED -> DatabaseState.MISSED;
            case NORMAL, OUTAGE -> now.failing() ? DatabaseState.AWAY : DatabaseState.ANSWERS;
        };
    }

    @Override
    public Optional<PublishTerms> activeKey(String streamKey) {
        return dependencies.active().find(streamKey);
    }

    @Override
    public Optional<RelayKey> relayKey() {
        return dependencies.relays().key();
    }

    @Override
    public Epoch epoch(StreamId stream) {
        return streams.find(stream).map(HeldStream::epoch).orElseGet(() -> Epoch.lost(stream));
    }

    @Override
    public Optional<Resumption> resumption(StreamId stream) {
        return claims.resumption(stream);
    }

    @Override
    public void resumable(StreamId stream, SessionId session, ResumeRecord record) {
        streams.find(stream).ifPresent(each -> each.resumable(record));
    }

    @Override
    public Optional<ReservedNumbers> numbers(StreamId stream, SessionId session) {
        return Optional.of(
                streams.find(stream)
                        .orElseThrow(
                                () ->
                                        new IllegalStateException(
                                                "stream "
                                                        + stream
                                                        + " is not of this node any more")));
    }

    @Override
    public Optional<Release> release(StreamId stream) {
        return streams.find(stream).map(HeldStream::release);
    }

    @Override
    public void closed(Epoch epoch) {
        Optional<HeldStream> mine =
                streams.find(epoch.stream()).filter(each -> each.epoch().equals(epoch));
        if (mine.isEmpty() || !streams.forget(mine.get())) {
            return;
        }
        streams.settled(mine.get());
        if (streams.use().isOpen(epoch.stream()) && !membership.draining()) {
            // An overlay stays connected: the next session of the stream begins here.
            dependencies.executor().execute(() -> takeAgain(epoch));
        }
    }

    private void takeAgain(Epoch before) {
        StreamId stream = before.stream();
        try {
            if (claims.take(stream, before.number(), false) instanceof Verdict.Won) {
                return;
            }
        } catch (DatabaseException e) {
            log.warn("stream={} is not taken again: {}", stream, e.getMessage());
        }
        if (streams.find(stream).isEmpty()) {
            streams.use().drop(stream);
        }
    }

    /**
     * Takes the streams of sessions that the last stop of this node has left open.
     *
     * @return those that no other node has gone on with meanwhile
     */
    public List<SuspendedSession> resumed(List<SuspendedSession> suspended) {
        return suspended.stream().filter(claims::isTakenAgain).toList();
    }

    /** Gives back what this node works with no more. Called when all sessions have ended. */
    public void releaseAll() {
        for (HeldStream each : streams.all()) {
            boolean _ = dependencies.owners().end(each.epoch(), each.release().newest());
            boolean _ = streams.forget(each);
        }
    }
}
