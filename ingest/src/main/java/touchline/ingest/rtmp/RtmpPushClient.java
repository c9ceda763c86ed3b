package touchline.ingest.rtmp;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Publishes to other RTMP and RTMPS servers. Servers of RTMPS have to show a certificate for their
 * name that the JDK trusts. Any thread; calls block, so they belong on virtual threads.
 */
public final class RtmpPushClient implements AutoCloseable {
    private static final long CLOSE_MS = 1_000;

    private final Limits limits;
    private final RtmpConnector connector;
    private final EventLoopGroup loops;

    /**
     * @param connect for the TCP connection
     * @param publish for TLS, handshake and commands, up to the answer to publish
     * @param stall longest time in which the network takes nothing of what is sent
     */
    public record Limits(Duration connect, Duration publish, Duration stall) {
        /** The usual ones. */
        public static final Limits USUAL =
                new Limits(Duration.ofSeconds(10), Duration.ofSeconds(15), Duration.ofSeconds(20));
    }

    public RtmpPushClient(Limits limits) {
        this(limits, () -> SystemTrust.CONTEXT);
    }

    /**
     * @param tls of a client, which checks certificates
     */
    RtmpPushClient(Limits limits, Supplier<SslContext> tls) {
        this.limits = limits;
        this.connector =
                new RtmpConnector(limits.connect(), limits.stall(), tls, ReceiveBudget.ofHeap());
        this.loops =
                new MultiThreadIoEventLoopGroup(
                        Math.max(1, Runtime.getRuntime().availableProcessors() / 4),
                        new DefaultThreadFactory("restream", /* daemon= */ true),
                        Epoll.isAvailable()
                                ? EpollIoHandler.newFactory()
                                : NioIoHandler.newFactory());
    }

    /** Loaded for the first RTMPS target. */
    private static final class SystemTrust {
        private static final SslContext CONTEXT = trustingAsTheJdk();

        private static SslContext trustingAsTheJdk() {
            try {
                return SslContextBuilder.forClient().protocols("TLSv1.3", "TLSv1.2").build();
            } catch (SSLException e) {
                throw new IllegalStateException("TLS of a client", e);
            }
        }
    }

    /**
     * Connects to the first address that answers, and begins a publish.
     *
     * @param addresses of the target's host, checked; the host is not looked up again
     * @return owned by the caller, which closes it
     * @throws RtmpPushException with the reason, for the operator
     */
    public RtmpPush open(RtmpTarget target, String streamKey, List<InetAddress> addresses)
            throws RtmpPushException, InterruptedException {
        RtmpPushException last = new RtmpPushException("the host's name has no address now");
        for (InetAddress address : addresses) {
            RtmpPush.Unsent unsent = new RtmpPush.Unsent();
            RtmpPushHandler handler =
                    new RtmpPushHandler(
                            PushOpening.of(target, streamKey),
                            () -> unsent.hasWaited(limits.stall()));
            ChannelFuture connecting =
                    connector.open(
                            loops, new InetSocketAddress(address, target.port()), target, handler);
            try {
                connecting.await();
            } catch (InterruptedException e) {
                connecting.cancel(true);
                var _ = connecting.channel().close();
                throw e;
            }
            if (connecting.isSuccess()) {
                Channel channel = connecting.channel();
                RtmpPushHandler.Published published = awaitPublished(channel, handler);
                return new RtmpPush(channel, handler, published, streamKey, unsent);
            }
            last = new RtmpPushException(connectFailure(connecting.cause()));
        }
        throw last;
    }

    private RtmpPushHandler.Published awaitPublished(Channel channel, RtmpPushHandler handler)
            throws RtmpPushException, InterruptedException {
        CompletableFuture<?> either = CompletableFuture.anyOf(handler.published(), handler.ended());
        boolean begun = false;
        try {
            either.get(limits.publish().toNanos(), TimeUnit.NANOSECONDS);
            String failure = handler.ended().getNow("");
            if (!failure.isEmpty()) {
                throw new RtmpPushException(failure);
            }
            begun = true;
            return handler.published().join();
        } catch (TimeoutException _) {
            throw new RtmpPushException(
                    "the target has not answered "
                            + handler.waitsFor()
                            + " within "
                            + limits.publish().toSeconds()
                            + " s");
        } catch (ExecutionException e) {
            throw new IllegalStateException("a publish completes with a value", e);
        } finally {
            if (!begun) {
                var _ = channel.close();
            }
        }
    }

    private static String connectFailure(@Nullable Throwable cause) {
        return switch (cause) {
            case ConnectTimeoutException _ -> "no connection in time";
            case ConnectException _ -> "the target refuses the connection";
            case null, default -> "cannot connect";
        };
    }

    /** Closes all connections, within seconds. Idempotent. */
    @Override
    public void close() {
        loops.shutdownGracefully(/* quietPeriod= */ 0, CLOSE_MS, TimeUnit.MILLISECONDS)
                .awaitUninterruptibly(2 * CLOSE_MS);
    }
}
