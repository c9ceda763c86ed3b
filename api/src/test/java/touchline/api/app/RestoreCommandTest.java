package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.backup.BackedUpFolder;

final class RestoreCommandTest {
    private static byte[] archive = {};

    @TempDir private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    /** Of a server with an asset; without its media and its keys. */
    @BeforeAll
    static void backUp(@TempDir Path folder) throws IOException {
        try (BackedUpFolder data = new BackedUpFolder(folder)) {
            data.asset(/* live= */ false, 1_000);
            archive = BackedUpFolder.written(data.backups(), /* withMedia= */ false);
        }
    }

    private int restore(Path file) {
        return Main.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute("restore", file.toString(), "--data-dir", to().toString());
    }

    private Path to() {
        return folder.resolve("restored");
    }

    private Path backup() throws IOException {
        return Files.write(folder.resolve("backup.tar"), archive);
    }

    @Test
    void restore_withoutMediaAndKeys_saysWhatIsMissing() throws IOException {
        Path file = backup();

        assertEquals(0, restore(file), err::toString);

        String printed = out.toString();
        assertTrue(printed.startsWith(to() + ": the backup of "), printed);
        assertTrue(printed.contains(" by Touchline 1.2.3, "), printed);
        assertTrue(printed.contains("1 of 1 assets have no files in this backup"), printed);
        assertTrue(printed.contains(" is not in this backup, and the server does not start"));
        assertTrue(
                printed.endsWith("TOUCHLINE_DATA_DIR=%s ./touchline serve\n".formatted(to())),
                printed);
        assertTrue(Files.exists(to().resolve("touchline.mv.db")));
        assertEquals("", err.toString());
    }

    @Test
    void restore_missingFile_isNamed() {
        assertEquals(1, restore(folder.resolve("absent.tar")));

        assertEquals(folder.resolve("absent.tar") + ": no such file", err.toString().strip());
        assertFalse(Files.exists(to()));
    }

    @Test
    void restore_cutFile_restoresNothing() throws IOException {
        byte[] whole = Files.readAllBytes(backup());
        Path file = Files.write(folder.resolve("cut.tar"), Arrays.copyOf(whole, whole.length / 2));

        assertEquals(1, restore(file));

        assertTrue(err.toString().startsWith(file + " "), err::toString);
        assertTrue(err.toString().strip().endsWith(": nothing was restored"), err::toString);
        assertFalse(Files.exists(to().resolve("touchline.mv.db")));
    }

    @Test
    void restore_intoAFolderInUse_isRefused() throws IOException {
        Path file = backup();
        Files.createDirectories(to().resolve("assets"));

        assertEquals(1, restore(file));

        assertTrue(err.toString().contains("is not empty (it has assets)"), err::toString);
        assertTrue(err.toString().strip().endsWith("; nothing was restored"), err::toString);
    }

    @Test
    void restore_intoAFile_isRefused() throws IOException {
        Path file = backup();
        Files.writeString(to(), "");

        assertEquals(1, restore(file));

        assertTrue(err.toString().contains(to() + " is no folder"), err::toString);
    }

    @Test
    void restore_belowAFile_isRefused() throws IOException {
        Path file = backup();
        Path below = Files.writeString(folder.resolve("plain"), "").resolve("data");

        int code =
                Main.commandLine()
                        .setErr(new PrintWriter(err, true))
                        .execute("restore", file.toString(), "--data-dir", below.toString());

        assertEquals(1, code);
        assertEquals(
                "%s: nothing was restored: data-dir: cannot use %s".formatted(file, below),
                err.toString().strip());
    }

    @Test
    void restore_whileAServerIsStartedThere_isRefused() throws IOException {
        Path file = backup();
        try (FolderLock _ = DataFolder.lock(DataFolder.prepare(to()))) {
            assertEquals(1, restore(file));
        }

        assertEquals("data-dir: another server works in " + to(), err.toString().strip());
    }
}
