package touchline.api.cluster;

import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.access.RecentMap;
import touchline.api.cluster.ownership.NodeRef;
import touchline.api.cluster.ownership.OwnerRow;
import touchline.api.cluster.ownership.PublishAttempt;
import touchline.api.cluster.ownership.ResumeRecord;
import touchline.api.cluster.ownership.Takeover.Verdict;
import touchline.api.db.ActiveStream;
import touchline.api.db.DatabaseException;
import touchline.api.db.Epoch;
import touchline.api.db.StreamOwnerRepository;
import touchline.api.db.StreamOwnerRepository.Claimed;
import touchline.api.db.StreamOwnerRepository.Decided;
import touchline.api.db.StreamOwnerRepository.Former;
import touchline.api.domain.SuspendedSession;
import touchline.api.session.Resumption;
import touchline.media.SessionId;
import touchline.media.StreamId;

/** Takes streams for this node, one claim of a stream at a time. Calls block; any thread. */
final class StreamClaims implements PublishDoor.House {
    private static final Logger log = LoggerFactory.getLogger(StreamClaims.class);

    private static final int MAX_OWNERS = 4_096;

    private final Membership membership;
    private final StreamOwnerRepository owners;
    private final StreamOwnership.Sessions sessions;
    private final StreamOwnership.Relays relays;
    private final OwnedStreams streams;
    private final ConcurrentHashMap<StreamId, Resumption> resumptions = new ConcurrentHashMap<>();

    private final ActiveStreams active;

    /** Owners that were read for publishers here lately, for the time without the database. */
    private final RecentMap<StreamId, OwnerRow.Activity> lastOwners = new RecentMap<>(MAX_OWNERS);

    StreamClaims(
            Membership membership,
            StreamOwnership.Dependencies dependencies,
            OwnedStreams streams) {
        this.membership = membership;
        this.owners = dependencies.owners();
        this.sessions = dependencies.sessions();
        this.relays = dependencies.relays();
        this.active = dependencies.active();
        this.streams = streams;
    }

    @Override
    public Membership membership() {
        return membership;
    }

    @Override
    public Optional<InetSocketAddress> address(NodeRef owner) {
        return relays.address(owner);
    }

    @Override
    public boolean refuses(NodeRef owner) {
        return relays.refuses(owner);
    }

    /** A publisher that another node relays is served here, if the stream is this node's. */
    boolean isServedHere(StreamId stream) {
        return local(stream) == PublishAttempt.Local.HELD && admit(stream);
    }

    @Override
    public PublishAttempt.Message read(StreamId stream) {
        PublishAttempt.Local local = local(stream);
        if (membership.standing().failing()) {
            // A publisher of a running session does not wait for the database.
            return away(stream);
        }
        try {
            StreamOwnerRepository.Seen seen = owners.find(stream);
            remember(stream, seen);
            return new PublishAttempt.Message.RowRead(
                    seen.row(),
                    membership.self(),
                    local,
                    seen.ownerAlive(),
                    !membership.draining());
        } catch (DatabaseException _) {
            return away(stream);
        }
    }

    private void remember(StreamId stream, StreamOwnerRepository.Seen seen) {
        NodeRef owner = seen.row().owner();
        if (owner != null && seen.ownerAlive()) {
            lastOwners.put(stream, new OwnerRow.Activity(owner, seen.row().epoch()));
        }
    }

    private PublishAttempt.Message away(StreamId stream) {
        return new PublishAttempt.Message.DatabaseAway(
                lastOwner(stream), membership.self(), local(stream));
    }

    /** By what a publisher here has found out, or all nodes know: the newer one counts. */
    private @Nullable NodeRef lastOwner(StreamId stream) {
        OwnerRow.Activity found = lastOwners.get(stream);
        ActiveStream known = active.find(stream).orElse(null);
        if (known == null) {
            return found == null ? null : found.owner();
        }
        return found == null || known.epoch() >= found.epoch() ? known.owner() : found.owner();
    }

    private PublishAttempt.Local local(StreamId stream) {
        Optional<HeldStream> mine = streams.find(stream);
        if (mine.isEmpty()) {
            return streams.isClaiming(stream) || streams.isBusy(stream)
                    ? PublishAttempt.Local.CLAIMING
                    : PublishAttempt.Local.NONE;
        }
        return mine.get().isOwned() && !streams.use().isEnding(stream)
                ? PublishAttempt.Local.HELD
                : PublishAttempt.Local.CLAIMING;
    }

    @Override
    public PublishAttempt.Message claim(StreamId stream, PublishAttempt.Action.TryClaim claim) {
        try {
            return new PublishAttempt.Message.Decided(
                    take(stream, claim.seenEpoch(), claim.connectionRefused()));
        } catch (DatabaseException e) {
            log.warn("stream={} is not taken: {}", stream, e.getMessage());
            return away(stream);
        }
    }

    /** Takes a stream, if its row and the leases of the nodes allow it. */
    Verdict take(StreamId stream, long seenEpoch, boolean connectionRefused) {
        if (!streams.beginClaim(stream)) {
            return new Verdict.Lost();
        }
        try {
            Decided decided =
                    owners.claim(
                            new StreamOwnerRepository.Try(
                                    stream,
                                    seenEpoch,
                                    membership.standing().failing(),
                                    connectionRefused),
                            /* hasWindow= */ false,
                            claimed -> handOver(stream, claimed));
            decided.claimed().ifPresent(claimed -> hold(stream, claimed));
            return decided.verdict();
        } finally {
            streams.endClaim(stream);
        }
    }

    private static Epoch epoch(StreamId stream, Claimed claimed) {
        return new Epoch(stream, claimed.won().row().epoch());
    }

    /** In the transaction of the claim. */
    private void handOver(StreamId stream, Claimed claimed) {
        Optional<Former> former = claimed.former();
        if (former.filter(Former::goesOn).isPresent()) {
            Former before = former.get();
            sessions.takeOver(
                    epoch(stream, claimed),
                    Objects.requireNonNull(before.session()),
                    before.connected(),
                    Instant.ofEpochMilli(before.disconnectedAtMs()));
        } else {
            sessions.closeAbandoned(stream, former.filter(Former::connected).isPresent());
        }
    }

    private void hold(StreamId stream, Claimed claimed) {
        Epoch epoch = epoch(stream, claimed);
        Optional<Former> goesOn = claimed.former().filter(Former::goesOn);
        goesOn.flatMap(former -> resumption(claimed, former))
                .ifPresentOrElse(
                        each -> resumptions.put(stream, each), () -> resumptions.remove(stream));
        streams.add(new HeldStream(epoch, claimed, streams));
        log.info(
                "stream={} is of node {} now (epoch {}{})",
                stream,
                membership.self().id(),
                epoch.number(),
                goesOn.map(each -> ", goes on with session " + each.session()).orElse(""));
    }

    private static Optional<Resumption> resumption(Claimed claimed, Former former) {
        SessionId session = former.session();
        ResumeRecord record = former.resume();
        return session == null || record == null
                ? Optional.empty()
                : Optional.of(
                        new Resumption(
                                session,
                                record,
                                claimed.won().firstNumber(),
                                claimed.firstInit(),
                                Instant.ofEpochMilli(former.disconnectedAtMs()),
                                Instant.ofEpochMilli(former.untilMs())));
    }

    @Override
    public boolean want(StreamId stream, long epoch) {
        try {
            return owners.want(stream, epoch);
        } catch (DatabaseException e) {
            log.debug("stream={} is not asked for", stream, e);
            return false;
        }
    }

    @Override
    public boolean admit(StreamId stream) {
        return streams.find(stream).filter(HeldStream::admit).isPresent();
    }

    /** The session that the next publisher of a stream goes on with, once. */
    Optional<Resumption> resumption(StreamId stream) {
        return Optional.ofNullable(resumptions.remove(stream));
    }

    /** Takes the stream of a session that the last stop of this node has left open. */
    boolean isTakenAgain(SuspendedSession each) {
        StreamId stream = each.session().stream();
        SessionId session = each.session().id();
        OwnerRow row = owners.find(stream).row();
        if (row.owner() != null || !session.value().equals(row.sessionId())) {
            return false;
        }
        try {
            Optional<Claimed> claimed =
                    owners.claim(
                                    new StreamOwnerRepository.Try(
                                            stream, row.epoch(), false, false),
                                    /* hasWindow= */ true,
                                    StreamClaims::requireGoesOn)
                            .claimed();
            claimed.ifPresent(it -> hold(stream, it));
            resumptions.remove(stream);
            return claimed.isPresent();
        } catch (WindowOverException e) {
            log.info("session={} is not continued: {}", session, e.getMessage());
            return false;
        }
    }

    /** Rolls the claim back: the next claim, or a janitor, ends the session. */
    private static void requireGoesOn(Claimed claimed) {
        if (claimed.former().filter(Former::goesOn).isEmpty()) {
            throw new WindowOverException();
        }
    }

    private static final class WindowOverException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        WindowOverException() {
            super("its reconnect window is over");
        }
    }
}
