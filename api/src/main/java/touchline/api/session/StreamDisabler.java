package touchline.api.session;

import java.util.Optional;
import touchline.api.db.Change;
import touchline.api.db.Database;
import touchline.api.db.StreamRepository;
import touchline.api.domain.EventType;
import touchline.api.events.StreamEvents;
import touchline.media.StreamId;
import touchline.media.hub.EndReason;
import touchline.media.hub.LiveStream;

/** Disables a stream by itself, as a client's call does. Blocks; any thread. */
public final class StreamDisabler {
    private final Database database;
    private final StreamRepository streams;
    private final StreamEvents events;
    private final LiveControl live;

    public StreamDisabler(
            Database database, StreamRepository streams, StreamEvents events, LiveControl live) {
        this.database = database;
        this.streams = streams;
        this.events = events;
        this.live = live;
    }

    /** The encoder is cut and viewers get nothing, also where that cannot be stored. */
    public void disable(StreamId stream) {
        try {
            database.transact(() -> store(stream));
        } finally {
            live.end(stream, EndReason.DISABLED);
        }
    }

    private void store(StreamId stream) {
        if (streams.setDisabled(stream, true) == Change.CHANGED) {
            Optional<LiveStream> session = live.active(stream);
            streams.find(stream)
                    .ifPresent(
                            disabled ->
                                    events.record(
                                            EventType.LIVE_STREAM_DISABLED,
                                            disabled,
                                            session.map(LiveStream::session)));
        }
    }
}
