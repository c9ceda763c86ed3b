package touchline.api.db;

import touchline.config.DatabaseConfig;

/** The lease on PostgreSQL. */
final class PostgresServerLeaseIT extends ServerLeaseContract {
    @Override
    DatabaseConfig newDatabase() {
        return TestPostgres.newDatabase();
    }
}
