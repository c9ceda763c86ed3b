package touchline.api.session;

import java.util.Optional;
import touchline.api.cluster.ownership.ResumeRecord;
import touchline.api.db.Epoch;
import touchline.api.db.Release;
import touchline.api.domain.PublishTerms;
import touchline.ingest.RelayKey;
import touchline.media.SessionId;
import touchline.media.StreamId;

/** Port: whether this server may work with a stream, and under which epoch. Any thread. */
public interface StreamAdmission {
    /** Of the only server of a database: it may work with every stream. */
    StreamAdmission ALONE =
            new StreamAdmission() {
                @Override
                public Admission admit(StreamId stream) {
                    return Admission.HERE;
                }

                @Override
                public Epoch epoch(StreamId stream) {
                    return Epoch.ALONE;
                }
            };

    /**
     * Decides where a publisher at the door goes. Takes the stream for it if no other node has it.
     * May block for some seconds.
     */
    Admission admit(StreamId stream);

    /**
     * The same for a publisher that another node relays: it is served here, or that node looks for
     * the owner again.
     */
    default Admission admitRelayed(StreamId stream) {
        return admit(stream);
    }

    /**
     * What this server knows of its database without asking it. Does not block.
     *
     * @see DatabaseState
     */
    default DatabaseState database() {
        return DatabaseState.ANSWERS;
    }

    /** The state of the database, as far as it is known. */
    enum DatabaseState {
        /** It has answered lately, or it is not known that it has not. */
        ANSWERS,
        /** It does not answer now, and nothing has changed that this server has not received. */
        AWAY,
        /** It may have changed without this server. */
        MISSED
    }

    /**
     * What a push key of a stream publishes that is active at any node, from memory. For the time
     * in which the database does not answer. Does not block.
     */
    default Optional<PublishTerms> activeKey(String streamKey) {
        return Optional.empty();
    }

    /** With what the nodes of a cluster know each other's relays; empty without a cluster. */
    default Optional<RelayKey> relayKey() {
        return Optional.empty();
    }

    /** The token for writes of the stream's session. Does not block. */
    Epoch epoch(StreamId stream);

    /**
     * The session that the next publisher of a stream goes on with, once: the next call is empty.
     * Called after {@link #admit} has let a publisher in, and before it publishes. Does not block.
     */
    default Optional<Resumption> resumption(StreamId stream) {
        return Optional.empty();
    }

    /**
     * Receives what another server needs to go on with a session: with its first sealed segment,
     * then with each report, and when a stop of this server leaves it open. The newest counts. Does
     * not block.
     */
    default void resumable(StreamId stream, SessionId session, ResumeRecord record) {}

    /**
     * The numbers for a session that begins or resumes now; empty where the database reserves them
     * in blocks. May block.
     */
    default Optional<ReservedNumbers> numbers(StreamId stream, SessionId session) {
        return Optional.empty();
    }

    /** What goes to the successor with a stream that is given up now; empty without a cluster. */
    default Optional<Release> release(StreamId stream) {
        return Optional.empty();
    }

    /** The database has stored that the session of an epoch has ended, or was left open. */
    default void closed(Epoch epoch) {}
}
