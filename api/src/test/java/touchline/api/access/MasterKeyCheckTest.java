package touchline.api.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.db.Database;
import touchline.api.db.SealedTexts;
import touchline.api.db.StreamRepository;
import touchline.api.domain.StreamDefinition;
import touchline.api.domain.StreamSettings;
import touchline.config.DatabaseConfig;

final class MasterKeyCheckTest {
    private static final DatabaseConfig DEFAULT =
            new DatabaseConfig(
                    Optional.empty(), Optional.empty(), Optional.empty(), /* maxConnections= */ 2);

    @TempDir private Path folder;

    private Database withAStreamUnder(MasterKeys keys) {
        Database database = Database.open(DEFAULT, folder);
        new StreamRepository(database, new StreamKeys(new SecretBox(keys)))
                .create(
                        new StreamDefinition(
                                StreamDefinition.newId(),
                                StreamDefinition.DEFAULT_ACCOUNT,
                                StreamKeys.create(),
                                StreamSettings.DEFAULTS,
                                /* disabled= */ false,
                                List.of(),
                                Optional.empty(),
                                Optional.empty(),
                                Instant.EPOCH));
        return database;
    }

    @Test
    void run_keyOfTheDatabase_passes() {
        try (Database database = withAStreamUnder(Keys.of(1))) {
            MasterKeyCheck.run(Keys.of(1), new SealedTexts(database));
        }
    }

    @Test
    void run_olderKeyIsStillGiven_passes() throws Exception {
        Files.writeString(
                folder.resolve(MasterKeys.FILE), Keys.text(2) + "\n" + Keys.text(1) + "\n");
        try (Database database = withAStreamUnder(Keys.of(1))) {
            MasterKeyCheck.run(
                    MasterKeys.load(Optional.empty(), folder), new SealedTexts(database));
        }
    }

    @Test
    void run_otherKey_namesBothKeysAndTheirPlace() {
        String expected = Keys.of(1).ids().getFirst();
        String given = Keys.of(2).ids().getFirst();
        try (Database database = withAStreamUnder(Keys.of(1))) {
            SecretException refused =
                    assertThrows(
                            SecretException.class,
                            () -> MasterKeyCheck.run(Keys.of(2), new SealedTexts(database)));

            String message = String.valueOf(refused.getMessage());
            assertTrue(message.contains("under the master key " + expected), message);
            assertTrue(message.contains("the given key is " + given + " (configured)"), message);
            assertEquals(2, message.lines().count(), message);
        }
    }

    @Test
    void run_keyFileWasLost_saysThatThisStartMadeAnother() {
        MasterKeys made = MasterKeys.load(Optional.empty(), folder.resolve("new"));
        try (Database database = withAStreamUnder(Keys.of(1))) {
            SecretException refused =
                    assertThrows(
                            SecretException.class,
                            () -> MasterKeyCheck.run(made, new SealedTexts(database)));

            String message = String.valueOf(refused.getMessage());
            assertTrue(message.contains("made by this start in " + folder), message);
        }
    }
}
