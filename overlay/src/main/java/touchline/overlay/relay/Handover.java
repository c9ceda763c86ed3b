package touchline.overlay.relay;

import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.unix.FileDescriptor;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Receives one descriptor over a Unix socket and passes it on with its ownership. Event loop. */
final class Handover extends ChannelInboundHandlerAdapter {
    private static final Logger log = LoggerFactory.getLogger(Handover.class);

    private final Consumer<FileDescriptor> receiver;
    private boolean received;

    Handover(Consumer<FileDescriptor> receiver) {
        this.receiver = receiver;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) throws Exception {
        FileDescriptor descriptor = (FileDescriptor) message;
        if (received) {
            descriptor.close();
            return;
        }
        received = true;
        receiver.accept(descriptor);
        ChannelFuture _ = ctx.close();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        log.debug("handover", cause);
        ChannelFuture _ = ctx.close();
    }
}
