package touchline.packager.delivery;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.SslClientHelloHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.ImmediateEventExecutor;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * First handler of a connection while a TLS-ALPN-01 challenge runs (RFC 8737): looks at the
 * ClientHello. A validating authority, which offers {@code acme-tls/1} alone, gets the challenge's
 * certificate and is disconnected after the handshake. Everything else goes on as usual. Event loop
 * only.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a close that fails is a close
final class AcmeTlsHandler extends SslClientHelloHandler<Optional<SslContext>> {
    /** RFC 8737, 6.2. */
    static final String PROTOCOL = "acme-tls/1";

    private final PlaybackTls tls;
    private final Supplier<SslHandler> usual;
    private final long timeoutMs;
    private @Nullable Future<?> timeout;

    /**
     * @param usual makes the handler that takes the handshake of other clients
     * @param timeoutMs of the ClientHello, and of the handshake with an authority
     */
    AcmeTlsHandler(PlaybackTls tls, Supplier<SslHandler> usual, long timeoutMs) {
        this.tls = tls;
        this.usual = usual;
        this.timeoutMs = timeoutMs;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) throws Exception {
        super.handlerAdded(context);
        timeout =
                context.executor()
                        .schedule(() -> context.close(), timeoutMs, TimeUnit.MILLISECONDS);
    }

    @Override
    protected void handlerRemoved0(ChannelHandlerContext context) throws Exception {
        if (timeout != null) {
            timeout.cancel(/* mayInterruptIfRunning= */ false);
        }
        super.handlerRemoved0(context);
    }

    @Override
    protected Future<Optional<SslContext>> lookup(
            ChannelHandlerContext context, @Nullable ByteBuf clientHello) {
        Optional<SslContext> answer =
                Optional.ofNullable(clientHello)
                        .flatMap(ClientHello::parse)
                        .filter(hello -> hello.protocols().equals(List.of(PROTOCOL)))
                        .flatMap(hello -> tls.challenge(hello.name().toLowerCase(Locale.ROOT)));
        return ImmediateEventExecutor.INSTANCE.newSucceededFuture(answer);
    }

    @Override
    protected void onLookupComplete(
            ChannelHandlerContext context, Future<Optional<SslContext>> lookup) {
        Optional<SslContext> answer = lookup.getNow();
        if (answer.isPresent()) {
            context.pipeline().remove(AlpnHandler.class);
            context.pipeline().replace(this, "tls", validation(context, answer.get()));
        } else {
            context.pipeline().replace(this, "tls", usual.get());
        }
    }

    private SslHandler validation(ChannelHandlerContext context, SslContext answer) {
        SslHandler handler = answer.newHandler(context.alloc());
        handler.setHandshakeTimeoutMillis(timeoutMs);
        // The validation ends with the handshake (RFC 8737, 3).
        handler.handshakeFuture().addListener(_ -> context.channel().close());
        return handler;
    }

    /** What matters of a ClientHello. */
    record ClientHello(String name, List<String> protocols) {
        private static final int VERSION_AND_RANDOM_BYTES = 34;
        private static final int SERVER_NAME = 0;
        private static final int ALPN = 16;

        /**
         * @param body from its version on (RFC 8446, 4.1.2), read without moving its index
         * @return empty if it has no extensions or is malformed
         */
        static Optional<ClientHello> parse(ByteBuf body) {
            ByteBuf in = body.slice();
            try {
                in.skipBytes(VERSION_AND_RANDOM_BYTES);
                in.skipBytes(in.readUnsignedByte());
                in.skipBytes(in.readUnsignedShort());
                in.skipBytes(in.readUnsignedByte());
                return Optional.of(extensions(in.readSlice(in.readUnsignedShort())));
            } catch (IndexOutOfBoundsException _) {
                // The usual handler answers with the right alert.
                return Optional.empty();
            }
        }

        private static ClientHello extensions(ByteBuf in) {
            String name = "";
            List<String> protocols = List.of();
            while (in.isReadable()) {
                int type = in.readUnsignedShort();
                ByteBuf value = in.readSlice(in.readUnsignedShort());
                if (type == SERVER_NAME) {
                    // A list with one name of type host_name (RFC 6066, 3).
                    value.skipBytes(3);
                    name = text(value.readSlice(value.readUnsignedShort()));
                } else if (type == ALPN) {
                    value.skipBytes(2);
                    protocols = protocols(value);
                }
            }
            return new ClientHello(name, protocols);
        }

        private static List<String> protocols(ByteBuf in) {
            List<String> names = new ArrayList<>();
            while (in.isReadable()) {
                names.add(text(in.readSlice(in.readUnsignedByte())));
            }
            return List.copyOf(names);
        }

        private static String text(ByteBuf bytes) {
            return bytes.toString(StandardCharsets.US_ASCII);
        }
    }
}
