package touchline.api.db;

import java.util.Optional;
import touchline.config.DatabaseConfig;

/** On H2. */
final class H2UpgradeIT extends UpgradeContract {
    @Override
    DatabaseConfig newDatabase() {
        return new DatabaseConfig(Optional.empty(), Optional.empty(), Optional.empty(), 4);
    }
}
