package touchline.packager.delivery;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HTTP/2 on one connection (RFC 9113): its limits, and the deadlines of the connection and of all
 * its streams, checked by one timer. Streams are channels of their own, each with a {@link
 * Http2Exchange} and the same handler that answers HTTP/1.1. Event loop only.
 *
 * <p>Limits of one connection: 100 streams; of bodies written and not yet accepted by the kernel,
 * {@link #MAX_PENDING_BYTES}, and 16 KiB more for each stream, so that one that does not read
 * cannot stop the others; of control frames not yet taken, 1,000. Resets, empty and tiny frames are
 * counted by Netty's guards, and end the connection.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a close that fails is a close
final class Http2Connection extends ChannelInboundHandlerAdapter {
    static final int MAX_STREAMS = 100;

    /** Bodies written and not yet accepted by the kernel, over all streams. */
    static final int MAX_PENDING_BYTES = 1024 * 1024;

    /** Below the first mark a stream writes more; above the second it waits. */
    private static final WriteBufferWaterMark STREAM_MARKS =
            new WriteBufferWaterMark(32 * 1024, 64 * 1024);

    /**
     * HPACK counts 32 bytes more for each field (RFC 7541, 4.1); a head is read up to this size,
     * and answered with 431 from 32 KiB on.
     */
    private static final int MAX_HEADER_LIST_BYTES = 48 * 1024;

    /** Request bodies are dropped. */
    private static final int INITIAL_WINDOW_BYTES = 16 * 1024;

    private static final int MAX_CONTROL_FRAMES = 1000;
    private static final int MAX_RESETS = 200;
    private static final int RESETS_WINDOW_SECONDS = 30;
    private static final int MAX_SMALL_CONTINUATIONS = 16;
    private static final int MAX_EMPTY_FRAMES = 2;

    private static final Logger LOG = LoggerFactory.getLogger(Http2Connection.class);

    private final DeliveryContext context;
    private final Http2HeadWatch heads;
    private final Http2FrameCodec codec = codec();
    private final Set<Http2Exchange> open = new LinkedHashSet<>();

    private long idleSinceNs;
    private boolean closing;
    private boolean wasCut;

    /** Bytes of bodies that wait in streams and in the connection. */
    private long pendingBytes;

    /** Bytes of bodies that the kernel has taken, ever. */
    private long takenBytes;

    private @Nullable ConnectionTimer timer;
    private @Nullable ChannelHandlerContext codecContext;

    private Http2Connection(DeliveryContext context) {
        this.context = context;
        heads = new Http2HeadWatch(context.nanoTime());
    }

    /**
     * Puts the handlers of a connection at the end of its pipeline.
     *
     * @param reloads of the channel's event loop
     */
    static void add(Channel channel, DeliveryContext context, BlockingReload reloads) {
        Http2Connection connection = new Http2Connection(context);
        ConnectionViewers viewers = new ConnectionViewers(channel, context.viewers());
        channel.pipeline()
                .addLast("heads", connection.heads)
                .addLast("http2", connection.codec)
                .addLast(
                        "streams",
                        new Http2MultiplexHandler(
                                new ChannelInitializer<Channel>() {
                                    @Override
                                    protected void initChannel(Channel stream) {
                                        connection.addStream(stream, reloads, viewers);
                                    }
                                }))
                .addLast("connection", connection);
    }

    private static Http2FrameCodec codec() {
        return Http2FrameCodecBuilder.forServer()
                .initialSettings(
                        Http2Settings.defaultSettings()
                                .maxConcurrentStreams(MAX_STREAMS)
                                .maxHeaderListSize(MAX_HEADER_LIST_BYTES)
                                .initialWindowSize(INITIAL_WINDOW_BYTES))
                .encoderEnforceMaxQueuedControlFrames(MAX_CONTROL_FRAMES)
                .encoderEnforceMaxRstFramesPerWindow(MAX_RESETS, RESETS_WINDOW_SECONDS)
                .decoderEnforceMaxRstFramesPerWindow(MAX_RESETS, RESETS_WINDOW_SECONDS)
                .decoderEnforceMaxSmallContinuationFrames(MAX_SMALL_CONTINUATIONS)
                .decoderEnforceMaxConsecutiveEmptyDataFrames(MAX_EMPTY_FRAMES)
                // the client chooses the size of the encoder's table: it gets only fields that are
                // equal in all answers
                .headerSensitivityDetector((name, _) -> !ResponseHeaders.isConstant(name))
                .gracefulShutdownTimeoutMillis(PlaybackServer.CLOSE_BOUND.toMillis())
                .build();
    }

    private void addStream(Channel stream, BlockingReload reloads, ConnectionViewers viewers) {
        stream.config().setWriteBufferWaterMark(STREAM_MARKS);
        Http2Exchange exchange = new Http2Exchange(context, this);
        stream.pipeline()
                .addLast("exchange", exchange)
                .addLast(
                        "playback",
                        new PlaybackHandler(
                                context, reloads, viewers, BodyChunks.FRAMED, exchange::takesMore));
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        codecContext = ctx.pipeline().context(codec);
        idleSinceNs = context.nanoTime().getAsLong();
        timer = new ConnectionTimer(ctx.executor(), context.nanoTime(), () -> look(ctx));
        timer.expireIn(look());
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        if (timer != null) {
            timer.cancel();
        }
    }

    /** Settings, pings and other frames of the connection: the codec has answered them. */
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ReferenceCountUtil.release(message);
    }

    /** GOAWAY at once; the codec closes the connection when the last stream is done, or in time. */
    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event == ConnectionEvent.CLOSING && !closing) {
            closing = true;
            ctx.close();
            List.copyOf(open).forEach(Http2Exchange::closing);
        }
        ctx.fireUserEventTriggered(event);
    }

    /** The codec has answered protocol errors with GOAWAY and a close. */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        boolean answered = Http2CodecUtil.getEmbeddedHttp2Exception(cause) != null;
        if (answered || cause instanceof IOException || cause instanceof DecoderException) {
            LOG.debug("connection closed: {}", cause.toString());
        } else {
            LOG.error("closing connection after an internal error", cause);
        }
        if (!answered) {
            cut();
        }
    }

    /** Interval of the deadline checks: at most a quarter late. */
    private Duration look() {
        Duration shortest = context.limits().head();
        for (Duration each : List.of(context.limits().idle(), context.limits().stall())) {
            shortest = each.compareTo(shortest) < 0 ? each : shortest;
        }
        return shortest.dividedBy(4);
    }

    private void look(ChannelHandlerContext ctx) {
        long nowNs = context.nanoTime().getAsLong();
        if (heads.unfinishedNs() >= context.limits().head().toNanos()) {
            context.counters().timedOut();
            cut();
            return;
        }
        if (open.isEmpty()) {
            if (!closing && nowNs - idleSinceNs >= context.limits().idle().toNanos()) {
                closing = true;
                context.counters().timedOut();
                ctx.close();
            }
        } else {
            for (Http2Exchange exchange : List.copyOf(open)) {
                if (!wasCut) {
                    exchange.look(nowNs);
                }
            }
        }
        if (timer != null && !wasCut && ctx.channel().isOpen()) {
            timer.expireIn(look());
        }
    }

    /** Closes without GOAWAY: the peer does not read, or ignores it. */
    void cut() {
        wasCut = true;
        if (codecContext != null) {
            codecContext.close();
        }
    }

    void opened(Http2Exchange exchange) {
        open.add(exchange);
    }

    void closed(Http2Exchange exchange) {
        if (open.remove(exchange) && open.isEmpty()) {
            idleSinceNs = context.nanoTime().getAsLong();
        }
    }

    void handed(int bytes) {
        pendingBytes += bytes;
    }

    void taken(int bytes, boolean sent) {
        pendingBytes -= bytes;
        if (sent) {
            takenBytes += bytes;
        }
    }

    boolean hasRoom() {
        return pendingBytes < MAX_PENDING_BYTES;
    }

    long pendingBytes() {
        return pendingBytes;
    }

    long takenBytes() {
        return takenBytes;
    }

    /**
     * Whether the peer's window for this stream is open; then other streams of the connection block
     * it.
     */
    boolean isWindowOpen(int streamId) {
        Http2Stream stream = codec.connection().stream(streamId);
        return stream != null
                && codec.connection().remote().flowController().windowSize(stream) > 0;
    }
}
