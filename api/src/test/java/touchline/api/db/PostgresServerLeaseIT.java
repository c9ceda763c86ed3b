package touchline.api.db;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.config.DatabaseConfig;
import touchline.media.net.FreePorts;
import touchline.testing.Await;

/** The lease on PostgreSQL. */
final class PostgresServerLeaseIT extends ServerLeaseContract {
    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final Duration HEARTBEAT = Duration.ofMillis(50);

    @Override
    DatabaseConfig newDatabase() {
        return TestPostgres.newDatabase();
    }

    private static EmbeddedPostgres postgres(Path folder, int port) throws IOException {
        return EmbeddedPostgres.builder()
                .setDataDirectory(folder)
                .setCleanDataDirectory(false)
                .setPort(port)
                .setServerConfig("fsync", "off")
                .setPGStartupWait(Await.PATIENCE)
                .start();
    }

    @Test
    void server_whosePostgresRestarts_keepsItsLease(@TempDir Path folder) throws Exception {
        int port = FreePorts.next();
        DatabaseConfig config =
                new DatabaseConfig(
                        Optional.of("jdbc:postgresql://localhost:" + port + "/postgres"),
                        Optional.of("postgres"),
                        Optional.of("postgres"),
                        /* maxConnections= */ 2);
        DatabaseAddress address = DatabaseAddress.of(config, folder);
        BlockingQueue<String> losses = new LinkedBlockingQueue<>();
        Path data = folder.resolve("data");
        EmbeddedPostgres running = postgres(data, port);
        try {
            Database.open(config, folder).close();
            LeaseTable table = new LeaseTable(address, LEASE, /* hasNodes= */ true);
            ServerLease.Times times = new ServerLease.Times(LEASE, HEARTBEAT);
            LeaseHolder first = new LeaseHolder("host-a", "", _ -> false);
            try (ServerLease lease = ServerLease.take(address, table, first, times, losses::add)) {
                running.close();
                // From the end of the lease on, nothing is sent to the database.
                Await.until(() -> lease.age().compareTo(LEASE) >= 0);
                assertThrows(DatabaseException.class, lease::check);

                running = postgres(data, port);

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
        } finally {
            running.close();
        }
    }
}
