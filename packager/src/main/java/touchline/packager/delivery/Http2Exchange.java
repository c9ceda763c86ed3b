package touchline.packager.delivery;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.packager.delivery.DeliveryCounters.Protocol;

/**
 * One request on a stream of HTTP/2, and its answer: frames on one side, the messages of HTTP/1.1
 * on the other (RFC 9113, 8.3 and 8.2.2). Checks its deadlines when {@link #look} is called. Event
 * loop only.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what fails here fails because the stream is closing
final class Http2Exchange extends ChannelDuplexHandler {
    private static final Logger LOG = LoggerFactory.getLogger(Http2Exchange.class);

    private enum State {
        NEW,
        WORKING,
        WRITING,
        DONE
    }

    private final DeliveryContext context;
    private final Http2Connection connection;

    private State state = State.NEW;
    private @Nullable ChannelHandlerContext ctx;
    private @Nullable HttpRequest request;
    private boolean requestEnded;
    private long pendingBytes;
    private long takenBytes;

    /** A chunk was not written because the connection is at its limit. */
    private boolean wasRefused;

    /** A write has failed: the stream or the connection is closed, even if its channel is open. */
    private boolean failed;

    /** Bytes accepted at the last check of a slow viewer, and its time. */
    private long lookedNs;

    private long lookedTakenBytes;
    private long lookedConnectionBytes;

    Http2Exchange(DeliveryContext context, Http2Connection connection) {
        this.context = context;
        this.connection = connection;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        ctx = added;
        lookedNs = context.nanoTime().getAsLong();
        connection.opened(this);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        connection.closed(this);
        ctx.fireChannelInactive();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        connection.closed(this);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (message instanceof Http2HeadersFrame head && state == State.NEW) {
            begin(ctx, head);
        }
        ReferenceCountUtil.release(message);
    }

    private void begin(ChannelHandlerContext ctx, Http2HeadersFrame head) {
        state = State.WORKING;
        requestEnded = head.isEndStream();
        HttpRequest made = request(head.headers());
        request = made;
        context.counters().requested(Protocol.HTTP_2);
        Optional<ErrorEnvelope> violation = RequestRules.http2Violation(made, requestEnded);
        if (violation.isEmpty()) {
            ctx.fireChannelRead(made);
            return;
        }
        context.counters().requested(DeliveryCounters.Kind.OTHER);
        write(ctx, ErrorResponse.of(context.headers(), violation.get()), ctx.newPromise());
        ctx.flush();
    }

    /** RFC 9113, 8.3.1: :authority replaces Host. The codec has checked the names. */
    private static HttpRequest request(Http2Headers head) {
        HttpRequest made =
                new DefaultHttpRequest(
                        HttpVersion.HTTP_1_1,
                        HttpMethod.valueOf(text(head.method())),
                        text(head.path()),
                        ResponseHeaders.unchecked());
        HttpHeaders headers = made.headers();
        CharSequence authority = head.authority();
        if (authority != null) {
            headers.add(HttpHeaderNames.HOST, authority);
        }
        for (Map.Entry<CharSequence, CharSequence> field : head) {
            CharSequence name = field.getKey();
            boolean replaced = authority != null && HttpHeaderNames.HOST.contentEquals(name);
            if (name.length() > 0 && name.charAt(0) != ':' && !replaced) {
                headers.add(name, field.getValue());
            }
        }
        return made;
    }

    private static String text(@Nullable CharSequence value) {
        return value == null || value.length() == 0 ? "-" : value.toString();
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
        if (message instanceof HttpResponse response) {
            writeHead(ctx, response, promise);
        } else if (message instanceof HttpContent content) {
            writeBody(ctx, content.content(), message instanceof LastHttpContent, promise);
        } else {
            ctx.write(message, promise);
        }
    }

    private void writeHead(
            ChannelHandlerContext ctx, HttpResponse response, ChannelPromise promise) {
        state = State.WRITING;
        lookedNs = context.nanoTime().getAsLong();
        lookedTakenBytes = takenBytes;
        lookedConnectionBytes = connection.takenBytes();
        context.counters().answered(response.status().code());
        AccessLog.answered(ctx.channel(), request, response);
        Http2Headers head =
                new DefaultHttp2Headers(/* validate= */ false)
                        .status(response.status().codeAsText());
        Iterator<Map.Entry<CharSequence, CharSequence>> fields =
                response.headers().iteratorCharSequence();
        while (fields.hasNext()) {
            Map.Entry<CharSequence, CharSequence> field = fields.next();
            head.add(field.getKey(), field.getValue());
        }
        if (!(response instanceof FullHttpResponse full)) {
            ctx.write(new DefaultHttp2HeadersFrame(head), promise);
        } else if (full.content().isReadable()) {
            ctx.write(new DefaultHttp2HeadersFrame(head));
            writeBody(ctx, full.content(), /* last= */ true, promise);
        } else {
            full.release();
            ctx.write(new DefaultHttp2HeadersFrame(head, /* endStream= */ true), promise.unvoid())
                    .addListener(sent -> answered(ctx, sent));
        }
    }

    /** Takes ownership of the bytes. */
    private void writeBody(
            ChannelHandlerContext ctx, ByteBuf bytes, boolean last, ChannelPromise promise) {
        int count = bytes.readableBytes();
        pendingBytes += count;
        connection.handed(count);
        ctx.write(new DefaultHttp2DataFrame(bytes, last), promise.unvoid())
                .addListener(sent -> taken(ctx, count, last, sent));
    }

    private void taken(ChannelHandlerContext ctx, int bytes, boolean last, Future<?> sent) {
        pendingBytes -= bytes;
        connection.taken(bytes, sent.isSuccess());
        if (sent.isSuccess()) {
            takenBytes += bytes;
        } else {
            failed = true;
        }
        if (last) {
            answered(ctx, sent);
        } else if (wasRefused && !failed) {
            wasRefused = false;
            ctx.fireChannelWritabilityChanged();
        }
    }

    /** The rest of the request is not needed (RFC 9113, 8.1). */
    private void answered(ChannelHandlerContext ctx, Future<?> sent) {
        state = State.DONE;
        connection.closed(this);
        if (!sent.isSuccess()) {
            ctx.close();
        } else if (!requestEnded) {
            ctx.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.NO_ERROR));
        }
    }

    /**
     * A stream without pending bytes may always write a chunk: its completion resumes the writer.
     */
    boolean takesMore() {
        if (ctx == null || failed || !ctx.channel().isActive() || !ctx.channel().isWritable()) {
            return false;
        }
        wasRefused = pendingBytes > 0 && !connection.hasRoom();
        return !wasRefused;
    }

    void closing() {
        if (ctx != null) {
            ctx.channel().pipeline().fireUserEventTriggered(ConnectionEvent.CLOSING);
        }
    }

    /** Closes the stream if a deadline has passed. */
    void look(long nowNs) {
        ChannelHandlerContext own = ctx;
        if (own == null || state == State.DONE) {
            return;
        }
        if (state != State.WRITING) {
            if (nowNs - lookedNs >= context.limits().work().toNanos()) {
                context.counters().timedOut();
                own.close();
            }
        } else if (nowNs - lookedNs >= context.limits().stall().toNanos()) {
            lookAtViewer(own, nowNs);
        } else {
            own.fireUserEventTriggered(ConnectionEvent.STILL_WRITING);
        }
    }

    private void lookAtViewer(ChannelHandlerContext own, long nowNs) {
        int least = context.limits().stallBytes();
        boolean moves = takenBytes - lookedTakenBytes >= least;
        boolean connectionMoves = connection.takenBytes() - lookedConnectionBytes >= least;
        if (moves || (connectionMoves && connection.isWindowOpen(streamId(own.channel())))) {
            lookedNs = nowNs;
            lookedTakenBytes = takenBytes;
            lookedConnectionBytes = connection.takenBytes();
            return;
        }
        context.counters().slowViewerCut();
        if (connectionMoves) {
            own.close();
        } else {
            connection.cut();
        }
    }

    private static int streamId(Channel channel) {
        return ((Http2StreamChannel) channel).stream().id();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        // Not its message, which may contain the request and so a token.
        LOG.debug("stream closed: {}", cause.getClass().getName());
        ctx.close();
    }
}
