package touchline.ingest.rtmp;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Closes a connection so that its last message arrives. A socket closed with unread bytes sends a
 * reset, which may overtake data the peer has not read. So this side ends its output first, then
 * reads and drops input until the peer closes or {@link #LINGER_MS} pass.
 */
final class LingeringClose {
    static final long LINGER_MS = 1_000;

    private LingeringClose() {}

    /** On the channel's event loop, after the last message has been flushed. */
    static void of(ChannelHandlerContext ctx) {
        if (!(ctx.channel() instanceof DuplexChannel duplex)) {
            closeNow(ctx);
            return;
        }
        SslHandler tls = ctx.pipeline().get(SslHandler.class);
        if (tls != null) {
            var _ = tls.closeOutbound();
        } else {
            var _ = duplex.shutdownOutput();
        }
        ScheduledFuture<?> forced =
                ctx.executor().schedule(() -> closeNow(ctx), LINGER_MS, TimeUnit.MILLISECONDS);
        ctx.channel().closeFuture().addListener(_ -> forced.cancel(false));
    }

    private static void closeNow(ChannelHandlerContext ctx) {
        var _ = ctx.close();
    }
}
