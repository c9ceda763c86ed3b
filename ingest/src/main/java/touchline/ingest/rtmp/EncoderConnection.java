package touchline.ingest.rtmp;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The connection of an encoder as its session uses it: answers, pauses of reading, the last
 * message. One per connection, on its event loop.
 */
final class EncoderConnection {
    /** How long reading from a too fast publisher stops before the next check. */
    private static final long PAUSE_MS = 5;

    private final ChannelHandlerContext ctx;
    private final RtmpChunkDecoder decoder;
    private @Nullable String relayedPeer;
    private long lastMediaNs;
    private boolean answered;
    private boolean held;
    private boolean paused;

    EncoderConnection(ChannelHandlerContext ctx, RtmpChunkDecoder decoder) {
        this.ctx = ctx;
        this.decoder = decoder;
    }

    Channel channel() {
        return ctx.channel();
    }

    /** Address and port of the encoder, also where another node relays it. */
    String peer() {
        return relayedPeer != null ? relayedPeer : ClientText.peer(ctx.channel());
    }

    /** Of the other end of this connection. */
    InetSocketAddress address() {
        return ctx.channel().remoteAddress() instanceof InetSocketAddress address
                ? address
                : new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    /** Another node relays the encoder of this address. */
    void relayed(String peer) {
        relayedPeer = peer;
    }

    /** Answers after the messages of this read. */
    void answer(RtmpMessage message) {
        answered = true;
        ctx.write(message).addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
    }

    /** Writes the answers once for all messages of a read. */
    void flush() {
        if (answered) {
            answered = false;
            ctx.flush();
        }
    }

    /** Sends the last message, then closes the connection. */
    void sendLast(RtmpMessage message) {
        decoder.stop();
        ctx.channel().config().setAutoRead(true);
        ctx.writeAndFlush(message).addListener(_ -> LingeringClose.of(ctx));
    }

    /** Reads and decodes nothing until {@link #resumeDecoding} and {@link #resumeReading}. */
    void hold() {
        held = true;
        decoder.hold();
        ctx.channel().config().setAutoRead(false);
    }

    /** Decodes what has arrived since {@link #hold}. */
    void resumeDecoding() {
        decoder.resume();
    }

    void resumeReading() {
        held = false;
        ctx.channel().config().setAutoRead(true);
    }

    /** A publish was accepted: media may come. */
    void admitted() {
        decoder.admitted();
    }

    /** Stops reading from a publisher while it is too fast. */
    void pauseWhile(BooleanSupplier isTooFast) {
        if (!paused && isTooFast.getAsBoolean()) {
            paused = true;
            ctx.channel().config().setAutoRead(false);
            later(() -> look(isTooFast), PAUSE_MS);
        }
    }

    private void look(BooleanSupplier isTooFast) {
        if (isTooFast.getAsBoolean()) {
            touch();
            later(() -> look(isTooFast), PAUSE_MS);
            return;
        }
        paused = false;
        if (!held) {
            ctx.channel().config().setAutoRead(true);
        }
    }

    /** Restarts the idle time. */
    void touch() {
        lastMediaNs = nowNs();
    }

    /** When {@link #touch} was called last. */
    long lastMediaNs() {
        return lastMediaNs;
    }

    long silentNs() {
        return nowNs() - lastMediaNs;
    }

    void later(Runnable task, long delayMs) {
        var _ = ctx.executor().schedule(task, delayMs, TimeUnit.MILLISECONDS);
    }

    /** From any thread. */
    void execute(Runnable task) {
        ctx.executor().execute(task);
    }

    private long nowNs() {
        return ctx.executor().ticker().nanoTime();
    }
}
