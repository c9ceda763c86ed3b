package touchline.api.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MasterKeysTest {
    @TempDir Path folder;

    private Path file() {
        return folder.resolve("data").resolve(MasterKeys.FILE);
    }

    private MasterKeys load(Optional<String> configured) {
        return MasterKeys.load(configured, folder.resolve("data"));
    }

    private static String sealed(MasterKeys keys) {
        return new SecretBox(keys).seal("secret", "here");
    }

    @Test
    void load_firstStart_makesTheFileForTheOwnerOnly() throws Exception {
        String sealed = sealed(load(Optional.empty()));

        assertEquals(
                "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file())));
        assertEquals("secret", new SecretBox(load(Optional.empty())).open(sealed, "here"));
        try (var files = Files.list(file().getParent())) {
            assertEquals(List.of(file()), files.toList());
        }
    }

    @Test
    void load_fileThatOthersCanRead_isRestricted() throws Exception {
        load(Optional.empty());
        Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-r--r--"));

        load(Optional.empty());

        assertEquals(
                "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file())));
    }

    @Test
    void load_configured_makesNoFile() {
        load(Optional.of(Keys.text(1)));

        assertFalse(Files.exists(file()));
    }

    @Test
    void load_newKeyOnTopOfTheOld_opensBoth() throws Exception {
        Files.createDirectories(file().getParent());
        Files.writeString(file(), Keys.text(1) + "\n");
        String old = sealed(load(Optional.empty()));
        Files.writeString(file(), Keys.text(2) + "\n\n" + Keys.text(1) + "\n");

        SecretBox box = new SecretBox(load(Optional.empty()));

        assertEquals("secret", box.open(old, "here"));
        assertTrue(box.isStale(old));
        assertFalse(box.isStale(box.seal("secret", "here")));
    }

    @Test
    void load_configuredOverFile_fileStillOpens() throws Exception {
        String old = sealed(load(Optional.empty()));

        SecretBox box = new SecretBox(load(Optional.of(Keys.text(2))));

        assertEquals("secret", box.open(old, "here"));
        assertTrue(box.isStale(old));
    }

    @Test
    void load_malformed_namesThePlaceAndNotTheKey() throws Exception {
        for (String bad : List.of("not base64!", "c2hvcnQ=", Keys.text(1) + "AAAA")) {
            SecretException failure =
                    assertThrows(SecretException.class, () -> load(Optional.of(bad)));
            String message = String.valueOf(failure.getMessage());
            assertTrue(message.startsWith("auth.master-key:"), message);
            assertFalse(message.contains(bad), message);
        }
        Files.createDirectories(file().getParent());
        Files.writeString(file(), "");
        assertThrows(SecretException.class, () -> load(Optional.empty()));
        Files.writeString(file(), "x".repeat(20_000));
        assertThrows(SecretException.class, () -> load(Optional.empty()));
    }

    @Test
    void derive_otherPurpose_isAnotherKeyOfTheSameName() {
        MasterKeys.Derived one = Keys.of(1).derive("one", "AES").getFirst();
        MasterKeys.Derived two = Keys.of(1).derive("two", "AES").getFirst();

        assertEquals(one.masterId(), two.masterId());
        assertNotEquals(one.key(), two.key());
        assertNotEquals(one.masterId(), Keys.of(2).derive("one", "AES").getFirst().masterId());
        assertEquals("Derived[masterId=" + one.masterId() + ", key=masked]", one.toString());
    }
}
