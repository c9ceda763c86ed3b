package touchline.packager.delivery;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ApplicationProtocolNegotiationHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * After the TLS handshake, sets up the pipeline for the negotiated protocol (RFC 7301). The TLS
 * handler limits the handshake's time. Event loop only.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a close that fails is a close
final class AlpnHandler extends ApplicationProtocolNegotiationHandler {
    private static final Logger LOG = LoggerFactory.getLogger(AlpnHandler.class);

    private final DeliveryCounters counters;

    /** Adds the handlers of the protocol. */
    @FunctionalInterface
    interface Agreed {
        void speak(boolean http2);
    }

    private final Agreed agreed;

    AlpnHandler(DeliveryCounters counters, Agreed agreed) {
        super(ApplicationProtocolNames.HTTP_1_1);
        this.counters = counters;
        this.agreed = agreed;
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) throws Exception {
        if (event instanceof SslHandshakeCompletionEvent handshake && !handshake.isSuccess()) {
            counters.handshakeFailed();
            LOG.debug("TLS handshake failed: {}", handshake.cause().toString());
        } else if (event == ConnectionEvent.CLOSING) {
            ctx.close();
        }
        super.userEventTriggered(ctx, event);
    }

    @Override
    protected void configurePipeline(ChannelHandlerContext ctx, String protocol) {
        agreed.speak(protocol.equals(ApplicationProtocolNames.HTTP_2));
    }

    /** The event that comes with it counts and logs it. */
    @Override
    protected void handshakeFailure(ChannelHandlerContext ctx, Throwable cause) {
        ctx.close();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        ctx.close();
    }
}
