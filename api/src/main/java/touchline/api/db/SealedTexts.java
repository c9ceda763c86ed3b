package touchline.api.db;

import java.util.Set;

/** The beginnings of all sealed texts of a database, which name their keys. Any thread. */
public final class SealedTexts {
    private static final String QUERY =
            """
            SELECT SUBSTRING(sealed FROM 1 FOR :length) FROM stream_keys
            UNION SELECT SUBSTRING(sealed FROM 1 FOR :length) FROM webhook_endpoints
            UNION SELECT SUBSTRING(previous_sealed FROM 1 FOR :length) FROM webhook_endpoints
                WHERE previous_sealed IS NOT NULL
            UNION SELECT SUBSTRING(query_sealed FROM 1 FOR :length) FROM webhook_endpoints
                WHERE query_sealed IS NOT NULL
            UNION SELECT SUBSTRING(sealed FROM 1 FOR :length) FROM transcoding_storages
                WHERE sealed IS NOT NULL
            UNION SELECT SUBSTRING(sealed FROM 1 FOR :length) FROM restreams
            """;

    private final Database database;

    public SealedTexts(Database database) {
        this.database = database;
    }

    /** Each beginning once. */
    public Set<String> beginnings(int length) {
        return database.with(
                handle ->
                        Set.copyOf(
                                handle.createQuery(QUERY)
                                        .bind("length", length)
                                        .mapTo(String.class)
                                        .list()));
    }
}
