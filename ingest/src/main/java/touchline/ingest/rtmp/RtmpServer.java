package touchline.ingest.rtmp;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.ImmediateEventExecutor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.config.RtmpConfig;
import touchline.ingest.PublishGate;
import touchline.ingest.RelayKey;
import touchline.media.hub.LiveStreams;
import touchline.media.net.ConnectionLimits;
import touchline.media.tls.CurrentCertificate;

/**
 * The RTMP listener, and the RTMPS listener where there is a certificate. {@link #start} and {@link
 * #close} are called by one thread, the rest by any.
 */
public final class RtmpServer implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(RtmpServer.class);

    private static final int BACKLOG = 1_024;
    private static final int MIN_READ_BYTES = 2 << 10;
    private static final int FIRST_READ_BYTES = 16 << 10;
    private static final int MAX_READ_BYTES = 256 << 10;
    private static final long CLOSE_MS = 1_500;

    private final Supplier<RtmpConfig> config;
    private final OptionalInt rtmpsPort;
    private final Optional<CurrentCertificate> certificate;
    private final RtmpCounters counters = new RtmpCounters();
    private final Refusals refusals = new Refusals(counters, System::nanoTime);
    private final ConnectionLimit limit;
    private final ReceiveBudget budget = ReceiveBudget.ofHeap();
    private final ExecutorService gateThreads;
    private final PublishDependencies dependencies;
    private RtmpRelays.Limits relayTimes = RtmpRelays.Limits.USUAL;
    private final EventLoopGroup loops;
    private final ChannelGroup connections =
            new DefaultChannelGroup(ImmediateEventExecutor.INSTANCE, /* stayClosed= */ true);
    private final List<Channel> listeners = new ArrayList<>();

    /** The same with a configuration that never changes. */
    public RtmpServer(
            RtmpConfig config,
            OptionalInt rtmpsPort,
            Optional<CurrentCertificate> certificate,
            PublishGate gate,
            LiveStreams streams,
            Predicate<InetAddress> shared) {
        this(() -> config, rtmpsPort, certificate, gate, streams, shared);
    }

    /**
     * Opens nothing yet.
     *
     * @param config asked for each new connection; host and port never change
     * @param rtmpsPort of RTMPS; empty: no such listener
     * @param certificate what RTMPS shows, also when it changes; empty: no such listener
     * @param gate called on virtual threads
     * @param shared addresses of many encoders, such as trusted proxies: no limit per address
     */
    public RtmpServer(
            Supplier<RtmpConfig> config,
            OptionalInt rtmpsPort,
            Optional<CurrentCertificate> certificate,
            PublishGate gate,
            LiveStreams streams,
            Predicate<InetAddress> shared) {
        this.config = config;
        this.rtmpsPort = rtmpsPort;
        this.certificate = certificate;
        this.limit =
                new ConnectionLimit(
                        new ConnectionLimits(
                                () -> config.get().maxConnections(),
                                () -> config.get().maxConnectionsPerAddress(),
                                shared),
                        counters);
        this.gateThreads =
                Executors.newThreadPerTaskExecutor(
                        Thread.ofVirtual().name("publish-gate-", 0).factory());
        PublishAdmission admission = new PublishAdmission(gate, gateThreads);
        this.dependencies =
                new PublishDependencies(
                        refusals,
                        streams,
                        admission,
                        new RelayVerifier(gate.relayKey(), limit, InstantSource.system()),
                        gate.relayKey().map(key -> relays(key, admission)));
        IoHandlerFactory io =
                Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
        this.loops =
                new MultiThreadIoEventLoopGroup(
                        Runtime.getRuntime().availableProcessors(),
                        new DefaultThreadFactory("rtmp", /* daemon= */ true),
                        io);
    }

    /** Other times of relays, before {@link #start}. */
    void relayTimes(RtmpRelays.Limits times) {
        relayTimes = times;
    }

    private RtmpRelays relays(RelayKey key, PublishAdmission admission) {
        RtmpRelays.Limits times = relayTimes;
        RtmpConnector connector =
                new RtmpConnector(
                        times.connect(),
                        times.stall(),
                        () -> {
                            throw new IllegalStateException("nodes relay without TLS");
                        },
                        budget);
        return new RtmpRelays(key, () -> relayTimes, connector, admission, counters, connections);
    }

    /**
     * Binds; encoders may connect when it returns.
     *
     * @throws UncheckedIOException where an address cannot be bound; everything is closed then
     * @throws IllegalArgumentException where the TLS library cannot use the certificate
     */
    public void start() {
        try {
            listeners.add(listen(config.get().port(), /* tls= */ null));
            if (rtmpsPort.isPresent() && certificate.isPresent()) {
                RtmpsTls tls = new RtmpsTls(certificate.get().get());
                certificate.get().show(tls);
                listeners.add(listen(rtmpsPort.getAsInt(), tls));
            }
        } catch (IOException e) {
            close();
            throw new UncheckedIOException(e);
        }
    }

    /** The port of the plain listener, also where the configuration said 0. */
    public int port() {
        return port(0).orElseThrow(() -> new IllegalStateException("not started"));
    }

    /** The port of the RTMPS listener; empty where there is none. */
    public OptionalInt rtmpsPort() {
        return port(1);
    }

    /** Counters of the port. */
    public RtmpCounters counters() {
        return counters;
    }

    /**
     * Stops accepting, notifies every publisher, closes all connections; within 5 s. Idempotent.
     */
    @Override
    public void close() {
        listeners.forEach(listener -> listener.close().awaitUninterruptibly());
        connections.forEach(
                connection -> connection.pipeline().fireUserEventTriggered(RtmpEvent.SHUTDOWN));
        connections.newCloseFuture().awaitUninterruptibly(CLOSE_MS);
        connections.close().awaitUninterruptibly(CLOSE_MS);
        loops.shutdownGracefully(/* quietPeriod= */ 0, CLOSE_MS, TimeUnit.MILLISECONDS)
                .awaitUninterruptibly(CLOSE_MS);
        gateThreads.shutdownNow();
    }

    private Channel listen(int port, @Nullable RtmpsTls tls) throws IOException {
        Class<? extends ServerChannel> type =
                Epoll.isAvailable() ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
        InetSocketAddress address = new InetSocketAddress(config.get().host(), port);
        ChannelFuture bound =
                new ServerBootstrap()
                        .group(loops)
                        .channel(type)
                        .option(ChannelOption.SO_BACKLOG, BACKLOG)
                        .option(ChannelOption.SO_REUSEADDR, true)
                        .childOption(ChannelOption.TCP_NODELAY, true)
                        .childOption(ChannelOption.SO_KEEPALIVE, true)
                        .childOption(
                                ChannelOption.RECVBUF_ALLOCATOR,
                                new AdaptiveRecvByteBufAllocator(
                                        MIN_READ_BYTES, FIRST_READ_BYTES, MAX_READ_BYTES))
                        .handler(limit)
                        .childHandler(new Initializer(tls))
                        .bind(address)
                        .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new IOException("RTMP cannot listen on " + address, bound.cause());
        }
        log.info(
                "{} listens on {}", tls == null ? "RTMP" : "RTMPS", bound.channel().localAddress());
        return bound.channel();
    }

    private OptionalInt port(int index) {
        return index < listeners.size()
                        && listeners.get(index).localAddress() instanceof InetSocketAddress bound
                ? OptionalInt.of(bound.getPort())
                : OptionalInt.empty();
    }

    /** Adds the handlers in the order in which bytes pass them. */
    private final class Initializer extends ChannelInitializer<Channel> {
        private final @Nullable RtmpsTls tls;

        Initializer(@Nullable RtmpsTls tls) {
            this.tls = tls;
        }

        @Override
        protected void initChannel(Channel channel) {
            connections.add(channel);
            RtmpConfig limits = config.get();
            ChannelPipeline pipeline = channel.pipeline();
            if (tls != null) {
                SslHandler handler = tls.context().newHandler(channel.alloc());
                handler.setHandshakeTimeoutMillis(limits.handshakeTimeout().toMillis());
                pipeline.addLast(handler);
            }
            pipeline.addLast(
                    new RtmpHandshakeHandler(limits.handshakeTimeout(), counters),
                    new RtmpChunkEncoder(),
                    new RtmpChunkDecoder(limits.maxMessageBytes(), counters, budget),
                    new RtmpPublishHandler(limits, dependencies));
        }
    }
}
