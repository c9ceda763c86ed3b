package touchline.api.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import touchline.api.db.Database;
import touchline.api.db.MemoryDatabase;
import touchline.api.db.SigningKeyRepository;
import touchline.api.domain.SigningKey;

final class SigningKeysTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private Database database;
    private SigningKeyRepository repository;
    private SigningKeys keys;

    @BeforeEach
    void open() {
        database = MemoryDatabase.open();
        repository = new SigningKeyRepository(database);
        keys = new SigningKeys(repository, () -> NOW, RsaKeys::next);
    }

    @AfterEach
    void close() {
        database.close();
    }

    private static boolean verifies(SigningKeys keys, String id) {
        return keys.verifying().holds(id);
    }

    @Test
    void mint_countsOnceItIsRefreshed_andAfterARestart() {
        SigningKeys.Minted minted = mint().orElseThrow();
        String id = minted.key().id();
        assertFalse(verifies(keys, id));

        keys.refresh(id);

        assertTrue(verifies(keys, id));
        assertTrue(verifies(new SigningKeys(repository, () -> NOW), id));
        assertFalse(minted.toString().contains(minted.privateKey()));
    }

    @Test
    void generate_needsNoDatabase() {
        database.close();

        SigningKeys.Minted minted = keys.generate();

        assertFalse(minted.privateKey().isEmpty());
    }

    @Test
    void mint_rolledBack_neverCounts() {
        String[] id = new String[1];
        try {
            database.transact(
                    () -> {
                        id[0] = mint().orElseThrow().key().id();
                        throw new IllegalArgumentException("roll back");
                    });
        } catch (IllegalArgumentException _) {
            keys.refresh(id[0]);
        }
        assertFalse(verifies(keys, id[0]));
        assertEquals(0, repository.count());
    }

    @Test
    void delete_isHeededAtOnce_andByALateRefresh() {
        String id = mint().orElseThrow().key().id();
        keys.refresh(id);

        assertTrue(keys.delete(id));
        assertFalse(verifies(keys, id));
        keys.refresh(id);
        assertFalse(verifies(keys, id));
        assertFalse(keys.delete(id));
    }

    @Test
    void mint_atTheLimit_makesNone() {
        for (int i = 0; i < SigningKeys.MAX_KEYS; i++) {
            repository.create(new SigningKey("key_" + i, "unread", NOW, Optional.empty()));
        }

        assertEquals(Optional.empty(), mint());
        assertTrue(keys.delete("key_7"));
        assertTrue(mint().isPresent());
    }

    private Optional<SigningKeys.Minted> mint() {
        SigningKeys.Minted minted = keys.generate();
        return keys.store(minted) ? Optional.of(minted) : Optional.empty();
    }
}
