package touchline.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.config.ServerConfig;
import touchline.config.TlsConfig;

/** The listener on a real socket: what the framework answers before a route, limits, TLS, stop. */
final class ApiServerIT {
    private static final int READ_TIMEOUT_MS = 20_000;

    private final HttpClient client = HttpClient.newHttpClient();
    private ApiFixture api;
    private ApiServer server;

    @BeforeEach
    void start() {
        api = new ApiFixture();
        server = ApiServer.of(TestConfig.of(false), api.dependencies, Optional.empty());
        server.start();
    }

    @AfterEach
    void stop() {
        server.close();
        client.close();
        api.close();
    }

    @Test
    void call_overHttp_isAnswered() throws Exception {
        HttpResponse<String> reply =
                client.send(
                        request("/live/v1/live-streams")
                                .POST(HttpRequest.BodyPublishers.ofString("{\"title\": \"a\"}"))
                                .header("Content-Type", "application/json")
                                .build(),
                        HttpResponse.BodyHandlers.ofString());

        assertEquals(200, reply.statusCode());
        assertEquals("a", json(reply.body()).at("/data/title").textValue());
    }

    @Test
    void bodyBeyondTheLimit_isAnsweredAlthoughItWasAllSent() throws Exception {
        byte[] body = new byte[3 << 20];
        HttpResponse<String> reply =
                client.send(
                        request("/live/v1/live-streams")
                                .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                                .header("Content-Type", "application/json")
                                .build(),
                        HttpResponse.BodyHandlers.ofString());

        assertEquals(413, reply.statusCode());
        assertEquals(41301, json(reply.body()).get("code").intValue());
    }

    @Test
    void chunkedBodyBeyondTheLimit_isRefusedToo() throws Exception {
        byte[] body = new byte[3 << 20];
        HttpResponse<String> reply =
                client.send(
                        request("/live/v1/live-streams")
                                .POST(
                                        HttpRequest.BodyPublishers.ofInputStream(
                                                () -> new java.io.ByteArrayInputStream(body)))
                                .header("Content-Type", "application/json")
                                .build(),
                        HttpResponse.BodyHandlers.ofString());

        assertEquals(413, reply.statusCode());
    }

    @Test
    void malformedRequests_areAnsweredWithTheEnvelope() throws Exception {
        String host = "Host: a\r\nConnection: close\r\n";
        for (String sent :
                List.of(
                        "GET /live/v1/live-streams?a=%zz HTTP/1.1\r\n" + host + "\r\n",
                        "GET /%zz HTTP/1.1\r\n" + host + "\r\n",
                        "GET / HTTP/1.1\r\nBad Header\r\n\r\n",
                        "GET / HTTP/1.1\r\n\r\n",
                        "GET /" + "x".repeat(20_000) + " HTTP/1.1\r\n" + host + "\r\n",
                        "GET / HTTP/1.1\r\n" + host + "X: " + "x".repeat(40_000) + "\r\n\r\n",
                        "POST /live/v1/live-streams HTTP/1.1\r\n"
                                + host
                                + "Content-Length: -1\r\n\r\n")) {
            String reply = exchange(sent);
            String start = sent.substring(0, Math.min(40, sent.length()));
            assertTrue(reply.startsWith("HTTP/1.1 4"), () -> start + " -> " + reply);
            JsonNode body = json(reply.substring(reply.indexOf("\r\n\r\n") + 4));
            int status = Integer.parseInt(reply.substring(9, 12));
            assertEquals(status, body.get("code").intValue() / 100, start);
            assertTrue(
                    api.document
                            .find("GET", "/live/v1/live-streams")
                            .orElseThrow()
                            .declared()
                            .get("responses")
                            .has(Integer.toString(status)),
                    () -> start + ": " + status + " is not declared");
            assertTrue(body.get("data").isNull());
            assertFalse(body.get("request_id").textValue().isEmpty());
        }
    }

    @Test
    void close_refusesNewConnections() {
        int port = server.port();

        server.close();

        assertThrows(
                ConnectException.class,
                () -> new Socket(InetAddress.getLoopbackAddress(), port).close());
    }

    @Test
    void portInUse_isSaidAtTheStart() {
        ServerConfig config = TestConfig.of(false);
        ServerConfig taken =
                with(
                        config,
                        new touchline.config.ApiConfig(
                                "127.0.0.1", server.port(), List.of(), 1 << 20, 0, false),
                        config.tls());
        try (ApiServer second = ApiServer.of(taken, api.dependencies, Optional.empty())) {
            assertThrows(RuntimeException.class, second::start);
        }
    }

    @Test
    void tls_withCertificate_speaksHttp2(@TempDir Path folder) throws Exception {
        TestCertificate certificate = TestCertificate.create(folder);
        ServerConfig config = TestConfig.of(false);
        TlsConfig tls = certificate.tls();
        try (ApiServer secure =
                        ApiServer.of(
                                with(config, config.api(), tls),
                                certificate.shownBy(api.dependencies),
                                Optional.empty());
                HttpClient trusting =
                        HttpClient.newBuilder().sslContext(certificate.trusting()).build()) {
            secure.start();
            HttpResponse<String> reply =
                    trusting.send(
                            HttpRequest.newBuilder(
                                            URI.create(
                                                    "https://localhost:"
                                                            + secure.port()
                                                            + "/observe/health/live"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());

            assertEquals(200, reply.statusCode());
            assertEquals(HttpClient.Version.HTTP_2, reply.version());
            assertTrue(reply.headers().firstValue("Strict-Transport-Security").isPresent());
            http1WithTls(secure.port(), certificate.trusting());
        }
    }

    /** Both versions, whatever the client names in its handshake (RFC 7301). */
    private static void http1WithTls(int port, SSLContext trusting) throws IOException {
        for (String named : List.of("", "http/1.0", "http/1.1")) {
            for (String version : List.of("HTTP/1.0", "HTTP/1.1")) {
                try (SSLSocket socket =
                        (SSLSocket)
                                trusting.getSocketFactory()
                                        .createSocket(InetAddress.getLoopbackAddress(), port)) {
                    socket.setSoTimeout(READ_TIMEOUT_MS);
                    SSLParameters parameters = socket.getSSLParameters();
                    parameters.setApplicationProtocols(
                            named.isEmpty() ? new String[0] : new String[] {named});
                    socket.setSSLParameters(parameters);
                    String request = "HEAD /observe/health/live %s\r\nHost: localhost\r\n\r\n";
                    socket.getOutputStream()
                            .write(request.formatted(version).getBytes(StandardCharsets.US_ASCII));
                    byte[] start = socket.getInputStream().readNBytes(15);
                    assertEquals(
                            "HTTP/1.1 200 OK",
                            new String(start, StandardCharsets.US_ASCII),
                            named + " " + version);
                }
            }
        }
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                .header("Authorization", ApiFixture.ADMIN);
    }

    private String exchange(String sent) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.setSoTimeout(READ_TIMEOUT_MS);
            OutputStream out = socket.getOutputStream();
            out.write(sent.getBytes(StandardCharsets.ISO_8859_1));
            out.flush();
            socket.shutdownOutput();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static JsonNode json(String text) throws IOException {
        return new ObjectMapper().readTree(text);
    }

    static ServerConfig with(ServerConfig config, touchline.config.ApiConfig api, TlsConfig tls) {
        return new ServerConfig(
                config.dataDir(),
                api,
                config.playback(),
                config.rtmp(),
                tls,
                config.publicUrls(),
                config.auth(),
                config.db(),
                config.cluster(),
                config.egress(),
                config.http(),
                config.storage(),
                config.packager(),
                config.media(),
                config.overlay(),
                config.moderation(),
                config.encoder(),
                config.jobs(),
                config.events(),
                config.viewers(),
                config.transcoding(),
                config.otel(),
                config.log());
    }
}
