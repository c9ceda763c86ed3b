package touchline.ingest.rtmp;

import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * When a peer is told how much of it has arrived: whenever its window is full (RTMP 1.0, 5.4.3).
 *
 * <p>Whoever pushes a file as fast as it goes has closed its end while megabytes are still under
 * way, and reads no more: its system answers anything that arrives with a reset, and forgets what
 * it had not sent yet. So such a peer is told nothing while more of it comes. One that stands still
 * until it hears how far it is hears it then. One per connection, on its event loop.
 */
final class AcknowledgementPolicy {
    private static final long LOOK_MS = 500;

    private BooleanSupplier flood = () -> false;
    private long receivedBytes;
    private long acknowledgedBytes;
    private long windowBytes = RtmpReplies.WINDOW_BYTES;
    private boolean looking;

    /**
     * @param condition while it holds, the peer sends far more than it could live
     */
    void holdBackIn(BooleanSupplier condition) {
        flood = condition;
    }

    void window(long bytes) {
        windowBytes = bytes;
    }

    void received(int bytes) {
        receivedBytes += bytes;
    }

    long receivedBytes() {
        return receivedBytes;
    }

    /** Says what is due to be said. */
    void flush(ChannelHandlerContext ctx) {
        if (looking || receivedBytes - acknowledgedBytes < windowBytes) {
            return;
        }
        if (flood.getAsBoolean()) {
            looking = true;
            long before = receivedBytes;
            var _ =
                    ctx.executor()
                            .schedule(() -> look(ctx, before), LOOK_MS, TimeUnit.MILLISECONDS);
        } else {
            send(ctx);
        }
    }

    private void look(ChannelHandlerContext ctx, long before) {
        looking = false;
        if (!ctx.channel().isActive()) {
            return;
        }
        if (receivedBytes == before && ctx.channel().config().isAutoRead()) {
            send(ctx);
        } else {
            flush(ctx);
        }
    }

    private void send(ChannelHandlerContext ctx) {
        acknowledgedBytes = receivedBytes;
        ctx.writeAndFlush(new RtmpMessage.Acknowledgement(receivedBytes & 0xffff_ffffL))
                .addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
    }
}
