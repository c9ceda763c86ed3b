package touchline.ingest.rtmp;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.timeout.IdleStateHandler;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Opens the connections of RTMP clients. Any thread.
 *
 * @param connect longest time for the TCP connection and for TLS
 * @param stall time after which a client looks whether the network takes nothing of what is sent
 * @param tls of a client, which checks certificates
 * @param budget of their replies
 */
record RtmpConnector(
        Duration connect, Duration stall, Supplier<SslContext> tls, ReceiveBudget budget) {
    /** Replies of a target are commands of some hundred bytes. */
    private static final int MAX_REPLY_BYTES = 64 << 10;

    /** Bytes in the kernel beyond those in flight: a slow target must not hide behind a buffer. */
    private static final long NOT_SENT_BYTES = 64 << 10;

    /** Unsent bytes in this process at which a sender is asked to stop, and to go on. */
    private static final WriteBufferWaterMark UNSENT = new WriteBufferWaterMark(256 << 10, 1 << 20);

    /**
     * @param loops where the connection lives
     * @param target for TLS
     * @param handler leads the dialogue
     */
    ChannelFuture open(
            EventLoopGroup loops,
            InetSocketAddress address,
            RtmpTarget target,
            RtmpPushHandler handler) {
        Bootstrap bootstrap =
                new Bootstrap()
                        .group(loops)
                        .channel(
                                Epoll.isAvailable()
                                        ? EpollSocketChannel.class
                                        : NioSocketChannel.class)
                        .option(
                                ChannelOption.CONNECT_TIMEOUT_MILLIS,
                                Math.toIntExact(connect.toMillis()))
                        .option(ChannelOption.TCP_NODELAY, true)
                        .option(ChannelOption.SO_KEEPALIVE, true)
                        .option(ChannelOption.WRITE_BUFFER_WATER_MARK, UNSENT)
                        .handler(new Initializer(target, handler));
        if (Epoll.isAvailable()) {
            bootstrap.option(EpollChannelOption.TCP_NOTSENT_LOWAT, NOT_SENT_BYTES);
        }
        return bootstrap.connect(address);
    }

    /** Adds the handlers in the order in which bytes pass them. */
    private final class Initializer extends ChannelInitializer<Channel> {
        private final RtmpTarget target;
        private final RtmpPushHandler handler;

        Initializer(RtmpTarget target, RtmpPushHandler handler) {
            this.target = target;
            this.handler = handler;
        }

        @Override
        protected void initChannel(Channel channel) {
            ChannelPipeline pipeline = channel.pipeline();
            pipeline.addLast(
                    new IdleStateHandler(
                            /* observeOutput= */ true,
                            0,
                            stall.toMillis(),
                            0,
                            TimeUnit.MILLISECONDS));
            if (target.tls()) {
                SslHandler encryption =
                        tls.get().newHandler(channel.alloc(), target.host(), target.port());
                encryption.setHandshakeTimeoutMillis(connect.toMillis());
                pipeline.addLast(encryption);
            }
            // What targets reply does not count as received from encoders.
            RtmpChunkDecoder decoder =
                    new RtmpChunkDecoder(MAX_REPLY_BYTES, new RtmpCounters(), budget);
            pipeline.addLast(new RtmpClientHandshake(), new RtmpChunkEncoder(), decoder, handler);
            // Its replies may hold data messages, and are small.
            decoder.admitted();
        }
    }
}
