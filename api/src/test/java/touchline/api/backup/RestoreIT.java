package touchline.api.backup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is restored, and what is refused. */
final class RestoreIT {
    @TempDir private Path folder;
    private BackedUpFolder data;

    @BeforeEach
    void open() throws IOException {
        data = new BackedUpFolder(folder);
    }

    @AfterEach
    void close() {
        data.close();
    }

    /** Nothing is left of an archive that ends early, wherever that is. */
    @Test
    void restoration_ofACutArchive_leavesNothing() throws IOException {
        data.asset(/* live= */ false, 1_000);
        byte[] whole = BackedUpFolder.written(data.backups(), true);
        for (int parts = 0; parts < 12; parts++) {
            byte[] cut = Arrays.copyOf(whole, whole.length / 12 * parts);
            assertThrows(DamagedArchiveException.class, () -> data.restore(cut));
            assertEquals(List.of(), BackedUpFolder.names(data.to));
            Restore.requireEmpty(data.to);
        }
        assertEquals(0, data.restore(whole).assetsWithoutFiles());
    }

    @Test
    void folder_withContents_isRefused() throws IOException {
        Files.createDirectories(data.to.resolve("assets"));
        Files.createDirectories(data.to.resolve("lost+found"));
        byte[] archive = BackedUpFolder.written(data.backups(), false);

        String message =
                assertThrows(RestoreException.class, () -> data.restore(archive)).getMessage();

        assertEquals(
                data.to
                        + " is not empty (it has assets): name an empty folder, or one that does not exist",
                message);
    }

    @Test
    void leftovers_ofAnEarlierAttempt_areRemoved() throws IOException {
        Files.createDirectories(data.to.resolve(".restoring/assets/x"));
        Files.createFile(data.to.resolve("lock"));

        Restore.Report _ = data.restore(BackedUpFolder.written(data.backups(), false));

        assertEquals(List.of("lock", "touchline.mv.db"), BackedUpFolder.names(data.to));
    }

    @Test
    void schema_ofANewerServer_isRefused() throws IOException {
        byte[] archive =
                changed(BackedUpFolder.written(data.backups(), false), "\"1\"", "\"9000\"");

        String message =
                assertThrows(RestoreException.class, () -> data.restore(archive)).getMessage();

        assertTrue(String.valueOf(message).contains("newer server (migration 9000"), message);
        assertEquals(List.of(), BackedUpFolder.names(data.to));
    }

    /** The archive with another manifest and right checksums. */
    private byte[] changed(byte[] archive, String text, String by) throws IOException {
        Map<String, byte[]> files = new LinkedHashMap<>();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ArchiveReader reader =
                        new ArchiveReader(new ByteArrayInputStream(archive), folder.resolve("r"));
                ArchiveWriter writer =
                        new ArchiveWriter(out, BackedUpFolder.NOW, folder.resolve("w"))) {
            String manifest = new String(reader.manifest().json(), StandardCharsets.UTF_8);
            assertTrue(manifest.contains(text), manifest);
            files.put(
                    ArchiveNames.MANIFEST,
                    manifest.replace(text, by).getBytes(StandardCharsets.UTF_8));
            ArchiveReader.Entry entry;
            while ((entry = reader.next()) != null) {
                files.put(entry.name(), entry.content().readAllBytes());
            }
            for (Map.Entry<String, byte[]> file : files.entrySet()) {
                writer.add(file.getKey(), file.getValue());
            }
            writer.finish();
        }
        return out.toByteArray();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"access_tokens\" : 0",
                "\"signing_keys\" : 0",
                "\"scoreboards\" : 0",
            })
    void rows_otherThanAnnounced_areRefused(String count) throws IOException {
        byte[] archive =
                changed(
                        BackedUpFolder.written(data.backups(), false),
                        count,
                        count + "1".replace("0", ""));

        assertThrows(DamagedArchiveException.class, () -> data.restore(archive));
        assertEquals(List.of(), BackedUpFolder.names(data.to));
    }
}
