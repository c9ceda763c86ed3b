package touchline.api.app;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.db.Database;
import touchline.api.db.DatabaseException;
import touchline.api.http.HealthReport;

/** Makes the health report of a server. Any thread. */
final class ServerHealth {
    private static final Logger log = LoggerFactory.getLogger(ServerHealth.class);

    private final Database database;
    private final Supplier<String> moderation;
    private final BooleanSupplier leased;
    private volatile boolean listening;

    /**
     * @param moderation its line of the report
     * @param leased whether this server may answer viewers, as a node of a cluster; else true
     */
    ServerHealth(Database database, Supplier<String> moderation, BooleanSupplier leased) {
        this.database = database;
        this.moderation = moderation;
        this.leased = leased;
    }

    /** Every listener is bound, or they are closing. */
    void listening(boolean all) {
        listening = all;
    }

    HealthReport report(HealthReport.Use use) {
        Map<String, String> parts = new TreeMap<>();
        parts.put("listeners", listening ? "up" : "starting");
        if (use == HealthReport.Use.PLAYBACK) {
            boolean mayAnswer = leased.getAsBoolean();
            parts.put("lease", mayAnswer ? "up" : "over");
            return new HealthReport(listening && mayAnswer, parts);
        }
        parts.put("database", databaseState());
        parts.put("moderation", moderation.get());
        return new HealthReport(listening && "up".equals(parts.get("database")), parts);
    }

    private String databaseState() {
        try {
            database.ping();
            return "up";
        } catch (DatabaseException e) {
            log.warn("the database does not answer: {}", e.getMessage());
            return "down";
        }
    }
}
