package touchline.media.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class DiskMediaStoreTest {
    @TempDir private Path folder;
    private Path root;
    private DiskMediaStore store;

    @BeforeEach
    void open() {
        root = folder.resolve("data").resolve("media");
        store = new DiskMediaStore(root);
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    private String read(String key) throws IOException {
        try (SeekableByteChannel channel = store.open(key).orElseThrow()) {
            ByteBuffer buffer = ByteBuffer.allocate(Math.toIntExact(channel.size()));
            while (buffer.hasRemaining() && channel.read(buffer) >= 0) {
                assertTrue(buffer.position() > 0);
            }
            return new String(buffer.array(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void put_thenOpen_givesTheBytes() throws IOException {
        ByteBuffer given = bytes("one");

        store.put("ast_1/s0.m4s", given);

        assertEquals("one", read("ast_1/s0.m4s"));
        assertEquals(3, given.remaining());
    }

    @Test
    void put_again_replacesWhileReadersKeepTheirs() throws IOException {
        store.put("a", bytes("old"));
        try (SeekableByteChannel old = store.open("a").orElseThrow()) {
            store.put("a", bytes("brand new"));

            assertEquals(3, old.size());
        }
        assertEquals("brand new", read("a"));
    }

    @Test
    void put_failing_leavesNothingBehind() throws IOException {
        Files.createDirectories(root.resolve("a"));
        Files.writeString(root.resolve("a").resolve("full"), "x");

        assertThrows(MediaStoreException.class, () -> store.put("a", bytes("x")));

        try (Stream<Path> files = Files.list(root)) {
            assertEquals(List.of(root.resolve("a")), files.toList());
        }
    }

    @Test
    void open_unknown_isEmpty() {
        assertTrue(store.open("no/such").isEmpty());
        assertTrue(store.open("none").isEmpty());
    }

    @Test
    void list_prefix_isWholeNamesAndSorted() throws IOException {
        for (String key : List.of("b/2", "a/c/1", "a/b", "ab/1")) {
            store.put(key, bytes(key));
        }
        Files.writeString(root.resolve("a").resolve(".half-written"), "x");

        assertEquals(List.of("a/b", "a/c/1"), store.list("a"));
        assertEquals(List.of("a/b", "a/c/1", "ab/1", "b/2"), store.list(""));
        assertEquals(List.of(), store.list("z"));
    }

    @Test
    void delete_lastOfAFolder_takesTheFolder() {
        store.put("a/b/c", bytes("x"));

        assertTrue(store.delete("a/b/c"));
        assertFalse(store.delete("a/b/c"));

        assertFalse(Files.exists(root.resolve("a")));
        assertTrue(Files.exists(root));
    }

    @Test
    void delete_folder_isNoKey() {
        store.put("a/b", bytes("x"));

        assertFalse(store.delete("a"));
        assertEquals(List.of("a/b"), store.list(""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ".",
                "..",
                "../x",
                "a/../../x",
                "/etc/passwd",
                "a//b",
                "a/",
                ".hidden",
                "a/.b",
                "a\\b",
                "a b",
                "a\u0000b",
                "a\nb",
                "ä",
                "a/b/c/d/e/f/g/h/i",
                "~",
                "a:b",
                "%2e%2e"
            })
    void key_thatIsNone_isRefusedEverywhere(String key) {
        assertThrows(IllegalArgumentException.class, () -> store.put(key, bytes("x")));
        assertThrows(IllegalArgumentException.class, () -> store.open(key));
        assertThrows(IllegalArgumentException.class, () -> store.delete(key));
        if (!key.isEmpty()) {
            assertThrows(IllegalArgumentException.class, () -> store.list(key));
        }
    }

    @Test
    void links_leadingOut_areNotFollowed() throws IOException {
        Path outside = Files.createDirectories(folder.resolve("outside"));
        Files.writeString(outside.resolve("secret"), "secret");
        Files.createSymbolicLink(root.resolve("way"), outside);
        Files.createSymbolicLink(root.resolve("file"), outside.resolve("secret"));

        assertThrows(MediaStoreException.class, () -> store.open("way/secret"));
        assertThrows(MediaStoreException.class, () -> store.open("file"));
        assertThrows(MediaStoreException.class, () -> store.put("way/new", bytes("x")));
        assertThrows(MediaStoreException.class, () -> store.delete("way/secret"));
        assertEquals(List.of(), store.list(""));
        assertEquals("secret", Files.readString(outside.resolve("secret")));
    }
}
