package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import touchline.config.DatabaseConfig;

final class StartFailureTest {
    @ParameterizedTest
    @CsvSource({
        "Address already in use, names it",
        "Permission denied, set a port from 1024 on",
        "Cannot assign requested address, no address of this machine",
    })
    void bind_refused_saysWhatToDo(String reason, String advice) {
        RuntimeException ofTheJdk =
                new UncheckedIOException(
                        new IOException("RTMP cannot listen on x:1", new BindException(reason)));
        RuntimeException ofNetty =
                new UncheckedIOException(
                        new IOException(
                                "RTMP cannot listen on x:1",
                                new IOException("bind(..) failed with error(-98): " + reason)));

        for (RuntimeException failure : List.of(ofTheJdk, ofNetty)) {
            String text = StartFailure.explanation(failure).orElseThrow();
            assertTrue(text.startsWith("cannot listen: RTMP cannot listen on x:1: "), text);
            assertTrue(text.contains(reason), text);
            assertTrue(text.contains(advice), text);
            assertEquals(2, text.lines().count(), text);
        }
    }

    @Test
    void folder_ofAnotherUser_namesTheUser() {
        assertEquals(
                List.of(
                        "data-dir: cannot use /data: access denied: /data/x",
                        "the server runs as user "
                                + System.getProperty("user.name")
                                + ", which must own the data folder and what is in it"),
                lines(
                        new UncheckedIOException(
                                "data-dir: cannot use /data",
                                new AccessDeniedException("/data/x"))));
    }

    @Test
    void disk_full_isNamed() {
        assertEquals(
                List.of(
                        "data-dir: cannot make /data/x: /data/x: No space left on device",
                        "free space on the disk"),
                lines(
                        new UncheckedIOException(
                                "data-dir: cannot make /data/x",
                                new FileSystemException(
                                        "/data/x", null, "No space left on device"))));
    }

    @Test
    void file_inPlaceOfAFolder_isNamed() {
        assertEquals(
                List.of("data-dir: cannot use /data: not directory: /data"),
                lines(
                        new UncheckedIOException(
                                "data-dir: cannot use /data", new NotDirectoryException("/data"))));
    }

    @Test
    void database_unreachable_isItsMessage() {
        DatabaseConfig config =
                new DatabaseConfig(
                        Optional.of("jdbc:mysql://host/x"), Optional.empty(), Optional.empty(), 1);

        StartException failure =
                assertThrows(
                        StartException.class,
                        () ->
                                StartFailure.explained(
                                        () ->
                                                touchline.api.db.Database.open(
                                                        config, Path.of("x"))));

        assertEquals(
                "db.url: jdbc:mysql://host/x (expected: jdbc:postgresql://...)",
                failure.getMessage());
    }

    @Test
    void bug_passes() {
        IllegalStateException bug = new IllegalStateException("a bug");

        assertEquals(Optional.empty(), StartFailure.explanation(bug));
        assertEquals(
                bug,
                assertThrows(
                        IllegalStateException.class,
                        () ->
                                StartFailure.explained(
                                        () -> {
                                            throw bug;
                                        })));
    }

    private static List<String> lines(RuntimeException failure) {
        return StartFailure.explanation(failure).orElseThrow().lines().toList();
    }
}
