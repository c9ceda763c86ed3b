package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ServiceManagerTest {
    private static final long OWN = ProcessHandle.current().pid();

    @TempDir private Path folder;

    @Test
    void readiness_reachesASocketWithAPath() throws IOException {
        String name = folder.resolve("notify").toString();
        try (NotifyReceiver receiver = new NotifyReceiver(name)) {
            ServiceManager manager = ServiceManager.of(Map.of("NOTIFY_SOCKET", name), OWN);

            manager.ready();
            manager.stopping();

            assertEquals("READY=1\nSTATUS=serving", receiver.next());
            assertEquals("STOPPING=1\nSTATUS=closing", receiver.next());
        }
    }

    @Test
    void watchdog_isFedAtASocketInTheAbstractNamespace() throws IOException {
        String name = "@touchline-test-" + OWN + "-" + System.nanoTime();
        try (NotifyReceiver receiver = new NotifyReceiver(name)) {
            Map<String, String> environment =
                    Map.of(
                            "NOTIFY_SOCKET",
                            name,
                            "WATCHDOG_USEC",
                            "100000",
                            "WATCHDOG_PID",
                            Long.toString(OWN));

            ServiceManager.of(environment, OWN).ready();

            assertTrue(receiver.next().startsWith("READY=1"));
            assertEquals("WATCHDOG=1", receiver.next());
            assertEquals("WATCHDOG=1", receiver.next());
        }
    }

    @Test
    void socket_thatIsGone_stopsNothing() {
        String name = folder.resolve("missing").toString();
        ServiceManager manager = ServiceManager.of(Map.of("NOTIFY_SOCKET", name), OWN);

        manager.ready();
        manager.stopping();

        IOException failure =
                assertThrows(IOException.class, () -> new NotifySocket(name).send("READY=1"));
        assertEquals("sendto: error 2", failure.getMessage());
    }

    @Test
    void socket_ofAnotherKind_isRejectedAndNotUsed() {
        Map<String, String> environment = Map.of("NOTIFY_SOCKET", "vsock:2:1234");

        assertSame(ServiceManager.NONE, ServiceManager.of(environment, OWN));
        assertSame(ServiceManager.NONE, ServiceManager.of(Map.of(), OWN));
        assertThrows(
                IllegalArgumentException.class, () -> NotifySocket.address("/" + "x".repeat(107)));
    }

    @Test
    void address_ofAnAbstractName_hasNoEndMark() {
        assertArrayEquals(new byte[] {1, 0, 0, 'a'}, NotifySocket.address("@a"));
        assertArrayEquals(new byte[] {1, 0, '/', 'a', 0}, NotifySocket.address("/a"));
    }

    @Test
    void watchdog_ofAnotherProcess_isNotThisOnes() {
        assertEquals(Optional.empty(), ServiceManager.watchdog(Map.of(), 7));
        assertEquals(
                Optional.of(Duration.ofSeconds(60)),
                ServiceManager.watchdog(Map.of("WATCHDOG_USEC", "60000000"), 7));
        assertEquals(
                Optional.empty(),
                ServiceManager.watchdog(
                        Map.of("WATCHDOG_USEC", "60000000", "WATCHDOG_PID", "8"), 7));
        assertThrows(
                IllegalArgumentException.class,
                () -> ServiceManager.watchdog(Map.of("WATCHDOG_USEC", "soon"), 7));
    }

    @Test
    void withoutAManager_nothingIsSent() {
        List<String> sent = new ArrayList<>();
        ServiceManager manager = new ServiceManager(sent::add, Optional.empty());

        manager.ready();

        assertEquals(List.of("READY=1\nSTATUS=serving"), sent);
    }
}
