package touchline.api.db;

import touchline.config.DatabaseConfig;

/** On PostgreSQL. */
class PostgresUpgradeIT extends UpgradeContract {
    @Override
    DatabaseConfig newDatabase() {
        return TestPostgres.newDatabase();
    }
}
