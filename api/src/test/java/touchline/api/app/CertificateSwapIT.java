package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.media.tls.PemFiles;
import touchline.testing.SelfSigned;

/** A certificate that is replaced again and again under open connections. */
final class CertificateSwapIT {
    private static final int SWAPS = 8;
    private static final int VIEWERS = 50;
    private static final int PUBLISHERS = 2;
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    @TempDir private Path folder;

    @Test
    void certificate_swappedOften_dropsNothing() throws Exception {
        SelfSigned[] pairs = {
            SelfSigned.make(folder, "a", "a.example"), SelfSigned.make(folder, "b", "b.example")
        };
        Path cert = Files.copy(pairs[0].cert(), folder.resolve("cert.pem"));
        Path key = Files.copy(pairs[0].key(), folder.resolve("key.pem"));
        List<SSLSocket> viewers = new ArrayList<>();
        List<Encoder> publishers = new ArrayList<>();
        try (TlsServer server =
                TlsServer.start(
                        folder.resolve("data"),
                        Map.of(
                                "TOUCHLINE_TLS_CERT",
                                cert.toString(),
                                "TOUCHLINE_TLS_KEY",
                                key.toString()))) {
            List<JsonNode> streams = new ArrayList<>();
            for (int i = 0; i < PUBLISHERS; i++) {
                JsonNode stream = server.post("/live/v1/live-streams", "{}");
                streams.add(stream);
                publishers.add(
                        Encoder.live(
                                "rtmps://127.0.0.1:%d/live/%s"
                                        .formatted(
                                                server.rtmps, stream.path("stream_key").asText())));
            }
            List<String> sessions = new ArrayList<>();
            for (JsonNode stream : streams) {
                TestServer.await(
                        "the stream is on the air", PATIENCE, () -> isPlaying(server, stream));
                sessions.add(session(server, stream));
            }
            String playlist = "/" + streams.getFirst().at("/playback_ids/0/id").asText() + ".m3u8";
            for (int i = 0; i < VIEWERS; i++) {
                viewers.add(server.connect(server.playback));
            }
            SSLContext resuming = TlsServer.trusting();
            for (int i = 1; i <= SWAPS; i++) {
                SelfSigned next = pairs[i % 2];
                put(next, cert, key);
                awaitShown(server, next);
                for (SSLSocket viewer : viewers) {
                    assertEquals("HTTP/1.1 200 OK", TlsServer.request(viewer, playlist));
                }
                assertNothingResumed(server, resuming, next);
            }
            for (int i = 0; i < PUBLISHERS; i++) {
                assertTrue(publishers.get(i).isRunning(), publishers.get(i)::output);
                assertEquals(sessions.get(i), session(server, streams.get(i)));
            }
            assertEvents(server);
            assertFailureIsShown(server, cert, pairs[SWAPS % 2]);
        } finally {
            for (Encoder publisher : publishers) {
                publisher.close();
            }
            for (SSLSocket viewer : viewers) {
                viewer.close();
            }
        }
    }

    private static boolean isPlaying(TlsServer server, JsonNode stream) {
        try {
            JsonNode now = server.get("/live/v1/live-streams/" + stream.path("id").asText());
            try (SSLSocket viewer = server.connect(server.playback)) {
                String target = "/" + stream.at("/playback_ids/0/id").asText() + ".m3u8";
                return now.path("status").asText().equals("active")
                        && TlsServer.request(viewer, target).equals("HTTP/1.1 200 OK");
            }
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static String session(TlsServer server, JsonNode stream) throws Exception {
        return server.get("/live/v1/live-streams/" + stream.path("id").asText())
                .path("active_session_id")
                .asText();
    }

    /** As certbot's and other tools do: files beside the old ones, moved over them. */
    private static void put(SelfSigned pair, Path cert, Path key) throws IOException {
        move(pair.key(), key);
        move(pair.cert(), cert);
    }

    private static void move(Path from, Path to) throws IOException {
        Path draft = to.resolveSibling(to.getFileName() + ".new");
        Files.copy(from, draft, StandardCopyOption.REPLACE_EXISTING);
        Files.move(draft, to, StandardCopyOption.ATOMIC_MOVE);
    }

    /** How soon, a benchmark measures. */
    private static void awaitShown(TlsServer server, SelfSigned next) throws Exception {
        BigInteger serial = PemFiles.certificates(next.cert()).getFirst().getSerialNumber();
        for (int port : new int[] {server.api, server.playback, server.rtmps}) {
            TestServer.await(
                    "port " + port + " shows the next certificate",
                    PATIENCE,
                    () -> {
                        try {
                            return server.serial(port).equals(serial);
                        } catch (IOException e) {
                            throw new AssertionError(e);
                        }
                    });
        }
    }

    /** A client that has tickets of the earlier certificate sees the new one nevertheless. */
    private static void assertNothingResumed(TlsServer server, SSLContext client, SelfSigned next)
            throws Exception {
        var expected = PemFiles.certificates(next.cert()).getFirst();
        for (int port : new int[] {server.api, server.playback, server.rtmps}) {
            try (SSLSocket socket = server.connect(client, port)) {
                assertEquals(expected, socket.getSession().getPeerCertificates()[0]);
            }
        }
    }

    private static void assertEvents(TlsServer server) throws Exception {
        TestServer.await(
                "an event for each swap",
                PATIENCE,
                () -> count(server, "certificate.renewed") == SWAPS);
        assertEquals(0, count(server, "certificate.failed"));
        assertEquals(0, count(server, "live_stream.disconnected"));
        assertTrue(
                server.metrics()
                        .contains(
                                "touchline_certificate_renewals_total{result=\"succeeded\"} "
                                        + SWAPS));
    }

    private static int count(TlsServer server, String type) {
        try {
            return server.get("/system/v1/events?limit=100&type=" + type).size();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static void assertFailureIsShown(TlsServer server, Path cert, SelfSigned shown)
            throws Exception {
        Files.writeString(cert, "garbage");
        TestServer.await(
                "the failure is reported",
                PATIENCE,
                () -> count(server, "certificate.failed") == 1);

        JsonNode status = server.get("/system/v1/certificate").path("certificate");
        assertEquals("file", status.path("source").asText());
        assertTrue(
                status.at("/failure/message").asText().contains("cert.pem has no certificate"),
                status::toString);
        assertEquals(PemFiles.certificates(shown.cert()).getFirst(), server.shown(server.playback));
        String metrics = server.metrics();
        assertTrue(metrics.contains("touchline_certificate_renewal_ok 0"), metrics);
        for (String listener : List.of("api", "playback", "rtmps")) {
            assertTrue(
                    metrics.contains(
                            "touchline_certificate_end_seconds{listener=\"%s\"}"
                                    .formatted(listener)));
        }
    }
}
