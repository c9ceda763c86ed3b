package touchline.api.app;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;
import touchline.config.ConfigLoader;
import touchline.media.net.FreePorts;

/** A whole server with TLS on all ports, and clients that look at its certificate. */
final class TlsServer implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String SECRET = "test-admin-secret-0123456789";
    private static final int PATIENCE_MS = 20_000;

    final int api = FreePorts.next();
    final int playback;
    final int rtmps = FreePorts.next();
    private final HttpClient client;
    private final Server server;

    private TlsServer(Path dataDir, int playback, Map<String, String> more) throws IOException {
        this.playback = playback;
        Map<String, String> all = new HashMap<>(more);
        all.put("TOUCHLINE_DATA_DIR", dataDir.toString());
        all.put("TOUCHLINE_ADMIN_SECRET", SECRET);
        all.put("TOUCHLINE_API_PORT", String.valueOf(api));
        all.put("TOUCHLINE_PLAYBACK_HOST", "127.0.0.1");
        all.put("TOUCHLINE_PLAYBACK_PORT", String.valueOf(playback));
        all.put("TOUCHLINE_RTMP_HOST", "127.0.0.1");
        all.put("TOUCHLINE_RTMP_PORT", "0");
        all.put("TOUCHLINE_RTMPS_PORT", String.valueOf(rtmps));
        client = HttpClient.newBuilder().sslContext(trusting()).build();
        EmptyDatabase.put(all);
        server = Server.start(new ConfigLoader(all, Path.of("..")).load());
    }

    /**
     * @param more variables beside those for folder, ports and secret
     */
    static TlsServer start(Path dataDir, Map<String, String> more) throws IOException {
        return start(dataDir, FreePorts.next(), more);
    }

    static TlsServer start(Path dataDir, int playback, Map<String, String> more)
            throws IOException {
        return new TlsServer(dataDir, playback, more);
    }

    /** Each call begins a session of its own: nothing is resumed. */
    static SSLContext trusting() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new Everything()}, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    /** A new connection after its handshake. */
    SSLSocket connect(int port) throws IOException {
        return connect(trusting(), port);
    }

    SSLSocket connect(SSLContext by, int port) throws IOException {
        SSLSocket socket =
                (SSLSocket)
                        by.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(PATIENCE_MS);
        socket.startHandshake();
        return socket;
    }

    /** The certificate that a new handshake sees. */
    X509Certificate shown(int port) throws IOException {
        try (SSLSocket socket = connect(port)) {
            return (X509Certificate) socket.getSession().getPeerCertificates()[0];
        }
    }

    BigInteger serial(int port) throws IOException {
        return shown(port).getSerialNumber();
    }

    JsonNode get(String path) throws Exception {
        return call("GET", path, null);
    }

    JsonNode post(String path, String body) throws Exception {
        return call("POST", path, body);
    }

    /** Data of the reply. */
    private JsonNode call(String method, String path, @Nullable String body) throws Exception {
        String reply =
                client.send(
                                HttpRequest.newBuilder(
                                                URI.create("https://127.0.0.1:" + api + path))
                                        .header("Authorization", "Bearer admin." + SECRET)
                                        .header("Content-Type", "application/json")
                                        .method(
                                                method,
                                                body == null
                                                        ? BodyPublishers.noBody()
                                                        : BodyPublishers.ofString(body))
                                        .build(),
                                BodyHandlers.ofString())
                        .body();
        return JSON.readTree(reply).path("data");
    }

    /** The text of the metrics. */
    String metrics() throws Exception {
        return client.send(
                        HttpRequest.newBuilder(
                                        URI.create("https://127.0.0.1:" + api + "/observe/metrics"))
                                .build(),
                        BodyHandlers.ofString())
                .body();
    }

    /** One request over an open connection; returns the status line. */
    static String request(SSLSocket socket, String target) throws IOException {
        socket.getOutputStream()
                .write(
                        ("GET " + target + " HTTP/1.1\r\nHost: localhost\r\n\r\n")
                                .getBytes(StandardCharsets.US_ASCII));
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int read = socket.getInputStream().read();
            if (read < 0) {
                throw new IOException("closed after: " + head);
            }
            head.append((char) read);
        }
        for (String line : head.toString().split("\r\n", -1)) {
            if (line.toLowerCase(Locale.ROOT).startsWith("content-length: ")) {
                socket.getInputStream().readNBytes(Integer.parseInt(line.substring(16).strip()));
            }
        }
        return head.substring(0, head.indexOf("\r\n"));
    }

    @Override
    public void close() {
        client.close();
        server.close();
    }

    /** A test looks at the certificate itself. */
    private static final class Everything extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
