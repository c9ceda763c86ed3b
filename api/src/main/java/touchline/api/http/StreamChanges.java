package touchline.api.http;

import java.util.Optional;
import touchline.api.db.Change;
import touchline.api.db.Database;
import touchline.api.db.StreamRepository;
import touchline.api.domain.ActiveSession;
import touchline.api.domain.EventType;
import touchline.api.domain.StreamDefinition;
import touchline.api.events.StreamEvents;
import touchline.api.session.LiveControl;
import touchline.media.StreamId;

/** Changes of live streams, each in one transaction with its event. Any thread. */
final class StreamChanges {
    private final Database database;
    private final StreamRepository streams;
    private final StreamEvents events;
    private final LiveControl live;

    StreamChanges(
            Database database, StreamRepository streams, StreamEvents events, LiveControl live) {
        this.database = database;
        this.streams = streams;
        this.events = events;
        this.live = live;
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
                        EventType type =
                                disabled
                                        ? EventType.LIVE_STREAM_DISABLED
                                        : EventType.LIVE_STREAM_ENABLED;
                        streams.find(id).ifPresent(stream -> record(type, stream));
                    }
                    return change;
                });
    }

    /** False if the stream does not exist. */
    boolean delete(StreamId id) {
        return database.transaction(
                () -> {
                    Optional<StreamDefinition> before = streams.findLocked(id);
                    boolean deleted = before.isPresent() && streams.delete(id);
                    if (deleted) {
                        record(EventType.LIVE_STREAM_DELETED, before.orElseThrow());
                    }
                    return deleted;
                });
    }

    private void record(EventType type, StreamDefinition stream) {
        Optional<ActiveSession> active = live.active(stream.id()).map(ActiveSession::of);
        events.record(type, stream, active);
    }
}
