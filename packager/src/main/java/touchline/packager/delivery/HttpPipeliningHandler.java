package touchline.packager.delivery;

import io.netty.buffer.ByteBufHolder;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.channel.FileRegion;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.packager.delivery.DeliveryCounters.Protocol;

/**
 * HTTP/1.1 on one connection: handles one request at a time and answers in order, also for
 * pipelined requests; keep-alive; deadlines for every phase; invalid requests end the connection.
 * Handlers after it get one request, answer it, and get the next. Event loop only.
 *
 * <pre>
 * IDLE -- request --&gt; WORKING -- head of the answer --&gt; WRITING -- all taken --&gt; IDLE
 *                                                           '-- not kept alive --&gt; LINGERING
 * </pre>
 */
@SuppressWarnings(
        "FutureReturnValueIgnored") // what fails here fails because the channel is closing
final class HttpPipeliningHandler extends ChannelDuplexHandler {
    private static final Logger LOG = LoggerFactory.getLogger(HttpPipeliningHandler.class);

    private enum State {
        IDLE,
        WORKING,
        WRITING,
        LINGERING
    }

    private final DeliveryContext context;
    private final Queue<HttpRequest> waiting = new ArrayDeque<>(2);

    private State state = State.IDLE;
    private @Nullable HttpRequest current;
    private boolean keepAlive = true;
    private boolean http10;
    private boolean draining;
    private boolean closing;
    private boolean headStarted;
    private boolean readSomething;
    private boolean trusted;

    /** Bytes of bodies written to the channel, in total and at the last check of a slow viewer. */
    private long handedBytes;

    private long takenBytes;
    private @Nullable ConnectionTimer timer;

    HttpPipeliningHandler(DeliveryContext context) {
        this.context = context;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        timer = new ConnectionTimer(ctx.executor(), context.nanoTime(), () -> expired(ctx));
        timer.expireIn(context.limits().idle());
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        timer().cancel();
        waiting.clear();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        readSomething = true;
        if (message instanceof HttpRequest request && state != State.LINGERING) {
            waiting.add(request);
            drain(ctx);
            if (!waiting.isEmpty()) {
                ctx.channel().config().setAutoRead(false);
            }
        }
        ReferenceCountUtil.release(message);
    }

    /** A part of a head has arrived: the rest must follow in time. */
    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        if (state == State.IDLE && !readSomething && !headStarted) {
            headStarted = true;
            timer().expireIn(context.limits().head());
        }
        readSomething = false;
        ctx.fireChannelReadComplete();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event == ConnectionEvent.CLOSING) {
            closing = true;
            keepAlive = false;
            if (state == State.IDLE || state == State.LINGERING) {
                ctx.close();
            }
        }
        ctx.fireUserEventTriggered(event);
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
        if (message instanceof HttpResponse response) {
            answering(ctx, response);
        }
        if (message instanceof ByteBufHolder holder) {
            handedBytes += holder.content().readableBytes();
        } else if (message instanceof FileRegion region) {
            // The channel does not count files as pending, so they count when written.
            long bytes = region.count();
            ctx.write(message, promise.unvoid()).addListener(sent -> through(ctx, sent, bytes));
            return;
        }
        if (message instanceof LastHttpContent) {
            ctx.write(message, promise.unvoid()).addListener(sent -> answered(ctx, sent));
        } else {
            ctx.write(message, promise);
        }
    }

    private void through(ChannelHandlerContext ctx, Future<?> sent, long bytes) {
        if (sent.isSuccess()) {
            handedBytes += bytes;
            trustReader(ctx);
        }
    }

    /** The viewer has read a large answer, or a whole file of a larger one. */
    private void trustReader(ChannelHandlerContext ctx) {
        if (!trusted && handedBytes > TcpNotSentLowat.AT_FIRST) {
            trusted = true;
            TcpNotSentLowat.trust(ctx.channel());
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (cause instanceof IOException || cause instanceof DecoderException) {
            // Not its message, which may contain the request and so a token.
            LOG.debug("connection closed: {}", cause.getClass().getName());
        } else {
            LOG.error("closing connection after an internal error", cause);
        }
        ctx.close();
    }

    /** A loop, not a recursion: an answer may be complete before its request's call returns. */
    private void drain(ChannelHandlerContext ctx) {
        if (draining) {
            return;
        }
        draining = true;
        try {
            while (state == State.IDLE && !closing && !waiting.isEmpty()) {
                begin(ctx, waiting.remove());
            }
        } finally {
            draining = false;
        }
        if (waiting.isEmpty() && !ctx.channel().config().isAutoRead()) {
            ctx.channel().config().setAutoRead(true);
        }
    }

    private void begin(ChannelHandlerContext ctx, HttpRequest request) {
        state = State.WORKING;
        current = request;
        context.counters().requested(Protocol.HTTP_1);
        headStarted = false;
        timer().expireIn(context.limits().work());
        Optional<ErrorEnvelope> violation = RequestRules.violation(request);
        keepAlive = violation.isEmpty() && HttpUtil.isKeepAlive(request);
        http10 = request.protocolVersion().equals(HttpVersion.HTTP_1_0);
        if (violation.isEmpty()) {
            ctx.fireChannelRead(request);
            return;
        }
        context.counters().requested(DeliveryCounters.Kind.OTHER);
        waiting.clear();
        write(ctx, ErrorResponse.of(context.headers(), violation.get()), ctx.newPromise());
        ctx.flush();
    }

    private void answering(ChannelHandlerContext ctx, HttpResponse response) {
        state = State.WRITING;
        context.counters().answered(response.status().code());
        if (!keepAlive) {
            response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        } else if (http10) {
            response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.KEEP_ALIVE);
        }
        takenBytes = taken(ctx);
        timer().expireIn(context.limits().stall());
        AccessLog.answered(ctx.channel(), current, response);
    }

    private void answered(ChannelHandlerContext ctx, Future<?> sent) {
        if (!sent.isSuccess()) {
            ctx.close();
        } else if (!keepAlive) {
            linger(ctx);
        } else {
            state = State.IDLE;
            current = null;
            timer().expireIn(context.limits().idle());
            trustReader(ctx);
            drain(ctx);
        }
    }

    /**
     * Ends the output and reads until the client closes: closing at once would answer unread bytes
     * with a reset, and a reset overtakes the answer (RFC 9112, 9.6).
     */
    private void linger(ChannelHandlerContext ctx) {
        state = State.LINGERING;
        if (ctx.channel() instanceof DuplexChannel duplex
                && ctx.pipeline().get(SslHandler.class) == null) {
            ctx.channel().config().setAutoRead(true);
            timer().expireIn(context.limits().linger());
            duplex.shutdownOutput().addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
        } else {
            ctx.close();
        }
    }

    private void expired(ChannelHandlerContext ctx) {
        if (state == State.WRITING) {
            long now = taken(ctx);
            if (now - takenBytes >= context.limits().stallBytes()) {
                takenBytes = now;
                timer().expireIn(context.limits().stall());
                ctx.fireUserEventTriggered(ConnectionEvent.STILL_WRITING);
                return;
            }
            if (trusted) {
                // With this much unsent, a reading viewer would cause too few wake-ups to be
                // noticed.
                trusted = false;
                TcpNotSentLowat.distrust(ctx.channel());
                timer().expireIn(context.limits().stall());
                return;
            }
            context.counters().slowViewerCut();
        } else if (state != State.LINGERING) {
            context.counters().timedOut();
        }
        ctx.close();
    }

    /** Bytes written to the channel and accepted by the kernel, within a few hundred. */
    private long taken(ChannelHandlerContext ctx) {
        ChannelOutboundBuffer outbound = ctx.channel().unsafe().outboundBuffer();
        return outbound == null
                ? handedBytes
                : handedBytes - outbound.totalPendingWriteBytes() + outbound.currentProgress();
    }

    private ConnectionTimer timer() {
        if (timer == null) {
            throw new IllegalStateException("not in a pipeline");
        }
        return timer;
    }
}
