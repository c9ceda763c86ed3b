package touchline.api.db;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.config.DatabaseConfig;
import touchline.testing.Await;

/** The lease on PostgreSQL. */
final class PostgresServerLeaseIT extends ServerLeaseContract {
    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final Duration HEARTBEAT = Duration.ofMillis(50);

    @Override
    DatabaseConfig newDatabase() {
        return TestPostgres.newDatabase();
    }

    @Test
    void server_whosePostgresRestarts_keepsItsLease(@TempDir Path folder) throws Exception {
        BlockingQueue<String> losses = new LinkedBlockingQueue<>();
        try (StoppablePostgres postgres = new StoppablePostgres(folder.resolve("data"))) {
            DatabaseConfig config = postgres.config();
            DatabaseAddress address = DatabaseAddress.of(config, folder);
            Database.open(config, folder).close();
            LeaseTable table = new LeaseTable(address, LEASE, /* hasNodes= */ true);
            ServerLease.Times times = new ServerLease.Times(LEASE, HEARTBEAT);
            LeaseHolder first = new LeaseHolder("host-a", "", _ -> false);
            try (ServerLease lease = ServerLease.take(address, table, first, times, losses::add)) {
                postgres.stop();
                // From the end of the lease on, nothing is sent to the database.
                Await.until(() -> lease.age().compareTo(LEASE) >= 0);
                assertThrows(DatabaseException.class, lease::check);

                postgres.restart();

                awaitRenewal(lease);
                assertEquals(1, lease.incarnation());
                assertTrue(losses.isEmpty(), losses::toString);
                LeaseHolder second = new LeaseHolder("host-b", "", _ -> false);
                DatabaseException refused =
                        assertThrows(
                                DatabaseException.class,
                                () ->
                                        ServerLease.take(
                                                address,
                                                new LeaseTable(address, LEASE, true),
                                                second,
                                                times,
                                                losses::add));
                assertTrue(String.valueOf(refused.getMessage()).contains("host-a"));
            }
        }
    }
}
