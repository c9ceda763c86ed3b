package touchline.api.http;

import io.helidon.common.socket.SocketOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketOption;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Socket options whose use by the listener is the earliest moment at which a new connection is
 * seen: before its thread, and before TLS. Any thread.
 */
final class AcceptedSockets implements SocketOptions {
    private final SocketOptions options;
    private final Consumer<AcceptedSocket> accepted;

    /**
     * @param accepted refuses a connection by an exception
     */
    AcceptedSockets(SocketOptions options, Consumer<AcceptedSocket> accepted) {
        this.options = options;
        this.accepted = accepted;
    }

    @Override
    public void configureSocket(SocketChannel socket) {
        try {
            accepted.accept(
                    new AcceptedSocket(
                            socket.getRemoteAddress(),
                            socket.getLocalAddress(),
                            socket,
                            socket::shutdownOutput));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        options.configureSocket(socket);
    }

    @Override
    public void configureSocket(Socket socket) {
        options.configureSocket(socket);
    }

    @Override
    public Map<SocketOption<?>, Object> socketOptions() {
        return options.socketOptions();
    }

    @Override
    public Duration connectTimeout() {
        return options.connectTimeout();
    }

    @Override
    public Duration readTimeout() {
        return options.readTimeout();
    }

    @Override
    public Optional<Integer> socketReceiveBufferSize() {
        return options.socketReceiveBufferSize();
    }

    @Override
    public Optional<Integer> socketSendBufferSize() {
        return options.socketSendBufferSize();
    }

    @Override
    public boolean socketReuseAddress() {
        return options.socketReuseAddress();
    }

    @Override
    public boolean socketKeepAlive() {
        return options.socketKeepAlive();
    }

    @Override
    public boolean tcpNoDelay() {
        return options.tcpNoDelay();
    }
}
