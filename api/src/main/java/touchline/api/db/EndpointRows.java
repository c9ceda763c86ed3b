package touchline.api.db;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import touchline.api.domain.Event;
import touchline.api.domain.EventFilter;

/** Webhook endpoints as rows. */
final class EndpointRows {
    private EndpointRows() {}

    /** The endpoints that an event is for, in the order of their making. */
    static List<String> asking(Handle handle, Event event) {
        return handle
                .createQuery(
                        """
                        SELECT id, events, stream_ids FROM webhook_endpoints
                        WHERE disabled_reason IS NULL ORDER BY seq
                        """)
                .map((row, _) -> Map.entry(row.getString("id"), filter(row)))
                .list()
                .stream()
                .filter(endpoint -> endpoint.getValue().accepts(event.type(), event.stream()))
                .map(Map.Entry::getKey)
                .toList();
    }

    static EventFilter filter(ResultSet row) throws SQLException {
        return new EventFilter(
                SettingsJson.readTexts(row.getString("events")),
                Optional.ofNullable(row.getString("stream_ids")).map(SettingsJson::readTexts));
    }
}
