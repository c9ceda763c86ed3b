package touchline.packager.edge;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import touchline.packager.hls.MediaBlock;
import touchline.packager.hls.MediaMemory;

/**
 * One connection to another node, with one request at a time. The body is copied into a block of
 * media memory as it comes. Event loop only.
 */
final class UpstreamConnection extends SimpleChannelInboundHandler<HttpObject> {
    /** The largest segment that is fetched, and far more than any playlist. */
    private static final long MAX_BODY_BYTES = 256L << 20;

    private final UpstreamAddress address;
    private final NodeSigner signer;
    private final MediaMemory memory;
    private final Pool pool;

    private @Nullable Exchange current;

    /** Where connections wait for their next request. */
    interface Pool {
        /** The connection can take a request. */
        void idle(UpstreamConnection connection);

        /** The connection is closed. */
        void closed(UpstreamConnection connection);
    }

    /** The request under way. */
    private static final class Exchange {
        private final UpstreamCall call;
        private final ScheduledFuture<?> deadline;
        private final Map<String, String> headers = new HashMap<>();
        private int status;
        private boolean keepAlive;
        private @Nullable MediaBlock body;
        private @Nullable ByteBuffer free;

        Exchange(UpstreamCall call, ScheduledFuture<?> deadline) {
            this.call = call;
            this.deadline = deadline;
        }

        void discard() {
            deadline.cancel(false);
            MediaBlock unfinished = body;
            body = null;
            if (unfinished != null) {
                unfinished.release();
            }
        }
    }

    private @Nullable ChannelHandlerContext context;

    UpstreamConnection(UpstreamAddress address, NodeSigner signer, MediaMemory memory, Pool pool) {
        super(HttpObject.class);
        this.address = address;
        this.signer = signer;
        this.memory = memory;
        this.pool = pool;
    }

    UpstreamAddress address() {
        return address;
    }

    boolean isOpen() {
        return context != null && context.channel().isActive();
    }

    void close() {
        if (context != null) {
            var _ = context.close();
        }
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
    }

    /** Sends a request. The connection is open and has none. */
    void send(UpstreamRequest request, UpstreamCall call) {
        ChannelHandlerContext ctx = context;
        if (ctx == null || current != null) {
            throw new IllegalStateException("connection to " + address + ": not free");
        }
        ScheduledFuture<?> deadline =
                ctx.executor()
                        .schedule(
                                () -> failed(ctx, "no answer in time"),
                                request.attempt().toMillis(),
                                TimeUnit.MILLISECONDS);
        current = new Exchange(call, deadline);
        call.sentOn(ctx.channel());
        var _ = ctx.writeAndFlush(head(request));
    }

    private HttpRequest head(UpstreamRequest request) {
        HttpRequest head =
                new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, request.target());
        head.headers()
                .set(HttpHeaderNames.HOST, address.authority())
                .set(NodeSigner.HEADER, signer.sign("GET", request.target()));
        if (request.gzip()) {
            head.headers().set(HttpHeaderNames.ACCEPT_ENCODING, HttpHeaderValues.GZIP);
        }
        request.optionalRange().ifPresent(range -> head.headers().set("range", range));
        return head;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, HttpObject message) {
        Exchange exchange = current;
        if (exchange == null || message.decoderResult().isFailure()) {
            failed(ctx, "not HTTP");
            return;
        }
        if (message instanceof HttpResponse response) {
            begin(ctx, exchange, response);
        }
        if (current == exchange && message instanceof HttpContent content) {
            add(ctx, exchange, content.content());
            if (current == exchange && message instanceof LastHttpContent) {
                end(ctx, exchange);
            }
        }
    }

    private void begin(ChannelHandlerContext ctx, Exchange exchange, HttpResponse response) {
        long length = HttpUtil.getContentLength(response, 0L);
        if (length < 0 || length > MAX_BODY_BYTES || HttpUtil.isTransferEncodingChunked(response)) {
            failed(ctx, "body of " + length + " bytes (expected: a length up to 256 MiB)");
            return;
        }
        exchange.status = response.status().code();
        exchange.keepAlive = HttpUtil.isKeepAlive(response);
        for (Map.Entry<String, String> header : response.headers()) {
            exchange.headers.putIfAbsent(
                    header.getKey().toLowerCase(Locale.ROOT), header.getValue());
        }
        MediaBlock body = memory.allocate((int) length);
        exchange.body = body;
        exchange.free = body.bytes();
    }

    private void add(ChannelHandlerContext ctx, Exchange exchange, ByteBuf content) {
        ByteBuffer free = exchange.free;
        int count = content.readableBytes();
        if (free == null || count > free.remaining()) {
            failed(ctx, "more bytes than announced");
            return;
        }
        int limit = free.limit();
        free.limit(free.position() + count);
        content.readBytes(free);
        free.limit(limit);
    }

    private void end(ChannelHandlerContext ctx, Exchange exchange) {
        MediaBlock body = exchange.body;
        if (body == null || exchange.free == null || exchange.free.hasRemaining()) {
            failed(ctx, "fewer bytes than announced");
            return;
        }
        exchange.body = null;
        exchange.discard();
        current = null;
        if (exchange.keepAlive) {
            pool.idle(this);
        } else {
            var _ = ctx.close();
        }
        exchange.call.complete(
                new UpstreamAnswer(exchange.status, exchange.headers, body, address));
    }

    private void failed(ChannelHandlerContext ctx, String why) {
        Exchange exchange = current;
        current = null;
        if (exchange != null) {
            exchange.discard();
            exchange.call.fail(new UpstreamException(address.authority() + ": " + why));
        }
        var _ = ctx.close();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof IdleStateEvent && current == null) {
            var _ = ctx.close();
        }
        ctx.fireUserEventTriggered(event);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        pool.closed(this);
        failed(ctx, "connection closed");
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        failed(
                ctx,
                cause instanceof IOException
                        ? String.valueOf(cause.getMessage())
                        : cause.getClass().getName());
    }
}
