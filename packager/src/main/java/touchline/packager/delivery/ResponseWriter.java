package touchline.packager.delivery;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.FileRegion;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes answers to one channel, one at a time, as fast as the viewer reads: above the high water
 * mark it waits for {@link #resume}. Event loop only.
 */
@SuppressWarnings(
        "FutureReturnValueIgnored") // a failed write fails the last one of its answer too, and that
// one is watched
final class ResponseWriter {
    private static final Logger LOG = LoggerFactory.getLogger(ResponseWriter.class);

    private final ChannelHandlerContext ctx;
    private final DeliveryContext context;
    private final BooleanSupplier takesMore;
    private @Nullable ResponseBody body;
    private long bodyBytes;
    private long bodyAnswer;
    private boolean pumping;

    /**
     * A file that is followed by another is being sent. The channel does not count files as unsent,
     * and would open all at once.
     */
    private boolean sendsFile;

    /** The kernel waits for full packets, until the answer's end. */
    private boolean corked;

    /** An answer from memory is being sent, since then. */
    private boolean holdsMemory;

    private long heldSinceNs;

    /** Number of the current answer: a completed answer must not end the time of the next one. */
    private long answers;

    /**
     * @param takesMore whether another chunk may be written now; call {@link #resume} when that
     *     changes
     */
    ResponseWriter(ChannelHandlerContext ctx, DeliveryContext context, BooleanSupplier takesMore) {
        this.ctx = ctx;
        this.context = context;
        this.takesMore = takesMore;
    }

    /** A whole answer; takes ownership of its content. */
    void write(FullHttpResponse response) {
        long bytes = response.content().readableBytes();
        long mine = begin(bytes > 0);
        ctx.writeAndFlush(response).addListener(sent -> through(sent, mine, bytes));
    }

    /** A whole answer; takes ownership of the content. */
    void write(HttpResponseStatus status, HttpHeaders headers, ByteBuf content) {
        write(
                new DefaultFullHttpResponse(
                        HttpVersion.HTTP_1_1, status, content, headers, EmptyHttpHeaders.INSTANCE));
    }

    /** A head without a body: HEAD, 204, 304. */
    void writeHead(HttpResponseStatus status, HttpHeaders headers) {
        write(status, headers, Unpooled.EMPTY_BUFFER);
    }

    /** A head and its body; takes ownership of the body. */
    void write(HttpResponseStatus status, HttpHeaders headers, ResponseBody outgoing) {
        ByteBuf single = outgoing.single();
        if (single != null) {
            write(status, headers, single);
            return;
        }
        body = outgoing;
        bodyBytes = outgoing.leftBytes();
        bodyAnswer = begin(!outgoing.isStored());
        ctx.write(new DefaultHttpResponse(HttpVersion.HTTP_1_1, status, headers));
        pump();
    }

    /** Whether an answer has kept memory for longer than a viewer may. */
    boolean holdsTooLong() {
        return holdsMemory
                && context.nanoTime().getAsLong() - heldSinceNs
                        >= context.limits().hold().toNanos();
    }

    /**
     * @param fromMemory its body keeps memory until it is through
     * @return the answer's number
     */
    private long begin(boolean fromMemory) {
        holdsMemory = fromMemory;
        heldSinceNs = context.nanoTime().getAsLong();
        return ++answers;
    }

    /** The channel may be writable again. */
    void resume() {
        if (body != null) {
            pump();
        }
    }

    /** The channel is gone. */
    void close() {
        ResponseBody unsent = body;
        body = null;
        if (unsent != null) {
            unsent.close();
        }
    }

    /**
     * Writes until the channel is full. A write may change the channel's writability, which calls
     * {@link #resume} in the middle of it; Netty's HTTP encoder cannot be entered again there (it
     * would send the piece twice), so the round under way goes on instead.
     */
    private void pump() {
        if (pumping) {
            return;
        }
        pumping = true;
        try {
            do {
                fill();
                ctx.flush();
            } while (mayWrite());
        } catch (NoSuchFileException e) {
            LOG.info("stored media was deleted while it was sent: {}", e.getMessage());
            close();
            ctx.close();
        } catch (IOException e) {
            LOG.warn("stored media could not be read", e);
            close();
            ctx.close();
        } finally {
            pumping = false;
        }
    }

    private void fill() throws IOException {
        while (body != null && mayWrite()) {
            if (body.leftBytes() == 0) {
                close();
                long bytes = bodyBytes;
                long mine = bodyAnswer;
                ctx.write(LastHttpContent.EMPTY_LAST_CONTENT)
                        .addListener(sent -> through(sent, mine, bytes));
            } else {
                Object piece = body.next(ctx.alloc());
                writePiece(piece, /* last= */ body.leftBytes() == 0);
            }
        }
    }

    private void through(Future<?> sent, long answer, long bytes) {
        cork(false);
        holdsMemory &= answer != answers;
        if (sent.isSuccess()) {
            context.counters().sent(bytes);
        }
    }

    /** The same that nginx calls tcp_nopush. */
    private void cork(boolean wanted) {
        if (corked != wanted
                && ctx.channel() instanceof EpollSocketChannel channel
                && channel.isOpen()) {
            channel.config().setTcpCork(wanted);
            corked = wanted;
        }
    }

    private boolean mayWrite() {
        return body != null
                && !sendsFile
                && takesMore.getAsBoolean()
                && body.isReady(ctx.executor(), this::resume);
    }

    private void writePiece(Object piece, boolean last) {
        if (!(piece instanceof FileRegion)) {
            ctx.write(new DefaultHttpContent((ByteBuf) piece));
            return;
        }
        // A head in a packet of its own would wake the viewer for nothing.
        cork(true);
        sendsFile = !last;
        ChannelFuture written = ctx.write(piece);
        if (!last) {
            written.addListener(
                    _ -> {
                        sendsFile = false;
                        resume();
                    });
        }
    }
}
