package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import touchline.config.ConfigLoader;
import touchline.media.net.FreePorts;

final class PortChecksIT {
    @Test
    void port_heldByAnother_fails() throws IOException {
        try (ServerSocket held = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Finding finding = apiPort(held.getLocalPort(), false);

            assertEquals(Finding.Level.FAIL, finding.level());
            assertTrue(finding.text().endsWith(" is in use"), finding.text());
        }
    }

    @Test
    void port_heldByThisServer_isOk() throws IOException {
        try (ServerSocket held = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertEquals(Finding.Level.OK, apiPort(held.getLocalPort(), true).level());
        }
    }

    @Test
    void port_free_isOk() throws IOException {
        int port = FreePorts.next();

        assertEquals("127.0.0.1:" + port + " is free", apiPort(port, false).text());
    }

    private static Finding apiPort(int port, boolean serverRuns) {
        Map<String, String> environment =
                Map.of(
                        "TOUCHLINE_API_PORT", Integer.toString(port),
                        "TOUCHLINE_PLAYBACK_PORT", "0",
                        "TOUCHLINE_RTMP_PORT", "0");
        ConfigLoader loader = new ConfigLoader(environment, Path.of("."));
        return new PortChecks(loader.load(), () -> serverRuns).run().getFirst();
    }
}
