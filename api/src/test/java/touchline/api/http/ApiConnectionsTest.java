package touchline.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
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

    private static AcceptedSocket accepted(SocketChannel channel) throws IOException {
        return new AcceptedSocket(
                channel.getRemoteAddress(),
                channel.getLocalAddress(),
                channel,
                channel::shutdownOutput);
    }
}
