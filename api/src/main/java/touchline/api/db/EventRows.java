package touchline.api.db;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import touchline.api.domain.Event;
import touchline.api.domain.EventType;
import touchline.media.StreamId;

/** Events as rows. */
final class EventRows {
    private EventRows() {}

    /** The next number of a stream; its row is held until the transaction ends. */
    static long nextSeq(Handle handle, String stream) {
        int known =
                handle.createUpdate(
                                "UPDATE event_streams SET last_seq = last_seq + 1"
                                        + " WHERE stream_id = :stream")
                        .bind("stream", stream)
                        .execute();
        if (known == 0) {
            handle.createUpdate("INSERT INTO event_streams (stream_id, last_seq) VALUES (:s, 1)")
                    .bind("s", stream)
                    .execute();
            return 1;
        }
        return handle.createQuery("SELECT last_seq FROM event_streams WHERE stream_id = :stream")
                .bind("stream", stream)
                .mapTo(Long.class)
                .one();
    }

    /**
     * @param event without a place
     * @return with its place
     */
    static Event insert(Handle handle, Event event) {
        long place =
                handle.createUpdate(
                                """
                                INSERT INTO events (id, type, stream_id, seq, created_at_ms, body)
                                VALUES (:id, :type, :stream, :seq, :at, :body)
                                """)
                        .bind("id", event.id())
                        .bind("type", event.type().wireName())
                        .bind(
                                "stream",
                                event.stream().map(StreamId::value).orElse(Outbox.NO_STREAM))
                        .bind("seq", event.seq())
                        .bind("at", event.createdAt().toEpochMilli())
                        .bind("body", event.body())
                        .executeAndReturnGeneratedKeys("place")
                        .mapTo(Long.class)
                        .one();
        return new Event(
                place,
                event.id(),
                event.type(),
                event.stream(),
                event.seq(),
                event.createdAt(),
                event.body());
    }

    static Event event(ResultSet row) throws SQLException {
        String stream = row.getString("stream_id");
        return new Event(
                row.getLong("place"),
                row.getString("id"),
                EventType.of(row.getString("type")).orElseThrow(),
                stream.equals(Outbox.NO_STREAM)
                        ? Optional.empty()
                        : Optional.of(new StreamId(stream)),
                row.getLong("seq"),
                Instant.ofEpochMilli(row.getLong("created_at_ms")),
                row.getString("body"));
    }
}
