package touchline.api.db;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.config.DatabaseConfig;

final class DatabaseAddressTest {
    @TempDir Path folder;

    private static DatabaseConfig config(String url) {
        return new DatabaseConfig(
                Optional.of(url), Optional.of("user"), Optional.of("pass-word"), 2);
    }

    @Test
    void of_otherDatabase_isRefusedNamingTheKey() {
        DatabaseException failure =
                assertThrows(
                        DatabaseException.class,
                        () -> DatabaseAddress.of(config("jdbc:mysql://u:pw@host/x?a=pw"), folder));

        assertEquals(
                "db.url: jdbc:mysql://host/x (expected: jdbc:postgresql://...)",
                failure.getMessage());
    }

    @Test
    void toString_withCredentials_showsNone() {
        DatabaseAddress address =
                DatabaseAddress.of(
                        config("jdbc:postgresql://me:pass-word@db:5432/tl?password=pass-word"),
                        folder);

        assertEquals("jdbc:postgresql://db:5432/tl", address.toString());
    }

    @Test
    void of_postgresWithParameters_keepsThem() {
        DatabaseAddress address =
                DatabaseAddress.of(config("jdbc:postgresql://db/tl?sslmode=require"), folder);

        assertTrue(address.url().startsWith("jdbc:postgresql://db/tl?sslmode=require&"));
        assertFalse(address.isH2());
    }

    @Test
    void of_dataFolderWithSemicolon_isRefused() {
        DatabaseConfig none =
                new DatabaseConfig(Optional.empty(), Optional.empty(), Optional.empty(), 2);

        assertThrows(
                DatabaseException.class,
                () -> DatabaseAddress.of(none, folder.resolve("a;INIT=x")));
    }

    @Test
    void open_withoutServer_namesTheKeyAndNoPassword() {
        // Port 1 on loopback: refused at once.
        DatabaseException failure =
                assertThrows(
                        DatabaseException.class,
                        () ->
                                Database.open(
                                        config("jdbc:postgresql://127.0.0.1:1/tl"),
                                        folder,
                                        Duration.ofMillis(1)));

        String message = String.valueOf(failure.getMessage());
        assertTrue(
                message.startsWith("db.url: cannot open jdbc:postgresql://127.0.0.1:1/tl"),
                message);
        assertFalse(message.contains("pass-word"), message);
    }
}
