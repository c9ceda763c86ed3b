package touchline.api.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.db.AuditRunRepository;
import touchline.api.db.Database;
import touchline.api.db.SampledFrames;
import touchline.api.db.TestPostgres;
import touchline.api.domain.AuditSettings;
import touchline.api.domain.DetectStatus;
import touchline.api.domain.SampledFrame;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.moderation.AlertType;

/** How many transactions of PostgreSQL 100 sampled frames take, counted by a trigger. */
final class ScoreTransactionsIT {
    private static final Logger log = LoggerFactory.getLogger(ScoreTransactionsIT.class);
    private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");
    private static final int SESSIONS = 20;
    private static final int SECONDS = 5;

    private Database database;
    private ScoreBuffer buffer;
    private final List<RunningAudit> runs = new ArrayList<>();

    @BeforeEach
    void open() throws SQLException {
        database = Database.open(TestPostgres.newDatabase(), Path.of("does-not-exist"));
        sql("CREATE TABLE writes (transaction BIGINT)");
        sql(
                "CREATE FUNCTION written() RETURNS trigger LANGUAGE plpgsql AS"
                        + " 'BEGIN INSERT INTO writes VALUES (txid_current()); RETURN NULL; END'");
        sql(
                "CREATE TRIGGER written AFTER INSERT OR UPDATE ON sampled_frames"
                        + " FOR EACH STATEMENT EXECUTE FUNCTION written()");
        buffer = new ScoreBuffer(new SampledFrames(database));
        AuditRunRepository rows = new AuditRunRepository(database);
        for (int i = 0; i < SESSIONS; i++) {
            AuditContext context =
                    new AuditContext(
                            new StreamId("str_" + i),
                            new SessionId("ses_" + i),
                            "default",
                            "",
                            NOW);
            runs.add(
                    new RunningAudit(
                            context,
                            rows,
                            new AuditSettings(
                                    1,
                                    1,
                                    new LinkedHashMap<>(Map.of("nude", 0.5)),
                                    AuditSettings.OnReject.NONE,
                                    false),
                            () -> NOW));
        }
    }

    @AfterEach
    void close() {
        database.close();
    }

    private void sql(String statement) throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement sql = connection.createStatement()) {
            sql.execute(statement);
        }
    }

    private int number(String query) throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement sql = connection.createStatement();
                ResultSet rows = sql.executeQuery(query)) {
            rows.next();
            return rows.getInt(1);
        }
    }

    /** A frame each second of all sessions. */
    private int transactions(boolean flushedOneByOne) throws SQLException {
        sql("DELETE FROM writes");
        long startNs = System.nanoTime();
        for (int second = 0; second < SECONDS; second++) {
            SampledFrame frame =
                    new SampledFrame(
                            NOW.plusSeconds(second),
                            40,
                            DetectStatus.PASS,
                            Map.of(AlertType.NUDE, 0.25f));
            for (RunningAudit run : runs) {
                buffer.add(run, frame);
                if (flushedOneByOne) {
                    buffer.flush();
                }
            }
            buffer.flush();
        }
        int count = number("SELECT COUNT(DISTINCT transaction) FROM writes");
        log.info(
                "{} sampled frames: {} transactions, {} ms",
                SESSIONS * SECONDS,
                count,
                (System.nanoTime() - startNs) / 1_000_000);
        return count;
    }

    @Test
    void aSecondOfAllSessions_isOneTransaction() throws Exception {
        runs.forEach(RunningAudit::taskId);

        assertEquals(SESSIONS * SECONDS, transactions(/* flushedOneByOne= */ true));
        assertEquals(SECONDS, transactions(/* flushedOneByOne= */ false));

        assertEquals(
                2 * SESSIONS * SECONDS,
                number("SELECT CAST(SUM(frames) AS INTEGER) FROM sampled_frames"));
        assertEquals(SESSIONS, number("SELECT COUNT(*) FROM sampled_frames"));
    }
}
