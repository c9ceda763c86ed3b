package touchline.ingest.rtmp;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import touchline.ingest.rtmp.RtmpCounters.Refusal;

/**
 * Runs before the acceptor of each listener: closes connections above the limits before anything is
 * allocated for them. One for all listeners; any thread.
 */
@Sharable
final class ConnectionLimit extends ChannelInboundHandlerAdapter {
    private final int maxConnections;
    private final int maxPerAddress;
    private final RtmpCounters counters;
    private final AtomicInteger open = new AtomicInteger();
    private final ConcurrentHashMap<InetAddress, Integer> openByAddress = new ConcurrentHashMap<>();

    /**
     * @param maxPerAddress 0 = off
     */
    ConnectionLimit(int maxConnections, int maxPerAddress, RtmpCounters counters) {
        this.maxConnections = maxConnections;
        this.maxPerAddress = maxPerAddress;
        this.counters = counters;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        Channel accepted = (Channel) message;
        if (open.incrementAndGet() > maxConnections) {
            open.decrementAndGet();
            refuse(accepted, Refusal.CONNECTION_LIMIT);
            return;
        }
        if (!enter(accepted)) {
            open.decrementAndGet();
            refuse(accepted, Refusal.ADDRESS_LIMIT);
            return;
        }
        counters.opened();
        accepted.closeFuture()
                .addListener(
                        _ -> {
                            open.decrementAndGet();
                            leave(accepted);
                            counters.closed();
                        });
        ctx.fireChannelRead(accepted);
    }

    private boolean enter(Channel accepted) {
        if (maxPerAddress == 0 || !(accepted.remoteAddress() instanceof InetSocketAddress peer)) {
            return true;
        }
        return openByAddress.merge(peer.getAddress(), 1, ConnectionLimit::oneMore) <= maxPerAddress
                || !leave(accepted);
    }

    private boolean leave(Channel accepted) {
        if (maxPerAddress > 0 && accepted.remoteAddress() instanceof InetSocketAddress peer) {
            openByAddress.computeIfPresent(
                    peer.getAddress(), (_, count) -> count == 1 ? null : count - 1);
        }
        return true;
    }

    private static Integer oneMore(Integer count, Integer one) {
        return count + one;
    }

    private void refuse(Channel accepted, Refusal reason) {
        counters.refuse(reason);
        accepted.unsafe().closeForcibly();
    }
}
