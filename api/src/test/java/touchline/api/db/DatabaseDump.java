package touchline.api.db;

import java.util.List;

/** All that an H2 database holds, as SQL. */
public final class DatabaseDump {
    private DatabaseDump() {}

    public static String of(Database database) {
        List<String> lines =
                database.with(handle -> handle.createQuery("SCRIPT").mapTo(String.class).list());
        return String.join("\n", lines);
    }
}
