package touchline.overlay.scoreboard;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.CodecException;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.websocketx.WebSocketHandshakeException;
import io.netty.handler.codec.http.websocketx.WebSocketServerHandshaker13;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Netty's HTTP and WebSocket codecs (RFC 9112, RFC 6455) over the two streams of one connection.
 * One thread reads, any thread writes. The caller closes the streams.
 */
final class SiteConnection implements AutoCloseable {
    private static final int READ_BYTES = 4 << 10;

    /** A page sends neither bodies nor WebSocket messages: only control frames. */
    private static final int MAX_MESSAGE_BYTES = 64 << 10;

    private final InputStream from;
    private final OutputStream to;
    private final byte[] buffer = new byte[READ_BYTES];

    /** Held while the codecs run and while their output is written, never while reading. */
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final EmbeddedChannel codecs =
            new EmbeddedChannel(new HttpServerCodec(), new HttpObjectAggregator(MAX_MESSAGE_BYTES));

    SiteConnection(InputStream from, OutputStream to) {
        this.from = from;
        this.to = to;
    }

    /**
     * The next HTTP request, or WebSocket frame after {@link #upgrade}; empty at the end of the
     * stream. The caller releases it.
     *
     * @throws IOException the stream fails, or the bytes violate the protocol
     */
    Optional<Object> read() throws IOException {
        while (true) {
            Optional<Object> message = decoded();
            if (message.isPresent()) {
                return message;
            }
            int count = from.read(buffer);
            if (count < 0) {
                return Optional.empty();
            }
            decode(Unpooled.copiedBuffer(buffer, 0, count));
        }
    }

    /** Writes an HTTP response or a WebSocket frame and takes ownership of it. */
    void write(Object message) throws IOException {
        lock.lock();
        try {
            codecs.writeOutbound(message);
            flush();
        } catch (CodecException e) {
            throw new IOException(e.getMessage(), e);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Answers a WebSocket handshake; frames follow.
     *
     * @throws IOException the handshake is invalid
     */
    void upgrade(FullHttpRequest request) throws IOException {
        lock.lock();
        try {
            var _ =
                    new WebSocketServerHandshaker13(
                            request.uri(),
                            /* subprotocols= */ null,
                            /* allowExtensions= */ false,
                            MAX_MESSAGE_BYTES)
                    .handshake(codecs, request);
            codecs.checkException();
            flush();
        } catch (CodecException | WebSocketHandshakeException e) {
            throw new IOException(e.getMessage(), e);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            codecs.releaseInbound();
            codecs.releaseOutbound();
            var _ = codecs.close();
        } finally {
            lock.unlock();
        }
    }

    private Optional<Object> decoded() {
        lock.lock();
        try {
            return Optional.ofNullable(codecs.readInbound());
        } finally {
            lock.unlock();
        }
    }

    private void decode(ByteBuf bytes) throws IOException {
        lock.lock();
        try {
            codecs.writeInbound(bytes);
            flush();
        } catch (CodecException e) {
            throw new IOException(e.getMessage(), e);
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void flush() throws IOException {
        for (ByteBuf out = codecs.readOutbound(); out != null; out = codecs.readOutbound()) {
            try {
                out.readBytes(to, out.readableBytes());
            } finally {
                out.release();
            }
        }
        to.flush();
    }
}
