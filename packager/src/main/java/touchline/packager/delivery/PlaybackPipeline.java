package touchline.packager.delivery;

import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.group.ChannelGroup;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.EventExecutor;
import java.net.InetAddress;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import touchline.media.net.ConnectionLimits;

/**
 * Counts a new connection, or closes it if there are too many, and adds its handlers: TLS and the
 * negotiated protocol with a certificate, HTTP/1.1 without. Any event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a close that fails is a close
final class PlaybackPipeline extends ChannelInitializer<Channel> {
    /** A channel holds references to media, so it may hold much: fewer wake-ups. */
    private static final WriteBufferWaterMark ZERO_COPY_MARKS =
            new WriteBufferWaterMark(256 * 1024, 1024 * 1024);

    /** A channel holds encrypted copies. */
    private static final WriteBufferWaterMark TLS_MARKS =
            new WriteBufferWaterMark(64 * 1024, 256 * 1024);

    /** Maximum wait for a peer to read close_notify. */
    private static final long CLOSE_NOTIFY_MS = 1000;

    private final DeliveryContext context;
    private final ConnectionLimits limits;
    private final Optional<PlaybackTls> tls;
    private final ChannelGroup channels;
    private final ConcurrentMap<EventExecutor, BlockingReload> reloads = new ConcurrentHashMap<>();

    /**
     * @param channels every open connection is put here
     */
    PlaybackPipeline(
            DeliveryContext context,
            ConnectionLimits limits,
            Optional<PlaybackTls> tls,
            ChannelGroup channels) {
        this.context = context;
        this.limits = limits;
        this.tls = tls;
        this.channels = channels;
    }

    @Override
    protected void initChannel(Channel channel) {
        InetAddress peer = ViewerAddress.peer(channel);
        if (limits.tryOpen(peer) != ConnectionLimits.Admission.OPENED) {
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
        tls.ifPresentOrElse(ssl -> secure(channel, ssl), () -> http1(channel, BodyChunks.WHOLE));
    }

    private void secure(Channel channel, PlaybackTls ssl) {
        channel.pipeline()
                .addLast(
                        "tls",
                        ssl.isChallenged()
                                ? new AcmeTlsHandler(
                                        ssl,
                                        () -> handler(channel, ssl),
                                        context.limits().head().toMillis())
                                : handler(channel, ssl))
                .addLast(
                        "alpn",
                        new AlpnHandler(
                                context.counters(),
                                http2 -> {
                                    if (http2) {
                                        Http2Connection.add(
                                                channel, context, reloads(channel.eventLoop()));
                                    } else {
                                        http1(channel, BodyChunks.ENCRYPTED);
                                    }
                                }));
    }

    private SslHandler handler(Channel channel, PlaybackTls ssl) {
        SslHandler handler = ssl.context().newHandler(channel.alloc());
        handler.setHandshakeTimeoutMillis(context.limits().head().toMillis());
        handler.setCloseNotifyFlushTimeoutMillis(CLOSE_NOTIFY_MS);
        return handler;
    }

    private void http1(Channel channel, BodyChunks pieces) {
        HttpDecoderConfig config =
                new HttpDecoderConfig()
                        .setMaxInitialLineLength(DeliveryLimits.MAX_LINE_BYTES)
                        .setMaxHeaderSize(DeliveryLimits.MAX_HEAD_BYTES);
        channel.pipeline()
                .addLast("http", new HttpServerCodec(config))
                .addLast("order", new HttpPipeliningHandler(context))
                .addLast(
                        "playback",
                        new PlaybackHandler(
                                context,
                                reloads(channel.eventLoop()),
                                new ConnectionViewers(channel, context.viewers()),
                                pieces));
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
