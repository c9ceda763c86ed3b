package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import touchline.config.ConfigLoader;
import touchline.config.ServerConfig;

final class ReservedPortsTest {
    private static ServerConfig configured(String port) {
        return new ConfigLoader(
                        Map.of(
                                "TOUCHLINE_API_PORT", port,
                                "TOUCHLINE_PLAYBACK_PORT", port,
                                "TOUCHLINE_RTMP_PORT", port,
                                "TOUCHLINE_PUBLIC_PLAYBACK_URL", "https://cdn.example"),
                        Path.of("."))
                .load();
    }

    @Test
    void portZero_isReplacedInListenersAndAddresses() throws IOException {
        try (ReservedPorts ports = new ReservedPorts(configured("0"))) {
            ServerConfig config = ports.config();

            int api = config.api().port();
            int playback = config.playback().port();
            int rtmp = config.rtmp().port();
            assertEquals(3, Set.of(api, playback, rtmp).size());
            assertNotEquals(0, Math.min(api, Math.min(playback, rtmp)));
            assertEquals(URI.create("http://127.0.0.1:" + api), config.publicUrls().apiUrl());
            assertEquals(
                    URI.create("rtmp://127.0.0.1:" + rtmp + "/live"),
                    config.publicUrls().rtmpUrl());
            assertEquals(URI.create("https://cdn.example"), config.publicUrls().playbackUrl());
            assertThrows(IOException.class, () -> bind(api));
            ports.release();
            bind(api);
        }
    }

    @Test
    void fixedPorts_stay() {
        ServerConfig configured = configured("4321");
        try (ReservedPorts ports = new ReservedPorts(configured)) {
            assertEquals(configured, ports.config());
        }
    }

    private static void bind(int port) throws IOException {
        new ServerSocket(port, /* backlog= */ 1, InetAddress.getLoopbackAddress()).close();
    }
}
