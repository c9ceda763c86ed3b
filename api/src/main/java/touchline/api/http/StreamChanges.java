package touchline.api.http;

import java.util.Optional;
import touchline.api.db.Change;
import touchline.api.db.ClusterChanges;
import touchline.api.db.Database;
import touchline.api.db.StreamRepository;
import touchline.api.domain.EventType;
import touchline.api.domain.StreamDefinition;
import touchline.api.events.StreamEvents;
import touchline.media.StreamId;

/** Changes of live streams, each in one transaction with its event. Any thread. */
final class StreamChanges {
    private final Database database;
    private final StreamRepository streams;
    private final StreamEvents events;
    private final StreamActivity activity;

    StreamChanges(
            Database database,
            StreamRepository streams,
            StreamEvents events,
            StreamActivity activity) {
        this.database = database;
        this.streams = streams;
        this.events = events;
        this.activity = activity;
    }

    void create(StreamDefinition stream) {
        database.transact(
                () -> {
                    streams.create(stream);
                    events.record(EventType.LIVE_STREAM_CREATED, stream, Optional.empty());
                });
    }

    /**
     * Changes a stream, and records an event if the stream differs afterwards.
     *
     * @return the stream afterwards; empty if it does not exist
     */
    Optional<StreamDefinition> update(StreamId id, Runnable change) {
        return database.transaction(
                () -> {
                    Optional<StreamDefinition> before = streams.findLocked(id);
                    if (before.isEmpty()) {
                        return Optional.empty();
                    }
                    change.run();
                    Optional<StreamDefinition> after = streams.find(id);
                    database.changes().record(ClusterChanges.Kind.STREAM, id.value());
                    after.filter(stream -> !stream.equals(before.get()))
                            .ifPresent(s -> record(EventType.LIVE_STREAM_UPDATED, s));
                    return after;
                });
    }

    Change setDisabled(StreamId id, boolean disabled) {
        return database.transaction(
                () -> {
                    Change change = streams.setDisabled(id, disabled);
                    if (change == Change.CHANGED) {
                        database.changes().record(ClusterChanges.Kind.STREAM, id.value());
                        EventType type =
                                disabled
                                        ? EventType.LIVE_STREAM_DISABLED
                                        : EventType.LIVE_STREAM_ENABLED;
                        streams.find(id).ifPresent(stream -> record(type, stream));
                    }
                    return change;
                });
    }

    /** For the other nodes of a cluster, one of which may run the stream. */
    void publish(ClusterChanges.Kind kind, StreamId id) {
        database.changes().record(kind, id.value());
    }

    /** False if the stream does not exist. */
    boolean delete(StreamId id) {
        return database.transaction(
                () -> {
                    Optional<StreamDefinition> before = streams.findLocked(id);
                    boolean deleted = before.isPresent() && streams.delete(id);
                    if (deleted) {
                        database.changes().record(ClusterChanges.Kind.STREAM, id.value());
                        record(EventType.LIVE_STREAM_DELETED, before.orElseThrow());
                    }
                    return deleted;
                });
    }

    private void record(EventType type, StreamDefinition stream) {
        events.record(type, stream, activity.session(stream.id()));
    }
}
