package touchline.api.db;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import touchline.api.domain.Page;
import touchline.api.domain.PageRequest;
import touchline.api.domain.SigningKey;

/** Contract of {@link SigningKeyRepository} on any database. */
abstract class SigningKeyRepositoryContract {
    private SigningKeyRepository keys;

    abstract Database database();

    @BeforeEach
    void empty() {
        database().with(handle -> handle.execute("DELETE FROM signing_keys"));
        keys = new SigningKeyRepository(database());
    }

    private SigningKey created(String id) {
        SigningKey key = new SigningKey(id, "public+of/" + id + "=", Samples.NOW, Optional.empty());
        keys.create(key);
        return key;
    }

    @Test
    void find_created_comesBackEqual() {
        SigningKey key = created("key_1");

        assertEquals(Optional.of(key), keys.find("key_1"));
        assertEquals(Optional.empty(), keys.find("KEY_1"));
        assertEquals(Optional.empty(), keys.find("' OR 1=1 --"));
    }

    @Test
    void create_idTaken_fails() {
        created("key_1");

        DatabaseException failure = assertThrows(DatabaseException.class, () -> created("key_1"));

        assertTrue(Database.isUniqueViolation(failure));
    }

    @Test
    void list_twoPages_newestFirst() {
        List<SigningKey> all = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            all.addFirst(created("key_" + i));
        }

        List<SigningKey> listed = new ArrayList<>();
        Page<SigningKey> first = keys.list(new PageRequest(1, 3));
        listed.addAll(first.items());
        listed.addAll(keys.list(new PageRequest(2, 3)).items());

        assertEquals(all, listed);
        assertEquals(all, keys.all());
        assertEquals(4, first.total());
        assertEquals(4, keys.count());
        assertTrue(first.hasMore());
    }

    @Test
    void used_laterThanStored_isStored() {
        created("key_1");

        keys.used(Map.of("key_1", Samples.NOW, "key_gone", Samples.NOW));
        keys.used(Map.of("key_1", Samples.NOW.minusSeconds(1)));

        assertEquals(Optional.of(Samples.NOW), keys.find("key_1").orElseThrow().lastUsedAt());
        assertEquals(1, keys.count());
    }

    @Test
    void delete_twice_saysWhetherThereWasOne() {
        created("key_1");
        created("key_2");

        assertTrue(keys.delete("key_1"));
        assertFalse(keys.delete("key_1"));
        assertEquals(Optional.empty(), keys.find("key_1"));
        assertTrue(keys.find("key_2").isPresent());
    }
}
