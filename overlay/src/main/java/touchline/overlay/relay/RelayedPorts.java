package touchline.overlay.relay;

import io.netty.channel.Channel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.ChannelGroupFuture;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.ImmediateEventExecutor;
import java.net.InetAddress;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The proxies that a browser may reach. Inside its namespace every address of 127.0.0.0/8 is its
 * own, so each proxy has one: 127.A.B.1 stands for port 256 A + B of the server's 127.0.0.1. Ports
 * and limits: any thread. {@link #enter}: the event loop.
 */
final class RelayedPorts {
    private static final int LOOPBACK = 127;
    private static final int LAST = 1;

    private record Admission(int connections, ChannelGroup open) {}

    private final Map<Integer, Admission> admitted = new ConcurrentHashMap<>();

    /** Returns the address that stands for the port. */
    String admit(int port, int connections) {
        ChannelGroup open =
                new DefaultChannelGroup(ImmediateEventExecutor.INSTANCE, /* stayClosed= */ true);
        admitted.put(port, new Admission(connections, open));
        return "%d.%d.%d.%d".formatted(LOOPBACK, port >>> Byte.SIZE, port & 0xFF, LAST);
    }

    /** Closes the connections to it. */
    void withdraw(int port) {
        Admission admission = admitted.remove(port);
        if (admission != null) {
            ChannelGroupFuture _ = admission.open().close();
        }
    }

    /** The port to connect to; empty if the connection must be closed. */
    OptionalInt enter(Channel connection, InetAddress address) {
        byte[] parts = address.getAddress();
        if (parts.length != Integer.BYTES || parts[0] != LOOPBACK || parts[3] != LAST) {
            return OptionalInt.empty();
        }
        int port = Byte.toUnsignedInt(parts[1]) << Byte.SIZE | Byte.toUnsignedInt(parts[2]);
        Admission admission = admitted.get(port);
        if (admission == null || admission.open().size() >= admission.connections()) {
            return OptionalInt.empty();
        }
        // A group that was closed meanwhile closes it.
        boolean _ = admission.open().add(connection);
        return OptionalInt.of(port);
    }
}
