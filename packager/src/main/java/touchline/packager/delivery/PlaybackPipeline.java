package touchline.packager.delivery;

import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.group.ChannelGroup;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.ssl.SslContext;
import io.netty.util.concurrent.EventExecutor;
import java.net.InetAddress;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Counts a new connection, or closes it where there are too many, and lines up its handlers: TLS
 * where there is a certificate, the HTTP/1.1 codec with its limits, order, answers. Any event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a close that fails is a close
final class PlaybackPipeline extends ChannelInitializer<Channel> {
    /** What lies in a channel is references to media, so a lot may: fewer wake-ups. */
    private static final WriteBufferWaterMark ZERO_COPY_MARKS =
            new WriteBufferWaterMark(256 * 1024, 1024 * 1024);

    /** What lies in a channel is encrypted copies. */
    private static final WriteBufferWaterMark TLS_MARKS =
            new WriteBufferWaterMark(64 * 1024, 256 * 1024);

    private final DeliveryContext context;
    private final ConnectionLimits limits;
    private final Optional<SslContext> tls;
    private final ChannelGroup channels;
    private final ConcurrentMap<EventExecutor, BlockingReload> reloads = new ConcurrentHashMap<>();

    /**
     * @param channels every open connection is put here
     */
    PlaybackPipeline(
            DeliveryContext context,
            ConnectionLimits limits,
            Optional<SslContext> tls,
            ChannelGroup channels) {
        this.context = context;
        this.limits = limits;
        this.tls = tls;
        this.channels = channels;
    }

    @Override
    protected void initChannel(Channel channel) {
        InetAddress peer = ViewerAddress.peer(channel);
        if (!limits.tryOpen(peer)) {
            context.counters().connectionRefused();
            channel.close();
            return;
        }
        context.counters().connections(1);
        channel.closeFuture()
                .addListener(
                        _ -> {
                            limits.close(peer);
                            context.counters().connections(-1);
                        });
        channels.add(channel);
        channel.config().setWriteBufferWaterMark(tls.isPresent() ? TLS_MARKS : ZERO_COPY_MARKS);
        tls.ifPresent(ssl -> channel.pipeline().addLast("tls", ssl.newHandler(channel.alloc())));
        http(channel);
    }

    /** The handlers that speak HTTP/1.1: what ALPN will choose between has its place here. */
    private void http(Channel channel) {
        HttpDecoderConfig config =
                new HttpDecoderConfig()
                        .setMaxInitialLineLength(DeliveryLimits.MAX_LINE_BYTES)
                        .setMaxHeaderSize(DeliveryLimits.MAX_HEAD_BYTES);
        channel.pipeline()
                .addLast("http", new HttpServerCodec(config))
                .addLast("order", new RequestSequencer(context))
                .addLast(
                        "playback",
                        new PlaybackHandler(context, reloads(channel.eventLoop()), tls.isEmpty()));
    }

    private BlockingReload reloads(EventExecutor eventLoop) {
        return reloads.computeIfAbsent(
                eventLoop,
                loop ->
                        new BlockingReload(
                                loop,
                                context.limits().blocked(),
                                context.nanoTime(),
                                context.counters()));
    }
}
