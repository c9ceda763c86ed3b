package touchline.api.http;

import java.io.Closeable;
import java.net.SocketAddress;
import java.nio.channels.Channel;

/**
 * A connection that the listener has accepted.
 *
 * @param output closed alone, it sends the end of this side
 */
record AcceptedSocket(
        SocketAddress remote, SocketAddress local, Channel channel, Closeable output) {}
