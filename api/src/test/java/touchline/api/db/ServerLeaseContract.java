package touchline.api.db;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import touchline.config.DatabaseConfig;
import touchline.testing.Await;

/** Contract of {@link ServerLease} on any database. */
@Timeout(480)
abstract class ServerLeaseContract {
    private static final Duration LONG = Duration.ofHours(1);
    private static final String TAKEN_OVER =
            "UPDATE server_lease SET incarnation = incarnation + 1, name = 'host-z'";

    /** A migration that cannot be made again: it would fail. */
    private static final String WITHOUT_LAST_MIGRATION =
            "DELETE FROM \"flyway_schema_history\" WHERE \"description\" = 'asset takes'";

    private static final Duration SHORT = Duration.ofMillis(20);

    private final BlockingQueue<String> losses = new LinkedBlockingQueue<>();
    private final DatabaseConfig config = newDatabase();

    // H2 drops a database in memory when it is closed.
    private final Database keptOpen = Database.open(config, Path.of("does-not-exist"));

    abstract DatabaseConfig newDatabase();

    @AfterEach
    void close() {
        keptOpen.close();
    }

    private ServerLease take(String name, Duration lease, Duration heartbeat) {
        return take(new LeaseHolder(name, name, _ -> false), lease, heartbeat);
    }

    private ServerLease take(LeaseHolder holder, Duration lease, Duration heartbeat) {
        DatabaseAddress address = DatabaseAddress.of(config, Path.of("does-not-exist"));
        return ServerLease.take(
                address,
                new LeaseTable(address, lease, /* hasNodes= */ true),
                holder,
                new ServerLease.Times(lease, heartbeat),
                losses::add);
    }

    @Test
    void take_holderIsAlive_isRefusedWithItsName() {
        try (ServerLease first = take("host-a", LONG, SHORT)) {
            DatabaseException refused =
                    assertThrows(DatabaseException.class, () -> take("host-b", LONG, SHORT));

            String message = String.valueOf(refused.getMessage());
            assertTrue(message.contains("in use by the server host-a"), message);
            first.check();
        }
    }

    @Test
    void take_givenBack_isAtOnce() {
        take("host-a", LONG, LONG).close();

        take("host-b", LONG, LONG).close();
    }

    @Test
    void take_processOfTheHolderHasEnded_isAtOnce() {
        ServerLease dead = take("process-a", LONG, LONG);

        try (ServerLease next = take(new LeaseHolder("b", "b", "process-a"::equals), LONG, LONG)) {
            next.check();
        } finally {
            dead.close();
        }
    }

    @Test
    void take_leaseIsOver_makesThePausedHolderStop() throws Exception {
        ServerLease paused = take("host-a", Duration.ofMillis(100), LONG);

        try (ServerLease next = take("host-b", LONG, SHORT)) {
            DatabaseException stopped = assertThrows(DatabaseException.class, paused::check);

            String message = String.valueOf(stopped.getMessage());
            assertTrue(message.contains("the server host-b has taken over"), message);
            assertEquals(message, losses.poll(30, TimeUnit.SECONDS));
            assertThrows(DatabaseException.class, paused::check);
            paused.close();
            assertDoesNotThrow(next::check);
            assertThrows(DatabaseException.class, () -> take("host-c", LONG, SHORT));
        }
    }

    @Test
    void check_leaseIsOverAndUntouched_renewsIt() {
        try (ServerLease paused = take("host-a", Duration.ofMillis(50), LONG)) {
            for (int i = 0; i < 3; i++) {
                long endNs = System.nanoTime() + Duration.ofMillis(60).toNanos();
                Await.until(() -> System.nanoTime() - endNs >= 0);
                awaitRenewal(paused);
            }
            assertTrue(losses.isEmpty());
        }
    }

    /**
     * A check may fail: the database starts, or the renewed lease is over before it is looked at.
     */
    static void awaitRenewal(ServerLease lease) {
        Await.until(
                () -> {
                    try {
                        lease.check();
                        return true;
                    } catch (DatabaseException _) {
                        return false;
                    }
                });
    }

    @Test
    void take_twoAtOnce_oneHasIt() throws Exception {
        BlockingQueue<Object> results = new LinkedBlockingQueue<>();
        for (String name : new String[] {"host-a", "host-b"}) {
            Thread.ofPlatform()
                    .start(
                            () -> {
                                try {
                                    results.add(take(name, LONG, SHORT));
                                } catch (DatabaseException e) {
                                    results.add(e);
                                }
                            });
        }

        List<ServerLease> winners = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            // Closed after both: the other one may still watch it.
            if (results.poll(30, TimeUnit.SECONDS) instanceof ServerLease lease) {
                winners.add(lease);
            }
        }
        winners.forEach(ServerLease::check);
        winners.forEach(ServerLease::close);
        assertEquals(1, winners.size());
    }

    @Test
    void openAlone_tableExists_isRefusedBeforeAnyMigration() {
        LeaseHolder second = new LeaseHolder("host-b", "", _ -> false);
        keptOpen.with(handle -> handle.execute(WITHOUT_LAST_MIGRATION));
        try (ServerLease first = take("host-a", LONG, SHORT)) {
            DatabaseException refused =
                    assertThrows(
                            DatabaseException.class,
                            () ->
                                    new ServerDatabase(config, Path.of("x"), second, losses::add)
                                            .openAlone());

            String message = String.valueOf(refused.getMessage());
            assertTrue(message.contains("in use by the server host-a"), message);
            first.check();
        }
    }

    @Test
    void openAlone_lostLease_rollsBackAndRefusesCalls() throws Exception {
        LeaseHolder holder = new LeaseHolder("host-a", "", _ -> false);
        try (Database held =
                new ServerDatabase(config, Path.of("x"), holder, losses::add).openAlone()) {
            held.ping();
            held.transact(() -> held.with(handle -> handle.execute(TAKEN_OVER)));
            assertTrue(String.valueOf(losses.poll(30, TimeUnit.SECONDS)).contains("host-z"));

            assertThrows(DatabaseException.class, held::ping);
            assertThrows(DatabaseException.class, () -> held.transact(() -> {}));
            assertThrows(DatabaseException.class, () -> held.dataSource().getConnection().close());
        }
    }
}
