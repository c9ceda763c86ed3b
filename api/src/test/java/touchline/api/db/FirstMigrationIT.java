package touchline.api.db;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import touchline.config.DatabaseConfig;
import touchline.testing.Await;
import touchline.testing.LogLines;

/** Nodes that start at the same time on a database without their tables. */
@Timeout(480)
final class FirstMigrationIT {
    private static final Duration HEARTBEAT = Duration.ofMillis(500);

    private final DatabaseConfig config = TestPostgres.newDatabase();
    private final DatabaseAddress address = DatabaseAddress.of(config, Path.of("does-not-exist"));

    /**
     * @param made the newest migration so far: that of the lease, and that which a node needs
     */
    @ParameterizedTest
    @ValueSource(strings = {"12", "28"})
    void join_whileAnotherNodeMigrates_waitsForIt(String made) throws Exception {
        CompletableFuture<Database> second;
        try (LogLines lines = LogLines.of(FirstMigration.class);
                HikariDataSource pool =
                        DatabasePool.connect(address, config, DatabasePool.PATIENCE);
                FirstMigration _ = FirstMigration.begin(address)) {
            Schema schema = new Schema(pool, address);
            schema.migrateTo(List.of(made));
            second = CompletableFuture.supplyAsync(() -> join("node-b"));
            CompletableFuture<Database> joins = second;
            Await.until(
                    () ->
                            joins.isDone()
                                    || lines.texts().stream()
                                            .anyMatch(it -> it.contains("waiting")));
            assertFalse(second.isDone());
            schema.migrate();
        }
        try (Database joined = second.get()) {
            assertEquals("node-b", joined.node().orElseThrow().id());
        }
    }

    @Test
    void join_ofTwoNodesAtOnce_onAnEmptyDatabase() throws Exception {
        CompletableFuture<Database> first = CompletableFuture.supplyAsync(() -> join("node-a"));
        CompletableFuture<Database> second = CompletableFuture.supplyAsync(() -> join("node-b"));

        try (Database a = first.get();
                Database _ = second.get()) {
            assertEquals(
                    List.of("node-a", "node-b"),
                    new NodeRepository(a).list().stream().map(each -> each.id()).toList());
        }
    }

    private Database join(String id) {
        return JoinedNode.join(config, id, HEARTBEAT);
    }
}
