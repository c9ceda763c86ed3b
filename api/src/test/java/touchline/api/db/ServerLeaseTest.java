package touchline.api.db;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import touchline.config.DatabaseConfig;

/** The lease on H2 in memory. */
final class ServerLeaseTest extends ServerLeaseContract {
    private static final AtomicInteger DATABASES = new AtomicInteger();

    @Override
    DatabaseConfig newDatabase() {
        return new DatabaseConfig(
                Optional.of("jdbc:h2:mem:lease" + DATABASES.incrementAndGet()),
                Optional.of("sa"),
                Optional.of(""),
                /* maxConnections= */ 4);
    }
}
