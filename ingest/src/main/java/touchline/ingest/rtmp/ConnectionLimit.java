package touchline.ingest.rtmp;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.AttributeKey;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import touchline.ingest.rtmp.RtmpCounters.Refusal;
import touchline.media.net.ConnectionLimits;

/**
 * Runs before the acceptor of each listener: closes connections above the limits before anything is
 * allocated for them. One for all listeners; any thread.
 */
@Sharable
final class ConnectionLimit extends ChannelInboundHandlerAdapter {
    /** The address for which a connection counts. */
    private static final AttributeKey<InetAddress> COUNTED =
            AttributeKey.valueOf(ConnectionLimit.class, "counted");

    private final ConnectionLimits limits;
    private final RtmpCounters counters;

    ConnectionLimit(ConnectionLimits limits, RtmpCounters counters) {
        this.limits = limits;
        this.counters = counters;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        Channel accepted = (Channel) message;
        InetAddress address =
                accepted.remoteAddress() instanceof InetSocketAddress peer
                        ? peer.getAddress()
                        : InetAddress.getLoopbackAddress();
        ConnectionLimits.Admission admission = limits.tryOpen(address);
        if (admission != ConnectionLimits.Admission.OPENED) {
            counters.refuse(
                    admission == ConnectionLimits.Admission.LIMIT
                            ? Refusal.CONNECTION_LIMIT
                            : Refusal.ADDRESS_LIMIT);
            accepted.unsafe().closeForcibly();
            return;
        }
        counters.opened();
        accepted.attr(COUNTED).set(address);
        accepted.closeFuture()
                .addListener(
                        _ -> {
                            limits.close(accepted.attr(COUNTED).get());
                            counters.closed();
                        });
        ctx.fireChannelRead(accepted);
    }

    /**
     * Counts a connection for the address of the encoder that another node relays by it, and no
     * longer for that of the node. On the connection's event loop.
     *
     * @return false where that address has too many; nothing has changed then
     */
    boolean move(Channel connection, InetAddress encoder) {
        InetAddress counted = connection.attr(COUNTED).get();
        if (counted == null || counted.equals(encoder)) {
            return true;
        }
        if (!limits.move(counted, encoder)) {
            return false;
        }
        connection.attr(COUNTED).set(encoder);
        return true;
    }
}
