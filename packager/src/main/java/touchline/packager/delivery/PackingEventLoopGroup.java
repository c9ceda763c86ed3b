package touchline.packager.delivery;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.EventLoop;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import java.util.concurrent.ThreadFactory;

/**
 * Event loops that fill one after the other; when all are full, the one with the fewest connections
 * is next. A few busy loops wake less often than many idle ones. Connections are counted from
 * {@link #register}, which any thread may call, until they are closed; none moves.
 */
final class PackingEventLoopGroup extends MultiThreadIoEventLoopGroup {
    private final int fill;
    private final EventLoop[] loops;

    @GuardedBy("this")
    private final int[] connections;

    /**
     * @param fill connections per loop before the next loop gets any; 1 = spread evenly
     */
    PackingEventLoopGroup(int loops, int fill, ThreadFactory threads, IoHandlerFactory io) {
        super(loops, threads, io);
        this.fill = fill;
        this.loops = new EventLoop[loops];
        int at = 0;
        for (EventExecutor loop : this) {
            this.loops[at++] = (EventLoop) loop;
        }
        connections = new int[loops];
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the listener of a close, which always comes
    public ChannelFuture register(Channel channel) {
        int at = take();
        channel.closeFuture().addListener(_ -> leave(at));
        return loops[at].register(channel);
    }

    private synchronized int take() {
        int least = 0;
        for (int i = 0; i < loops.length && connections[least] >= fill; i++) {
            if (connections[i] < connections[least]) {
                least = i;
            }
        }
        connections[least]++;
        return least;
    }

    private synchronized void leave(int at) {
        connections[at]--;
    }
}
