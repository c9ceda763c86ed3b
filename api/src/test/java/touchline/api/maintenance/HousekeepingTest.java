package touchline.api.maintenance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.access.AccessTokens;
import touchline.api.access.SigningKeys;
import touchline.api.db.Database;
import touchline.api.db.SigningKeyRepository;
import touchline.api.db.TokenRepository;
import touchline.config.DatabaseConfig;

final class HousekeepingTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final DatabaseConfig MEMORY =
            new DatabaseConfig(
                    Optional.of("jdbc:h2:mem:housekeeping"),
                    Optional.of("sa"),
                    Optional.of(""),
                    /* maxConnections= */ 2);

    @TempDir private Path folder;

    @Test
    void close_afterAUse_hasStoredIt() {
        try (Database database = Database.open(MEMORY, folder)) {
            TokenRepository repository = new TokenRepository(database);
            AccessTokens tokens = new AccessTokens(repository, "secret of the admin", () -> NOW);
            SigningKeys keys = new SigningKeys(new SigningKeyRepository(database), () -> NOW);
            AccessTokens.Minted minted = tokens.mint("ci", Set.of(), Optional.empty());
            Housekeeping housekeeping = new Housekeeping(database, tokens, keys, () -> NOW);
            housekeeping.start();

            tokens.authenticate(minted.credential());
            housekeeping.close();

            assertEquals(
                    Optional.of(NOW),
                    repository.find(minted.token().id()).orElseThrow().lastUsedAt());
        }
    }
}
