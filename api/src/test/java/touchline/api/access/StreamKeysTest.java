package touchline.api.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.db.Database;
import touchline.api.db.StreamRepository;
import touchline.api.domain.PushRole;
import touchline.api.domain.StreamDefinition;
import touchline.api.domain.StreamSettings;
import touchline.config.DatabaseConfig;
import touchline.media.StreamId;

final class StreamKeysTest {
    private static final StreamId STREAM = new StreamId("str_1");

    private final StreamKeys keys = new StreamKeys(new SecretBox(Keys.of(1)));

    @Test
    void create_manyTimes_lettersAndDigitsNeverTwice() {
        Set<String> made = new HashSet<>();
        for (int i = 0; i < 1000; i++) {
            String key = StreamKeys.create();
            assertTrue(key.matches("[0-9A-Za-z]{32}"), key);
            assertTrue(made.add(key));
        }
    }

    @Test
    void open_inItsOwnPlaceOnly() {
        String sealed = keys.seal("the key", STREAM, PushRole.MAIN);

        assertEquals("the key", keys.open(sealed, STREAM, PushRole.MAIN));
        assertThrows(SecretException.class, () -> keys.open(sealed, STREAM, PushRole.OVERLAY));
        assertThrows(
                SecretException.class,
                () -> keys.open(sealed, new StreamId("str_2"), PushRole.MAIN));
    }

    @Test
    void lookupHash_sameKey_isTheSameUnderAnyMasterKey() {
        StreamKeys others = new StreamKeys(new SecretBox(Keys.of(2)));

        assertEquals(keys.lookupHash("key"), others.lookupHash("key"));
        assertNotEquals(keys.lookupHash("key"), keys.lookupHash("kez"));
        assertFalse(keys.lookupHash("key").contains("key"));
    }

    @Test
    void resealStaleKeys_afterTheMasterKeyChanged_oldOneIsNeededNoMore(@TempDir Path folder)
            throws Exception {
        DatabaseConfig config =
                new DatabaseConfig(
                        Optional.of("jdbc:h2:mem:reseal"),
                        Optional.of("sa"),
                        Optional.of(""),
                        /* maxConnections= */ 2);
        StreamDefinition stream =
                new StreamDefinition(
                        STREAM,
                        StreamDefinition.DEFAULT_ACCOUNT,
                        StreamKeys.create(),
                        StreamSettings.DEFAULTS,
                        /* disabled= */ false,
                        List.of(),
                        Optional.empty(),
                        Optional.empty(),
                        Instant.parse("2026-01-01T00:00:00Z"));
        Files.writeString(folder.resolve(MasterKeys.FILE), Keys.text(1));
        MasterKeys both = MasterKeys.load(Optional.of(Keys.text(2)), folder);
        try (Database database = Database.open(config, folder)) {
            new StreamRepository(database, keys).create(stream);
            StreamRepository onlyNew =
                    new StreamRepository(database, new StreamKeys(new SecretBox(Keys.of(2))));
            assertThrows(SecretException.class, () -> onlyNew.find(STREAM));
            assertThrows(SecretException.class, onlyNew::resealStaleKeys);

            StreamRepository changing =
                    new StreamRepository(database, new StreamKeys(new SecretBox(both)));
            assertEquals(1, changing.resealStaleKeys());
            assertEquals(0, changing.resealStaleKeys());

            assertEquals(Optional.of(stream), onlyNew.find(STREAM));
        }
    }
}
