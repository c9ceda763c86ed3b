package touchline.benchmarks.load;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/** A blocking TLS connection; it trusts what the default context of this JVM trusts. One thread. */
final class TlsChannel implements ByteChannel {
    private static final int PIECE_BYTES = 1 << 16;

    private final SSLSocket socket;
    private final byte[] piece = new byte[PIECE_BYTES];

    private TlsChannel(SSLSocket socket) {
        this.socket = socket;
    }

    static TlsChannel open(URI address) throws IOException {
        SSLSocket socket =
                (SSLSocket)
                        SSLSocketFactory.getDefault()
                                .createSocket(address.getHost(), address.getPort());
        socket.setTcpNoDelay(true);
        return new TlsChannel(socket);
    }

    @Override
    public int read(ByteBuffer to) throws IOException {
        int count = socket.getInputStream().read(piece, 0, Math.min(piece.length, to.remaining()));
        if (count > 0) {
            to.put(piece, 0, count);
        }
        return count;
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        int count = Math.min(piece.length, from.remaining());
        from.get(piece, 0, count);
        socket.getOutputStream().write(piece, 0, count);
        return count;
    }

    @Override
    public boolean isOpen() {
        return !socket.isClosed();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
