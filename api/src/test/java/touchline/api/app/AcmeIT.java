package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.media.net.FreePorts;

/** Certificates of pebble, an authority that speaks ACME. */
final class AcmeIT {
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    /** Renewed when a third of it is left. */
    private static final Duration SHORT = Duration.ofSeconds(12);

    @TempDir private Path folder;

    private static Map<String, String> acme(Pebble pebble, int httpPort) {
        Map<String, String> environment = new HashMap<>();
        environment.put("TOUCHLINE_TLS_ACME_DOMAINS", "localhost");
        environment.put("TOUCHLINE_TLS_ACME_EMAIL", "ops@example.org");
        environment.put("TOUCHLINE_TLS_ACME_DIRECTORY", pebble.directory());
        environment.put("TOUCHLINE_TLS_ACME_CA", pebble.certificate().toString());
        environment.put("TOUCHLINE_TLS_ACME_HTTP_PORT", String.valueOf(httpPort));
        environment.put("TOUCHLINE_EGRESS_ALLOW", "127.0.0.0/8,::1");
        return environment;
    }

    @Test
    void acme_byHttp_getsRenewsAndOutlivesADirectoryThatFails() throws Exception {
        int httpPort = FreePorts.next();
        try (Pebble pebble = new Pebble(folder, httpPort, FreePorts.next(), SHORT);
                TlsServer server =
                        TlsServer.start(folder.resolve("data"), acme(pebble, httpPort))) {
            X509Certificate first = awaitIssued(server, pebble);
            for (int port : List.of(server.api, server.rtmps)) {
                assertEquals(first, server.shown(port));
            }
            assertOwnerOnly(folder.resolve("data/acme"));
            try (SSLSocket open = server.connect(server.api)) {
                BigInteger second = awaitOther(server, first.getSerialNumber());
                assertEquals("HTTP/1.1 200 OK", TlsServer.request(open, "/observe/health/live"));
                TestServer.await(
                        "its event", PATIENCE, () -> count(server, "certificate.renewed") >= 2);

                pebble.stop();
                TestServer.await(
                        "the failure is reported",
                        PATIENCE,
                        () -> count(server, "certificate.failed") == 1);
                JsonNode status = server.get("/system/v1/certificate").path("certificate");
                assertEquals("acme", status.path("source").asText());
                assertEquals(
                        status.path("serial").asText(),
                        server.serial(server.playback).toString(16));
                assertTrue(
                        status.at("/failure/message").asText().contains("cannot connect"),
                        status::toString);
                assertFalse(status.path("next_attempt").asText().isEmpty(), status::toString);
                assertTrue(server.metrics().contains("touchline_certificate_renewal_ok 0"));
                assertFalse(second.equals(first.getSerialNumber()));
                assertEquals("HTTP/1.1 200 OK", TlsServer.request(open, "/observe/health/live"));
            }
        }
    }

    @Test
    void acme_byTls_isAnsweredOnThePlaybackPort() throws Exception {
        int playback = FreePorts.next();
        try (Pebble pebble = new Pebble(folder, FreePorts.next(), playback, Duration.ofDays(90));
                TlsServer server =
                        TlsServer.start(
                                folder.resolve("data"),
                                playback,
                                acme(pebble, /* httpPort= */ 0))) {
            awaitIssued(server, pebble);

            try (SSLSocket viewer = server.connect(server.playback)) {
                assertEquals("HTTP/1.1 404 Not Found", TlsServer.request(viewer, "/none.m3u8"));
            }
        }
    }

    private static X509Certificate awaitIssued(TlsServer server, Pebble pebble) throws Exception {
        try {
            TestServer.await(
                    "a certificate of the authority",
                    PATIENCE,
                    () -> shown(server).getIssuerX500Principal().getName().contains("Pebble"));
        } catch (AssertionError e) {
            throw new AssertionError(
                    server.get("/system/v1/certificate") + "\n" + pebble.output(), e);
        }
        return shown(server);
    }

    private static BigInteger awaitOther(TlsServer server, BigInteger serial) throws Exception {
        TestServer.await(
                "the next certificate",
                PATIENCE,
                () -> !shown(server).getSerialNumber().equals(serial));
        return shown(server).getSerialNumber();
    }

    private static X509Certificate shown(TlsServer server) {
        try {
            return server.shown(server.playback);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static int count(TlsServer server, String type) {
        try {
            return server.get("/system/v1/events?limit=100&type=" + type).size();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static void assertOwnerOnly(Path acme) throws IOException {
        assertEquals("rwx------", mode(acme));
        for (String file : List.of("account.pem", "certificate.pem")) {
            assertEquals("rw-------", mode(acme.resolve(file)), file);
        }
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }
}
