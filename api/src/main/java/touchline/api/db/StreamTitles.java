package touchline.api.db;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import touchline.media.StreamId;

/** Titles of live streams, for lists of what belongs to them. Calls block; any thread. */
public final class StreamTitles {
    private final Database database;

    public StreamTitles(Database database) {
        this.database = database;
    }

    /** The titles of these streams; without those that are deleted or have none. */
    public Map<StreamId, String> of(Collection<StreamId> streams) {
        List<String> ids = streams.stream().map(StreamId::value).distinct().toList();
        if (ids.isEmpty()) {
            return Map.of();
        }
        Map<StreamId, String> titles = new HashMap<>();
        database.with(
                        handle ->
                                handle.createQuery(
                                                "SELECT id, title FROM live_streams"
                                                        + " WHERE id IN (<ids>) AND title <> ''")
                                        .bindList("ids", ids)
                                        .map(
                                                (row, _) ->
                                                        Map.entry(
                                                                row.getString("id"),
                                                                row.getString("title")))
                                        .list())
                .forEach(row -> titles.put(new StreamId(row.getKey()), row.getValue()));
        return titles;
    }
}
