package touchline.ingest.rtmp;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.codec.MalformedMediaException;

/**
 * The server's side of the handshake (RTMP 1.0, 5.2): waits for C0 and C1 in any number of pieces,
 * answers S0, S1 and S2 in one write, waits for C2, removes itself. What C2 echoes is not compared,
 * since encoders in use get it wrong. One per connection, on its event loop.
 */
final class RtmpHandshakeHandler extends ChannelInboundHandlerAdapter {
    private static final Logger log = LoggerFactory.getLogger(RtmpHandshakeHandler.class);

    private static final int VERSION = 3;

    private final Duration timeout;
    private final RtmpCounters counters;

    /** Bytes of C0 and C1 received so far; absent before the first. */
    private byte @Nullable [] hello;

    private int helloBytes;
    private int missingC2Bytes = HandshakeDigest.PACKET_BYTES;
    private boolean answered;
    private boolean failed;
    private @Nullable ScheduledFuture<?> deadline;

    RtmpHandshakeHandler(Duration timeout, RtmpCounters counters) {
        this.timeout = timeout;
        this.counters = counters;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        deadline =
                ctx.executor()
                        .schedule(() -> timedOut(ctx), timeout.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        cancelDeadline();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        cancelDeadline();
        ctx.fireChannelInactive();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf in = (ByteBuf) message;
        boolean passedOn = false;
        try {
            if (failed || !in.isReadable()) {
                return;
            }
            if (!answered) {
                readHello(ctx, in);
            }
            if (answered) {
                int count = Math.min(missingC2Bytes, in.readableBytes());
                in.skipBytes(count);
                missingC2Bytes -= count;
                if (missingC2Bytes == 0) {
                    passedOn = true;
                    finish(ctx, in);
                }
            }
        } catch (MalformedMediaException e) {
            failed = true;
            throw e;
        } finally {
            if (!passedOn) {
                in.release();
            }
        }
    }

    private void readHello(ChannelHandlerContext ctx, ByteBuf in) {
        byte[] target = hello;
        if (target == null) {
            int version = in.getUnsignedByte(in.readerIndex());
            if (version != VERSION) {
                throw new MalformedMediaException(
                        "handshake version: " + version + " (expected: " + VERSION + ")");
            }
            target = new byte[1 + HandshakeDigest.PACKET_BYTES];
            hello = target;
        }
        int count = Math.min(target.length - helloBytes, in.readableBytes());
        in.readBytes(target, helloBytes, count);
        helloBytes += count;
        if (helloBytes == target.length) {
            hello = null;
            answered = true;
            var _ = ctx.writeAndFlush(answer(ctx, target));
        }
    }

    private static ByteBuf answer(ChannelHandlerContext ctx, byte[] hello) {
        ByteBuf out = ctx.alloc().buffer(1 + 2 * HandshakeDigest.PACKET_BYTES);
        out.writeByte(VERSION);
        HandshakeDigest.answer(hello, /* offset= */ 1, out);
        return out;
    }

    /** Takes ownership of the bytes after C2. */
    private void finish(ChannelHandlerContext ctx, ByteBuf rest) {
        ctx.pipeline().remove(this);
        ctx.fireUserEventTriggered(RtmpEvent.HANDSHAKE_DONE);
        ctx.fireChannelRead(rest);
    }

    private void timedOut(ChannelHandlerContext ctx) {
        counters.refuse(RtmpCounters.Refusal.HANDSHAKE_TIMEOUT);
        log.debug(
                "peer={} handshake not finished within {}", ctx.channel().remoteAddress(), timeout);
        var _ = ctx.close();
    }

    private void cancelDeadline() {
        ScheduledFuture<?> waiting = deadline;
        if (waiting != null) {
            waiting.cancel(false);
            deadline = null;
        }
    }
}
