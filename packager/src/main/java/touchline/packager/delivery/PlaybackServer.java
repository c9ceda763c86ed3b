package touchline.packager.delivery;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.config.PlaybackConfig;
import touchline.media.net.ConnectionLimits;
import touchline.media.net.SharedAddresses;
import touchline.media.tls.CurrentCertificate;
import touchline.packager.audience.Audience;
import touchline.packager.thumbnail.ThumbnailCounters;
import touchline.packager.thumbnail.Thumbnails;

/**
 * The viewers' port: HTTP/1.1, or HTTPS with HTTP/2 where there is a certificate. epoll where there
 * is one, NIO elsewhere. {@link #start} and {@link #close} from one thread; the rest from any.
 */
public final class PlaybackServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PlaybackServer.class);

    private static final int BACKLOG = 4096;

    /** The smallest buffer fits a request; the largest bounds one read of pipelined requests. */
    private static final AdaptiveRecvByteBufAllocator READS =
            new AdaptiveRecvByteBufAllocator(1024, 2048, 16 * 1024);

    /**
     * Heads, and copies for TLS. Measured beside Netty 4.2.18's adaptive one, requests per CPU
     * second were 1.06 to 1.12 times as many.
     */
    private static final PooledByteBufAllocator BUFFERS = PooledByteBufAllocator.DEFAULT;

    /** A peer that acknowledges nothing for this long is disconnected. */
    private static final int USER_TIMEOUT_MS = 30_000;

    /** One loop sends gigabytes a second; the others serve crowds. */
    private static final int FILL = 256;

    /** TLS encrypts in the loops themselves: every core from the first viewers on. */
    private static final int TLS_FILL = 1;

    /** Interval at which files without recent requests are closed. */
    private static final long SWEEP_SECONDS = 5;

    /** Interval at which viewers are counted. */
    private static final long COUNT_SECONDS = 1;

    /** How long running answers may take at shutdown. */
    static final Duration CLOSE_BOUND = Duration.ofSeconds(3);

    private static final Duration LAST_BOUND = Duration.ofSeconds(1);

    private final Supplier<PlaybackConfig> config;
    private final DeliveryContext context;
    private final ConnectionLimits limits;
    private final Optional<PlaybackTls> tls;
    private final ChannelGroup channels = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);

    private @Nullable EventLoopGroup acceptors;
    private @Nullable EventLoopGroup workers;
    private volatile @Nullable Channel listener;

    /**
     * What is served.
     *
     * @param access called for every request
     * @param thumbnails closed with the server
     * @param pages to watch in a browser
     * @param audience counted by the server, once a second
     * @param cluster other servers; empty without a cluster
     */
    public record Sources(
            PlaybackAccess access,
            Thumbnails thumbnails,
            WatchPages pages,
            Audience audience,
            Optional<ClusterPlayback> cluster) {
        /** Without a cluster. */
        public Sources(
                PlaybackAccess access, Thumbnails thumbnails, WatchPages pages, Audience audience) {
            this(access, thumbnails, pages, audience, Optional.empty());
        }

        private DeliveryContext in(DeliveryContext alone) {
            DeliveryContext shown = alone.with(pages, audience);
            return cluster.map(shown::with).orElse(shown);
        }
    }

    /**
     * @param config asked for each new connection and request; host and port never change
     * @param counters updated by the server
     * @param trustedProxies CIDRs of proxies with a trusted X-Forwarded-For
     * @param certificate HTTPS instead of HTTP where there is one, also when it changes
     * @throws IllegalArgumentException where a proxy is not a CIDR, or the certificate unusable
     */
    public PlaybackServer(
            Supplier<PlaybackConfig> config,
            Sources sources,
            DeliveryCounters counters,
            List<String> trustedProxies,
            Optional<CurrentCertificate> certificate) {
        this(
                config,
                sources.in(
                        new DeliveryContext(
                                sources.access(),
                                new LimitsInForce(config),
                                counters,
                                new ResponseHeaders(InstantSource.system()),
                                new ViewerAddress(trustedProxies),
                                System::nanoTime,
                                sources.thumbnails())),
                PlaybackTls.of(certificate),
                sources.cluster()
                        .<Predicate<InetAddress>>map(cluster -> cluster.nodes()::isNode)
                        .map(new SharedAddresses(trustedProxies)::or)
                        .orElseGet(() -> new SharedAddresses(trustedProxies)));
    }

    /**
     * @param shared addresses without a limit per address
     */
    PlaybackServer(
            Supplier<PlaybackConfig> config,
            DeliveryContext context,
            Optional<PlaybackTls> tls,
            Predicate<InetAddress> shared) {
        this.config = config;
        this.context = context;
        this.tls = tls;
        limits =
                new ConnectionLimits(
                        () -> config.get().maxConnections(),
                        () -> config.get().maxConnectionsPerAddress(),
                        shared);
    }

    /**
     * Binds; port 0 takes a free one.
     *
     * @throws IOException where the address cannot be bound
     */
    public void start() throws IOException {
        boolean epoll = Epoll.isAvailable();
        IoHandlerFactory io =
                epoll
                        ? EpollIoHandler.newFactory(/* maxEvents= */ 0, AdaptivePollStrategy::new)
                        : NioIoHandler.newFactory();
        EventLoopGroup accepting =
                new MultiThreadIoEventLoopGroup(
                        1, new DefaultThreadFactory("playback-accept", /* daemon= */ true), io);
        EventLoopGroup working =
                new PackingEventLoopGroup(
                        Runtime.getRuntime().availableProcessors(),
                        tls.isPresent() ? TLS_FILL : FILL,
                        new DefaultThreadFactory("playback", /* daemon= */ true),
                        io);
        tls.ifPresent(ssl -> turnKeys(ssl, accepting));
        acceptors = accepting;
        workers = working;
        ClusterPlayback cluster = context.cluster();
        if (cluster != null) {
            cluster.edge().start(working);
        }
        ServerBootstrap bootstrap =
                new ServerBootstrap()
                        .group(accepting, working)
                        .channel(
                                epoll
                                        ? EpollServerSocketChannel.class
                                        : NioServerSocketChannel.class)
                        .option(ChannelOption.SO_BACKLOG, BACKLOG)
                        .option(ChannelOption.SO_REUSEADDR, true)
                        .childOption(ChannelOption.TCP_NODELAY, true)
                        .childOption(ChannelOption.RECVBUF_ALLOCATOR, READS)
                        .childOption(ChannelOption.ALLOCATOR, BUFFERS)
                        .childHandler(new PlaybackPipeline(context, limits, tls, channels));
        if (epoll) {
            bootstrap.childOption(EpollChannelOption.TCP_USER_TIMEOUT, USER_TIMEOUT_MS);
            bootstrap.childOption(EpollChannelOption.TCP_NOTSENT_LOWAT, TcpNotSentLowat.AT_FIRST);
        }
        var bound = bootstrap.bind(config.get().host(), config.get().port()).awaitUninterruptibly();
        if (!bound.isSuccess()) {
            close();
            throw new IOException(
                    "playback: cannot bind " + config.get().host() + ":" + config.get().port(),
                    bound.cause());
        }
        listener = bound.channel();
        var _ =
                accepting.scheduleWithFixedDelay(
                        context.files()::sweep, SWEEP_SECONDS, SWEEP_SECONDS, TimeUnit.SECONDS);
        var _ =
                accepting.scheduleAtFixedRate(
                        context.audience()::tick, COUNT_SECONDS, COUNT_SECONDS, TimeUnit.SECONDS);
        LOG.info(
                "playback listens on {} port {} ({}{})",
                config.get().host(),
                port(),
                epoll ? "epoll" : "nio",
                tls.map(ssl -> ", " + ssl.name()).orElse(""));
    }

    @SuppressWarnings("FutureReturnValueIgnored") // ends with its event loop
    private static void turnKeys(PlaybackTls ssl, EventLoopGroup on) {
        long turnMs = PlaybackTls.KEY_TURN.toMillis();
        on.scheduleAtFixedRate(ssl::turnKeys, turnMs, turnMs, TimeUnit.MILLISECONDS);
    }

    /**
     * The bound port.
     *
     * @throws IllegalStateException before {@link #start}
     */
    public int port() {
        Channel bound = listener;
        if (bound == null) {
            throw new IllegalStateException("playback: not started");
        }
        return ((InetSocketAddress) bound.localAddress()).getPort();
    }

    public DeliveryCounters counters() {
        return context.counters();
    }

    public ThumbnailCounters thumbnailCounters() {
        return context.thumbnails().counters();
    }

    /**
     * Stops accepting, lets running answers finish for 3 s, then closes the rest; at most 5 s in
     * all. Idempotent.
     */
    @Override
    public void close() {
        Channel bound = listener;
        if (bound != null) {
            bound.close().awaitUninterruptibly(LAST_BOUND.toMillis());
        }
        for (Channel channel : channels) {
            channel.pipeline().fireUserEventTriggered(ConnectionEvent.CLOSING);
        }
        if (!channels.newCloseFuture().awaitUninterruptibly(CLOSE_BOUND.toMillis())) {
            LOG.info(
                    "playback: {} connections closed before their answers were complete",
                    channels.size());
            channels.close().awaitUninterruptibly(LAST_BOUND.toMillis());
        }
        ClusterPlayback cluster = context.cluster();
        if (cluster != null) {
            cluster.edge().close();
        }
        end(acceptors);
        end(workers);
        context.files().close();
        context.thumbnails().close();
    }

    private static void end(@Nullable EventLoopGroup group) {
        if (group != null) {
            group.shutdownGracefully(0, LAST_BOUND.toMillis(), TimeUnit.MILLISECONDS)
                    .awaitUninterruptibly(LAST_BOUND.toMillis());
        }
    }
}
