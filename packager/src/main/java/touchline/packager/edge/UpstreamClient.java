package touchline.packager.edge;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import touchline.packager.hls.MediaMemory;

/**
 * Requests to other nodes over kept-alive connections (HTTP/1.1), on the event loops of the
 * playback server. Each loop has connections of its own. Any thread.
 */
final class UpstreamClient {
    private static final int CONNECT_MS = 1_500;

    /** Below what the playback server waits for the next request by default. */
    private static final long IDLE_SECONDS = 20;

    private static final int MAX_LINE_BYTES = 4 * 1024;
    private static final int MAX_HEAD_BYTES = 16 * 1024;
    private static final int MAX_CHUNK_BYTES = 64 * 1024;

    /** Of one loop; further requests fail until others are answered. */
    private static final int MAX_OPEN = 4_096;

    private final NodeSigner signer;
    private final MediaMemory memory;
    private final Optional<UpstreamTls> tls;
    private final EdgeCounters counters;
    private final List<LoopPool> pools = new ArrayList<>();

    /** Connections of one event loop, which alone uses them. */
    private final class LoopPool implements UpstreamConnection.Pool {
        private final EventLoop loop;
        private final Map<UpstreamAddress, Deque<UpstreamConnection>> idle = new HashMap<>();
        private final Set<UpstreamConnection> open = new HashSet<>();

        LoopPool(EventLoop loop) {
            this.loop = loop;
        }

        void run(UpstreamAddress address, UpstreamRequest request, UpstreamCall call) {
            if (call.isOver()) {
                return;
            }
            UpstreamConnection free = idle(address);
            if (free != null) {
                free.send(request, call);
            } else if (open.size() >= MAX_OPEN) {
                call.fail(new UpstreamException(address.authority() + ": too many requests"));
            } else {
                connect(address, request, call);
            }
        }

        /** The one used last: the others may close. */
        private @Nullable UpstreamConnection idle(UpstreamAddress address) {
            Deque<UpstreamConnection> waiting = idle.get(address);
            while (waiting != null && !waiting.isEmpty()) {
                UpstreamConnection last = waiting.removeLast();
                if (last.isOpen()) {
                    return last;
                }
            }
            return null;
        }

        private void connect(UpstreamAddress address, UpstreamRequest request, UpstreamCall call) {
            UpstreamConnection made = new UpstreamConnection(address, signer, memory, this);
            Bootstrap bootstrap =
                    new Bootstrap()
                            .group(loop)
                            .channel(
                                    Epoll.isAvailable()
                                            ? EpollSocketChannel.class
                                            : NioSocketChannel.class)
                            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MS)
                            .option(ChannelOption.TCP_NODELAY, true)
                            .handler(
                                    new ChannelInitializer<Channel>() {
                                        @Override
                                        protected void initChannel(Channel channel) {
                                            add(channel, address, made);
                                        }
                                    });
            open.add(made);
            counters.connections(1);
            ChannelFuture connected = bootstrap.connect(address.host(), address.port());
            var _ = connected.addListener(done -> connected(done, made, request, call));
        }

        private void connected(
                Future<?> done,
                UpstreamConnection made,
                UpstreamRequest request,
                UpstreamCall call) {
            if (!done.isSuccess()) {
                closed(made);
                String why = done.cause() == null ? "cancelled" : done.cause().getMessage();
                call.fail(new UpstreamException(made.address().authority() + ": " + why));
            } else if (call.isOver()) {
                idle(made);
            } else {
                made.send(request, call);
            }
        }

        @Override
        public void idle(UpstreamConnection connection) {
            idle.computeIfAbsent(connection.address(), _ -> new ArrayDeque<>()).add(connection);
        }

        @Override
        public void closed(UpstreamConnection connection) {
            if (open.remove(connection)) {
                counters.connections(-1);
            }
            Deque<UpstreamConnection> waiting = idle.get(connection.address());
            if (waiting != null) {
                waiting.remove(connection);
                if (waiting.isEmpty()) {
                    idle.remove(connection.address());
                }
            }
        }

        void close() {
            List.copyOf(open).forEach(UpstreamConnection::close);
        }
    }

    /**
     * @param tls how nodes with HTTPS are known; empty: such nodes cannot be asked
     */
    UpstreamClient(
            NodeSigner signer,
            MediaMemory memory,
            Optional<UpstreamTls> tls,
            EdgeCounters counters) {
        this.signer = signer;
        this.memory = memory;
        this.tls = tls;
        this.counters = counters;
    }

    /** Uses these loops, which the caller ends. Called once, before the first request. */
    void start(EventLoopGroup loops) {
        for (EventExecutor loop : loops) {
            pools.add(new LoopPool((EventLoop) loop));
        }
    }

    /** The event loop of all requests with this number. */
    EventExecutor executor(int affinity) {
        return pool(affinity).loop;
    }

    /**
     * Sends a request.
     *
     * @param affinity requests with the same number use the same connections
     */
    UpstreamCall get(int affinity, UpstreamAddress address, UpstreamRequest request) {
        LoopPool pool = pool(affinity);
        UpstreamCall call = new UpstreamCall(pool.loop);
        counters.requested();
        if (pool.loop.inEventLoop()) {
            pool.run(address, request, call);
        } else {
            pool.loop.execute(() -> pool.run(address, request, call));
        }
        return call;
    }

    private LoopPool pool(int affinity) {
        if (pools.isEmpty()) {
            throw new IllegalStateException("requests to other nodes: not started");
        }
        return pools.get(Math.floorMod(affinity, pools.size()));
    }

    private void add(Channel channel, UpstreamAddress address, UpstreamConnection connection) {
        if (address.secure()) {
            SslHandler secured =
                    tls.orElseThrow(() -> new UpstreamException("no certificate for HTTPS"))
                            .handler();
            channel.pipeline().addLast("tls", secured);
        }
        HttpDecoderConfig limits =
                new HttpDecoderConfig()
                        .setMaxInitialLineLength(MAX_LINE_BYTES)
                        .setMaxHeaderSize(MAX_HEAD_BYTES)
                        .setMaxChunkSize(MAX_CHUNK_BYTES);
        channel.pipeline()
                .addLast(
                        "http",
                        new HttpClientCodec(
                                limits,
                                HttpClientCodec.DEFAULT_PARSE_HTTP_AFTER_CONNECT_REQUEST,
                                HttpClientCodec.DEFAULT_FAIL_ON_MISSING_RESPONSE))
                .addLast("idle", new IdleStateHandler(0, 0, IDLE_SECONDS, TimeUnit.SECONDS))
                .addLast("upstream", connection);
    }

    /** Closes all connections. */
    void close() {
        for (LoopPool pool : pools) {
            if (!pool.loop.isShuttingDown()) {
                pool.loop.execute(pool::close);
            }
        }
    }
}
