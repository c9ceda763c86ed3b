package touchline.ingest.rtmp;

import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Decides when to acknowledge received bytes: whenever the peer's window is full (RTMP 1.0, 5.4.3).
 *
 * <p>A peer that pushes a file at full speed closes its end while megabytes are still in flight,
 * and no longer reads. Its system answers any arriving byte with a reset and drops its unsent data.
 * Such a peer gets no acknowledgement while its data arrives. A peer that stops and waits for one
 * gets it then. One per connection, on its event loop.
 */
final class AcknowledgementPolicy {
    private static final long LOOK_MS = 500;

    private BooleanSupplier flood = () -> false;
    private long receivedBytes;
    private long acknowledgedBytes;
    private long windowBytes = RtmpReplies.WINDOW_BYTES;
    private boolean looking;

    /**
     * @param condition while true, the peer sends far faster than real time
     */
    void holdBackWhile(BooleanSupplier condition) {
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

    /** Sends an acknowledgement if one is due. */
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
