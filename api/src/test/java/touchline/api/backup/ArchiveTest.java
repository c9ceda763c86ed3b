package touchline.api.backup;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ArchiveTest {
    private static final Instant MADE_AT = Instant.parse("2026-03-04T05:06:07Z");
    private static final int TYPE_AT = 156;

    @TempDir private Path folder;

    static BackupManifest manifest() {
        return new BackupManifest(
                "1.2.3",
                MADE_AT,
                /* database= */ false,
                List.of("1", "14"),
                List.of("0a1b2c3d"),
                Map.of("live_streams", 3L),
                /* media= */ true,
                77);
    }

    private Map<String, byte[]> files() {
        Map<String, byte[]> files = new LinkedHashMap<>();
        files.put("assets/a1/index", "touchline-recording 2\n".getBytes(StandardCharsets.UTF_8));
        byte[] media = new byte[700];
        new Random(7).nextBytes(media);
        files.put("assets/a1/capped-1080p/s0-0.m4s", media);
        files.put("evidence/ab/abc.jpg", new byte[0]);
        files.put("keys/master-key", new byte[512]);
        return files;
    }

    private byte[] archive(Map<String, byte[]> files) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ArchiveWriter writer = new ArchiveWriter(out, MADE_AT, folder.resolve("w"))) {
            writer.add(ArchiveNames.MANIFEST, manifest().json());
            for (Map.Entry<String, byte[]> file : files.entrySet()) {
                writer.add(file.getKey(), file.getValue());
            }
            writer.finish();
            assertEquals(out.size(), writer.bytes());
            assertEquals(files.size() + 1, writer.files());
        }
        return out.toByteArray();
    }

    private Map<String, byte[]> read(byte[] archive) throws IOException {
        Map<String, byte[]> files = new LinkedHashMap<>();
        try (ArchiveReader reader =
                new ArchiveReader(new ByteArrayInputStream(archive), folder.resolve("r"))) {
            ArchiveReader.Entry entry;
            while ((entry = reader.next()) != null) {
                files.put(entry.name(), entry.content().readAllBytes());
            }
        }
        return files;
    }

    @Test
    void archive_ofAllKindsOfFiles_isReadBack() throws IOException {
        Map<String, byte[]> files = files();

        Map<String, byte[]> found = read(archive(files));

        assertEquals(List.copyOf(files.keySet()), List.copyOf(found.keySet()));
        files.forEach((name, bytes) -> assertArrayEquals(bytes, found.get(name), name));
        assertFalse(Files.exists(folder.resolve("r")) || Files.exists(folder.resolve("w")));
    }

    @Test
    void manifest_isReadBack() throws IOException {
        assertEquals(manifest(), BackupManifest.parse(manifest().json()));
    }

    @Test
    void manifest_ofANewerFormat_isRefused() throws IOException {
        String text = new String(manifest().json(), StandardCharsets.UTF_8);
        byte[] newer =
                text.replace("\"format_version\" : 1", "\"format_version\" : 2")
                        .getBytes(StandardCharsets.UTF_8);

        String message =
                assertThrows(DamagedArchiveException.class, () -> BackupManifest.parse(newer))
                        .getMessage();

        assertEquals(
                "has format 2 (expected: <= 1): restore it with Touchline 1.2.3 or newer", message);
    }

    /** Cut anywhere: at blocks, within them, and within headers. */
    @Test
    void archive_thatIsCutOff_isRefused() throws IOException {
        byte[] whole = archive(files());
        for (int length = 0; length < whole.length; length += 37) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertThrows(DamagedArchiveException.class, () -> read(cut), "at " + length);
        }
        for (int left = 1; left <= 1024; left += 511) {
            byte[] cut = Arrays.copyOf(whole, whole.length - left);
            assertThrows(DamagedArchiveException.class, () -> read(cut), "without " + left);
        }
    }

    /** Every third byte of the archive changed, one after the other. */
    @Test
    void archive_withOneChangedByte_isRefused() throws IOException {
        byte[] whole = archive(files());
        for (int i = 0; i < whole.length; i += 3) {
            byte[] changed = whole.clone();
            changed[i] ^= 0x10;
            assertThrows(DamagedArchiveException.class, () -> read(changed), "byte " + i);
        }
    }

    @Test
    void archive_goingOnBehindItsEnd_isReadToItsEnd() throws IOException {
        byte[] whole = archive(files());

        // Other programs fill archives up to their record size.
        assertEquals(files().keySet(), read(Arrays.copyOf(whole, whole.length + 512)).keySet());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "../escaped",
                "/etc/passwd",
                "assets/../../escaped",
                "assets/a1/../../../escaped",
                "assets/./a1",
                "assets//a1",
                "assets/.hidden/x",
                "assets/a1/x\\..\\y",
                "assets/a1/\u0001",
                "assets",
                "database/",
                "touchline.mv.db",
                "lock",
                "SHA256SUMS/x",
                "manifest.json"
            })
    void name_thatHasNoPlace_isRefused(String name) throws IOException {
        byte[] hostile = archive(Map.of(name, new byte[3]));

        String message =
                assertThrows(DamagedArchiveException.class, () -> read(hostile)).getMessage();

        assertTrue(String.valueOf(message).contains("has no place in a backup"), message);
    }

    /** Links, folders, devices, extended headers of pax and GNU. */
    @ParameterizedTest
    @ValueSource(chars = {'1', '2', '3', '5', '6', 'x', 'g', 'L', 'K', 0})
    void entry_thatIsNoFile_isRefused(char type) throws IOException {
        byte[] header = new TarHeader("assets/a1/x", 0).encoded(MADE_AT);
        header[TYPE_AT] = (byte) type;
        byte[] sealed = withSum(header);

        String message =
                assertThrows(DamagedArchiveException.class, () -> TarHeader.decoded(sealed))
                        .getMessage();

        assertTrue(String.valueOf(message).contains("regular files only"), message);
    }

    private static byte[] withSum(byte[] header) {
        Arrays.fill(header, 148, 156, (byte) ' ');
        int sum = 0;
        for (byte each : header) {
            sum += each & 0xFF;
        }
        byte[] digits = "%06o\0 ".formatted(sum).getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(digits, 0, header, 148, digits.length);
        return header;
    }

    @Test
    void header_ofALargeFileWithALongName_isReadBack() throws IOException {
        String name = "assets/" + "a".repeat(120) + "/" + "b".repeat(90);
        for (long size : List.of(0L, 1L, (1L << 33) - 1, 1L << 33, 1L << 50)) {
            TarHeader header = new TarHeader(name, size);
            assertEquals(header, TarHeader.decoded(header.encoded(MADE_AT)));
        }
        assertFalse(TarHeader.fits("a".repeat(101)));
        assertTrue(TarHeader.fits(name));
    }

    @Test
    void content_shorterThanAnnounced_failsTheWriter() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ArchiveWriter writer = new ArchiveWriter(out, MADE_AT, folder.resolve("w"))) {
            assertThrows(
                    EOFException.class,
                    () -> writer.add("assets/a1/x", 4, new ByteArrayInputStream(new byte[3])));
        }
    }

    /** A tar of every host reads it. */
    @Test
    void archive_isReadByTar() throws Exception {
        Path file = folder.resolve("backup.tar");
        Files.write(file, archive(files()));
        Process tar =
                new ProcessBuilder("tar", "-xf", file.toString())
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .start();
        String output = new String(tar.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, tar.waitFor(), output);
        assertEquals("", output);
        for (Map.Entry<String, byte[]> each : files().entrySet()) {
            assertArrayEquals(each.getValue(), Files.readAllBytes(folder.resolve(each.getKey())));
        }
        assertEquals(5, Files.readAllLines(folder.resolve("SHA256SUMS")).size());
    }
}
