package touchline.api.certificate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.db.Database;
import touchline.api.db.MemoryDatabase;
import touchline.api.egress.Egress;
import touchline.config.AcmeConfig;
import touchline.config.TlsConfig;
import touchline.media.net.AddressRules;
import touchline.media.tls.CurrentCertificate;
import touchline.media.tls.ServerCertificate;

/** What a server shows at its start, and what is stored of an authority. */
final class CertificatesTest {
    private static final List<String> DOMAINS = List.of("live.example");

    @TempDir private Path folder;

    private final ManualClock clock = new ManualClock();
    private final Database database = MemoryDatabase.open();
    private final Egress egress = new Egress(AddressRules.allowing(List.of()));

    @AfterEach
    void close() {
        egress.close();
        database.close();
    }

    private Certificates open(TlsConfig config) {
        return Certificates.open(
                config,
                new Certificates.Dependencies(folder, egress, database, _ -> () -> {}, clock));
    }

    private static TlsConfig acme(Optional<Path> ca) {
        return new TlsConfig(
                OptionalInt.empty(),
                Optional.empty(),
                Optional.empty(),
                new AcmeConfig(
                        DOMAINS,
                        Optional.empty(),
                        URI.create("https://127.0.0.1:1/dir"),
                        /* httpPort= */ 0,
                        ca));
    }

    private AcmeStore store() {
        return new AcmeStore(folder);
    }

    private ServerCertificate issued(Duration validity) {
        return new TestAuthority().issue(DOMAINS, clock.instant(), validity);
    }

    private ServerCertificate shown(Certificates certificates) {
        return certificates.current().orElseThrow().get();
    }

    @Test
    void off_showsNothing() {
        try (Certificates certificates = Certificates.off()) {
            certificates.start();

            assertTrue(certificates.current().isEmpty());
            assertTrue(certificates.status().isEmpty());
            assertEquals(0, certificates.counters().successes());
        }
    }

    @Test
    void certificateThatStays_isShownWithItsStatus() {
        ServerCertificate own = issued(Duration.ofDays(90));
        try (Certificates certificates = Certificates.of(new CurrentCertificate(own), clock)) {
            certificates.start();

            assertEquals(own, shown(certificates));
            assertEquals(DOMAINS, certificates.status().orElseThrow().names());
        }
    }

    @Test
    void acme_lastCertificate_isShownAgain() {
        ServerCertificate last = issued(Duration.ofDays(90));
        store().save(last);

        try (Certificates certificates = open(acme(Optional.empty()))) {
            assertEquals(last.leaf(), shown(certificates).leaf());
        }
    }

    @Test
    void acme_withoutAUsableCertificate_showsAPlaceholder_untilThereIsOne() throws IOException {
        store().save(issued(Duration.ofDays(1)));
        clock.pass(Duration.ofDays(2));
        try (Certificates certificates = open(acme(Optional.empty()))) {
            assertTrue(shown(certificates).isSelfSigned(), "the last one has expired");
            assertEquals(DOMAINS, shown(certificates).names());
        }

        Files.writeString(store().certificateFile(), "damaged");
        try (Certificates certificates = open(acme(Optional.empty()))) {
            assertTrue(shown(certificates).isSelfSigned());
        }
    }

    @Test
    void acme_authorityThatCannotBeRead_namesTheKey() throws IOException {
        Path ca = Files.writeString(folder.resolve("ca.pem"), "no certificate");

        IllegalArgumentException failure =
                assertThrows(IllegalArgumentException.class, () -> open(acme(Optional.of(ca))));

        assertTrue(
                String.valueOf(failure.getMessage()).startsWith("tls.acme.ca"),
                failure::getMessage);
    }

    @Test
    void account_isMadeOnce() {
        byte[] first = store().account().getPrivate().getEncoded();

        assertArrayEquals(first, store().account().getPrivate().getEncoded());
        assertNotEquals(store().account(), new AcmeStore(folder.resolve("other")).account());
    }

    @Test
    void account_damaged_saysWhatToDo() throws IOException {
        store().account();
        Path file = folder.resolve(AcmeStore.FOLDER).resolve("account.pem");
        Files.writeString(file, "damaged");

        IllegalStateException failure =
                assertThrows(IllegalStateException.class, () -> store().account());

        assertEquals(file + ": damaged (remove it for a new account)", failure.getMessage());
    }

    @Test
    void failure_isStoredUntilASuccess() {
        assertEquals(Optional.empty(), store().failure());

        store().saveFailure(
                        new CertificateStatus.Failure(
                                "refused", Instant.parse("2027-01-02T03:04:05Z")));
        assertEquals(Optional.of("2027-01-02T03:04:05Z refused"), store().failure());

        store().clearFailure();
        assertEquals(Optional.empty(), store().failure());
    }

    @Test
    void store_thatIsNoFolder_namesTheKey() throws IOException {
        Files.writeString(folder.resolve(AcmeStore.FOLDER), "");

        for (Runnable write :
                List.<Runnable>of(
                        () -> store().save(issued(Duration.ofDays(1))),
                        () ->
                                store().saveFailure(
                                                new CertificateStatus.Failure(
                                                        "refused", Instant.EPOCH)),
                        () -> store().account())) {
            String message =
                    String.valueOf(
                            assertThrows(UncheckedIOException.class, write::run).getMessage());
            assertTrue(message.startsWith("data-dir: cannot write "), message);
        }
    }

    /** A failure where the folder of one is, as after a mistake of an operator. */
    @Test
    void failure_thatIsAFolder_namesTheKey() throws IOException {
        Path inside =
                Files.createDirectories(
                        folder.resolve(AcmeStore.FOLDER).resolve("failure").resolve("x"));

        for (Runnable use : List.<Runnable>of(() -> store().failure(), store()::clearFailure)) {
            String message =
                    String.valueOf(assertThrows(UncheckedIOException.class, use::run).getMessage());
            assertTrue(message.startsWith("data-dir: cannot "), message);
        }
        assertFalse(Files.notExists(inside));
    }
}
