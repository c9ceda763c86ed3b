package touchline.benchmarks.hostile;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/**
 * A connection of an attacker, from another address of loopback than the other clients. The server
 * has no limit of connections for such addresses, as if each came from one of its own. One thread.
 */
final class Connection implements AutoCloseable {
    /** Longer than every deadline of the server. */
    static final Duration PATIENCE = Duration.ofSeconds(150);

    private static final String ATTACKER = "127.0.0.2";
    private static final int CONNECT_MS = 10_000;

    private final Socket socket;

    private Connection(Socket socket) throws SocketException {
        this.socket = socket;
        socket.setTcpNoDelay(true);
        socket.setSoTimeout((int) PATIENCE.toMillis());
    }

    /** TCP only. */
    static Connection tcp(URI address) throws IOException {
        Socket socket = new Socket();
        try {
            socket.bind(new InetSocketAddress(InetAddress.getByName(ATTACKER), 0));
            socket.connect(new InetSocketAddress(address.getHost(), address.getPort()), CONNECT_MS);
            return new Connection(socket);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /**
     * @param protocol for ALPN, such as {@code h2}
     */
    static Connection tls(URI address, String protocol) throws IOException {
        Connection plain = tcp(address);
        try {
            SSLSocket secure =
                    (SSLSocket)
                            SSLContext.getDefault()
                                    .getSocketFactory()
                                    .createSocket(
                                            plain.socket,
                                            address.getHost(),
                                            address.getPort(),
                                            /* autoClose= */ true);
            SSLParameters parameters = secure.getSSLParameters();
            parameters.setApplicationProtocols(new String[] {protocol});
            secure.setSSLParameters(parameters);
            secure.startHandshake();
            return new Connection(secure);
        } catch (IOException e) {
            plain.close();
            throw new IOException("TLS: " + e.getMessage(), e);
        } catch (java.security.NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    void send(String text) throws IOException {
        send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    void send(byte[] bytes) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write(bytes);
        out.flush();
    }

    InputStream in() throws IOException {
        return socket.getInputStream();
    }

    /** Applies to each read. */
    void patience(Duration limit) throws SocketException {
        socket.setSoTimeout((int) limit.toMillis());
    }

    /** Drops what has arrived; false at the end of the connection. */
    boolean drain() throws IOException {
        socket.setSoTimeout(1);
        try {
            byte[] dropped = new byte[4096];
            int count = 0;
            while (count >= 0) {
                count = in().read(dropped);
            }
            return false;
        } catch (SocketTimeoutException _) {
            return true;
        } finally {
            socket.setSoTimeout((int) PATIENCE.toMillis());
        }
    }

    /** Reads up to the end of the connection, and says how it came. */
    String awaitEnd() throws IOException {
        StringBuilder head = new StringBuilder();
        try {
            byte[] piece = new byte[8192];
            for (int count = in().read(piece); count >= 0; count = in().read(piece)) {
                if (head.length() < 1 << 16) {
                    head.append(new String(piece, 0, count, StandardCharsets.ISO_8859_1));
                }
            }
            return status(head) + "closed";
        } catch (SocketTimeoutException _) {
            return status(head) + "open after " + PATIENCE.toSeconds() + " s";
        } catch (SocketException _) {
            return status(head) + "reset";
        } catch (IOException _) {
            return status(head) + "closed";
        }
    }

    private static String status(StringBuilder head) {
        int last = head.lastIndexOf("HTTP/1.1 ");
        return last < 0 || last + 12 > head.length()
                ? ""
                : "HTTP " + head.substring(last + 9, last + 12) + ", ";
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
