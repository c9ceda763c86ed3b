package touchline.media.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.media.net.FreePorts;

/** Without a sandbox it reaches everything that is there. */
final class SandboxCheckTest {
    /** The process reads them in its current directory, which a JVM cannot change. */
    private static final Path GIVEN = Path.of("given");

    private static final Path WRITTEN = Path.of("written");

    private final PrintStream outBefore = System.out;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    @TempDir Path folder;

    @BeforeEach
    void capture() {
        System.setOut(new PrintStream(out, /* autoFlush= */ true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void restore() throws Exception {
        System.setOut(outBefore);
        Files.deleteIfExists(GIVEN);
        Files.deleteIfExists(WRITTEN);
    }

    private String reached(Path file, String pid, int port) {
        SandboxCheck.main(new String[] {file.toString(), pid, Integer.toString(port)});
        return out.toString(StandardCharsets.UTF_8).strip();
    }

    @Test
    void main_unconfined_reachesAll() throws Exception {
        Files.writeString(GIVEN, "x");
        Path secret = Files.writeString(folder.resolve("secret"), "s");
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertEquals(
                    "own file process network",
                    reached(
                            secret,
                            Long.toString(ProcessHandle.current().pid()),
                            server.getLocalPort()));
        }
        assertFalse(Files.exists(WRITTEN));
    }

    @Test
    void main_nothingIsThere_reachesNothing() throws Exception {
        assertEquals("", reached(folder.resolve("none"), "none", FreePorts.next()));
    }

    @Test
    void main_givenFileOfOtherContent_isNotItsOwnFolder() throws Exception {
        Files.writeString(GIVEN, "y");
        Path empty = Files.createFile(folder.resolve("empty"));

        assertEquals("", reached(empty, "none", FreePorts.next()));
    }
}
