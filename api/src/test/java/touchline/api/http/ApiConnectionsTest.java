package touchline.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import touchline.media.net.ConnectionLimits;

final class ApiConnectionsTest {
    @Test
    void connectionsOfOneAddress_aboveTheLimit_areRefused() throws IOException {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        try (ApiConnections connections =
                        new ApiConnections(
                                new ConnectionLimits(10, 1, _ -> false),
                                ApiDeadlines.DEFAULT,
                                registry);
                ServerSocketChannel listener = ServerSocketChannel.open()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            try (SocketChannel one = SocketChannel.open(listener.getLocalAddress());
                    SocketChannel two = SocketChannel.open(listener.getLocalAddress());
                    SocketChannel first = listener.accept();
                    SocketChannel second = listener.accept()) {
                connections.accepted(accepted(first));

                assertThrows(
                        IllegalStateException.class, () -> connections.accepted(accepted(second)));

                assertEquals(1, registry.get("touchline.http.connections").gauge().value());
                assertEquals(
                        1, registry.get("touchline.http.connections.refused").counter().count());
                assertEquals(one.isConnected(), two.isConnected());
            }
        }
    }

    /** The one that waits for its client loses its place, not the newest one, nor a request. */
    @Test
    void connectionAboveTheTotal_closesTheOneThatWaitsLongest_orIsRefused() throws IOException {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        List<SocketChannel> channels = new ArrayList<>();
        try (ApiConnections connections =
                        new ApiConnections(
                                new ConnectionLimits(2, 0, _ -> false),
                                ApiDeadlines.DEFAULT,
                                registry);
                ServerSocketChannel listener = ServerSocketChannel.open()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            for (int i = 0; i < 4; i++) {
                channels.add(SocketChannel.open(listener.getLocalAddress()));
                channels.add(listener.accept());
            }
            SocketChannel busy = channels.get(1);
            SocketChannel waiting = channels.get(3);
            connections.accepted(accepted(busy));
            connections.of(accepted(busy)).requestStarted();
            connections.accepted(accepted(waiting));

            connections.accepted(accepted(channels.get(5)));

            assertFalse(waiting.isOpen());
            assertTrue(busy.isOpen());
            assertEquals(2, registry.get("touchline.http.connections").gauge().value());

            connections.of(accepted(channels.get(5))).requestStarted();
            assertThrows(
                    IllegalStateException.class,
                    () -> connections.accepted(accepted(channels.get(7))));
        } finally {
            for (SocketChannel channel : channels) {
                channel.close();
            }
        }
    }

    @Test
    void connections_holdAQuarterOfTheHeap() {
        assertEquals(1_024, ControlApi.maxConnections(512L << 20));
        assertEquals(10_000, ControlApi.maxConnections(64L << 30));
        assertEquals(256, ControlApi.maxConnections(64L << 20));
    }

    private static AcceptedSocket accepted(SocketChannel channel) throws IOException {
        return new AcceptedSocket(
                channel.getRemoteAddress(),
                channel.getLocalAddress(),
                channel,
                channel::shutdownOutput);
    }
}
