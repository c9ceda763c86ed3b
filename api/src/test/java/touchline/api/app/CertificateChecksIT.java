package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.config.ConfigLoader;
import touchline.media.net.FreePorts;
import touchline.testing.SelfSigned;

final class CertificateChecksIT {
    private static final Clock NOW = Clock.systemUTC();

    @TempDir private Path folder;

    private List<Finding> run(Map<String, String> environment, InstantSource clock) {
        ConfigLoader loader = new ConfigLoader(environment, Path.of(".."));
        return new CertificateChecks(loader.with("data-dir", folder.toString()).load(), clock)
                .run();
    }

    @Test
    void tls_off_saysNothing() {
        assertEquals(List.of(), run(Map.of(), NOW));
    }

    /** The certificates of the test last for two days. */
    @Test
    void files_thatEndSoonOrHaveEnded_areWarnedOf() throws Exception {
        SelfSigned pair = SelfSigned.make(folder, "a", "live.example");
        Map<String, String> tls =
                Map.of(
                        "TOUCHLINE_TLS_CERT",
                        pair.cert().toString(),
                        "TOUCHLINE_TLS_KEY",
                        pair.key().toString());

        Finding soon = run(tls, NOW).getFirst();
        assertEquals(Finding.Level.WARN, soon.level());
        assertTrue(soon.text().contains("live.example by CN=live.example"), soon::text);
        assertTrue(soon.text().contains("(1 days left)"), soon::text);
        assertTrue(soon.advice().contains("tls.acme.domains"), soon::advice);

        Finding over = run(tls, Clock.offset(NOW, Duration.ofDays(3))).getFirst();
        assertTrue(over.advice().contains("clients refuse it"), over::advice);
    }

    @Test
    void files_thatDoNotFit_fail() throws Exception {
        SelfSigned one = SelfSigned.make(folder, "a", "live.example");
        SelfSigned other = SelfSigned.make(folder, "b", "live.example");
        Finding found =
                run(
                                Map.of(
                                        "TOUCHLINE_TLS_CERT",
                                        one.cert().toString(),
                                        "TOUCHLINE_TLS_KEY",
                                        other.key().toString()),
                                NOW)
                        .getFirst();

        assertEquals(Finding.Level.FAIL, found.level());
        assertTrue(found.text().contains("is not the key of the certificate"), found::text);
    }

    @Test
    void acme_saysWhatItHasAndWhyItFailed() throws Exception {
        int port = FreePorts.next();
        Map<String, String> acme =
                Map.of(
                        "TOUCHLINE_TLS_ACME_DOMAINS",
                        "live.example",
                        "TOUCHLINE_TLS_ACME_HTTP_PORT",
                        String.valueOf(port));
        assertTrue(run(acme, NOW).getLast().text().startsWith("none yet"));
        try (ServerSocket taken = new ServerSocket(port)) {
            Finding challenge = run(acme, NOW).getFirst();
            assertTrue(challenge.text().contains("TLS-ALPN-01 is used"), challenge::text);
            assertEquals(port, taken.getLocalPort());
        }

        Path store = Files.createDirectory(folder.resolve("acme"));
        SelfSigned pair = SelfSigned.make(folder, "a", "live.example");
        Files.writeString(
                store.resolve("certificate.pem"),
                Files.readString(pair.key()) + Files.readString(pair.cert()));
        Files.writeString(store.resolve("failure"), "2026-01-01T00:00:00Z cannot connect\n");
        List<Finding> found = run(acme, NOW);

        assertEquals("HTTP-01 on port " + port, found.getFirst().text());
        assertTrue(found.get(1).text().startsWith("self-signed until"), found::toString);
        assertEquals(
                Finding.warn(
                        "renewal",
                        "2026-01-01T00:00:00Z cannot connect",
                        "the server tries again by itself"),
                found.getLast());
    }
}
