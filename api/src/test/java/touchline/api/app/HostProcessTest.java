package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class HostProcessTest {
    private static final String GONE = "boot-1 pid:[7] 4711 1000";

    @TempDir private Path proc;

    private HostProcess host() throws IOException {
        Files.createDirectories(proc.resolve("sys/kernel/random"));
        Files.writeString(proc.resolve("sys/kernel/random/boot_id"), "boot-1\n");
        Files.createDirectories(proc.resolve("self/ns"));
        Files.createSymbolicLink(proc.resolve("self/ns/pid"), Path.of("pid:[7]"));
        process(1, "S", 1);
        return new HostProcess(proc);
    }

    private void process(long id, String state, long start) throws IOException {
        Files.createDirectories(proc.resolve(String.valueOf(id)));
        String rest = " 1 1 1 0 -1 4194304 100 0 0 0 0 0 0 0 20 0 1 0 " + start + " 3133440 412\n";
        Files.writeString(proc.resolve(id + "/stat"), id + " (a (b) c) " + state + rest);
    }

    @Test
    void isGone_noSuchProcess_isTrue() throws Exception {
        assertTrue(host().isGone(GONE));
    }

    @Test
    void isGone_processRuns_isFalse() throws Exception {
        process(4711, "S", 1000);

        assertFalse(host().isGone(GONE));
    }

    @Test
    void isGone_idOfALaterProcess_isTrue() throws Exception {
        process(4711, "S", 2000);

        assertTrue(host().isGone(GONE));
    }

    @Test
    void isGone_killedAndNotYetCollected_isTrue() throws Exception {
        process(4711, "Z", 1000);

        assertTrue(host().isGone(GONE));
    }

    @Test
    void isGone_otherHost_isNotKnown() throws Exception {
        HostProcess host = host();

        assertFalse(host.isGone("boot-2 pid:[7] 4711 1000"));
        assertFalse(host.isGone("boot-1 pid:[8] 4711 1000"));
        assertFalse(host.isGone(""));
        assertFalse(host.isGone("boot-1 pid:[7] x 1000"));
    }

    @Test
    void isGone_processesOfOthersAreHidden_isNotKnown() throws Exception {
        HostProcess host = host();
        Files.delete(proc.resolve("1/stat"));

        assertFalse(host.isGone(GONE));
    }

    @Test
    void identity_ofThisProcess_hasFourPartsAndIsNotGone() {
        HostProcess host = new HostProcess(Path.of("/proc"));

        assertEquals(4, host.identity().split(" ", -1).length);
        assertFalse(host.isGone(host.identity()));
    }
}
