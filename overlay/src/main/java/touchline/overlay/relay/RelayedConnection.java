package touchline.overlay.relay;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.epoll.EpollSocketChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.OptionalInt;

/**
 * Connects a browser's connection to the proxy that its address stands for. It starts without
 * reading. Event loop; shared by all connections.
 */
@ChannelHandler.Sharable
final class RelayedConnection extends ChannelInboundHandlerAdapter {
    private final RelayedPorts ports;

    RelayedConnection(RelayedPorts ports) {
        this.ports = ports;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        Channel browser = ctx.channel();
        InetSocketAddress local = (InetSocketAddress) browser.localAddress();
        OptionalInt port = ports.enter(browser, local.getAddress());
        if (port.isEmpty()) {
            ChannelFuture _ = ctx.close();
            return;
        }
        Bootstrap proxy =
                new Bootstrap()
                        .group(browser.eventLoop())
                        .channel(EpollSocketChannel.class)
                        .option(ChannelOption.TCP_NODELAY, true)
                        .handler(new Forwarder(browser));
        ChannelFuture _ =
                proxy.connect(
                                new InetSocketAddress(
                                        InetAddress.ofLiteral("127.0.0.1"), port.getAsInt()))
                        .addListener(
                                (ChannelFuture connected) -> {
                                    if (connected.isSuccess() && browser.isActive()) {
                                        browser.pipeline()
                                                .addLast(new Forwarder(connected.channel()));
                                        browser.config().setAutoRead(true);
                                    } else {
                                        ChannelFuture _ = connected.channel().close();
                                        ChannelFuture _ = browser.close();
                                    }
                                });
    }
}
