package touchline.api.certificate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.CertificateEncodingException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.media.tls.CurrentCertificate;
import touchline.media.tls.PemFiles;
import touchline.media.tls.ServerCertificate;

final class CertificateFilesTest {
    private static final Duration YEAR = Duration.ofDays(365);

    @TempDir private Path folder;

    private final ManualClock clock = new ManualClock();
    private final StoredEvents events = new StoredEvents();
    private final RenewalCounters counters = new RenewalCounters();
    private final ServerCertificate first = make("first.example", YEAR);
    private final ServerCertificate second = make("second.example", YEAR);
    private final CurrentCertificate current = new CurrentCertificate(first);
    private Path cert;
    private Path key;
    private CertificateFiles files;

    @BeforeEach
    void start() throws Exception {
        cert = folder.resolve("cert.pem");
        key = folder.resolve("key.pem");
        write(cert, certPem(first));
        write(key, keyPem(first));
        files = new CertificateFiles(cert, key, current, events.log, counters, clock);
        files.step();
    }

    @AfterEach
    void close() {
        events.close();
    }

    private ServerCertificate make(String domain, Duration validity) {
        return SelfSigned.make(List.of(domain), clock.instant(), validity, new byte[0]);
    }

    private static String certPem(ServerCertificate of) {
        try {
            return PemFiles.block("CERTIFICATE", of.leaf().getEncoded());
        } catch (CertificateEncodingException e) {
            throw new AssertionError(e);
        }
    }

    private static String keyPem(ServerCertificate of) {
        return PemFiles.block("PRIVATE KEY", of.key().getEncoded());
    }

    private static void write(Path file, String text) throws IOException {
        Files.writeString(file, text);
    }

    private String shown() {
        return current.get().names().getFirst();
    }

    private String failure() {
        return files.status().failure().map(CertificateStatus.Failure::message).orElse("");
    }

    /** Steps as the watching thread does, until a bad pair has stood still. */
    private void settle() {
        for (int i = 0; i < 4; i++) {
            files.step();
            clock.pass(CertificateFiles.EVERY);
        }
    }

    @Test
    void files_unchanged_areNotShownAgain() throws Exception {
        settle();

        assertEquals("first.example", shown());
        assertEquals(0, counters.successes());
        events.assertCount(0);
    }

    @Test
    void files_writtenInPlace_areShownAtTheNextLook() throws Exception {
        write(cert, certPem(second));
        write(key, keyPem(second));
        files.step();

        assertEquals("second.example", shown());
        assertEquals(List.of("second.example"), files.status().names());
        assertEquals(1, counters.successes());
        events.assertCount(1);
    }

    @Test
    void files_movedOverTheOld_areShown() throws Exception {
        Path newCert = folder.resolve("cert.new");
        Path newKey = folder.resolve("key.new");
        write(newCert, certPem(second));
        write(newKey, keyPem(second));
        Files.move(newKey, key, StandardCopyOption.ATOMIC_MOVE);
        files.step();
        Files.move(newCert, cert, StandardCopyOption.ATOMIC_MOVE);
        files.step();

        assertEquals("second.example", shown());
        assertEquals("", failure());
        events.assertCount(1);
    }

    /** As Kubernetes does: the files are links below a link that is swapped. */
    @Test
    void files_behindASwappedLink_areShown() throws Exception {
        Path one = Files.createDirectory(folder.resolve("one"));
        Path two = Files.createDirectory(folder.resolve("two"));
        write(one.resolve("tls.crt"), certPem(first));
        write(one.resolve("tls.key"), keyPem(first));
        write(two.resolve("tls.crt"), certPem(second));
        write(two.resolve("tls.key"), keyPem(second));
        Path data = Files.createSymbolicLink(folder.resolve("..data"), one);
        Path linkedCert =
                Files.createSymbolicLink(folder.resolve("tls.crt"), Path.of("..data/tls.crt"));
        Path linkedKey =
                Files.createSymbolicLink(folder.resolve("tls.key"), Path.of("..data/tls.key"));
        CertificateFiles linked =
                new CertificateFiles(linkedCert, linkedKey, current, events.log, counters, clock);
        linked.step();
        Path next = Files.createSymbolicLink(folder.resolve("..data_tmp"), two);
        Files.move(next, data, StandardCopyOption.ATOMIC_MOVE);
        linked.step();

        assertEquals("second.example", shown());
    }

    @Test
    void pair_thatIsCompleteALittleLater_isNeverReported() throws Exception {
        write(cert, certPem(second));
        files.step();
        clock.pass(CertificateFiles.EVERY);
        assertEquals("first.example", shown());
        write(key, keyPem(second));
        files.step();

        assertEquals("second.example", shown());
        assertEquals(0, counters.failures());
        events.assertCount(1);
    }

    @Test
    void key_ofAnotherCertificate_keepsTheOldOneAndIsReportedOnce() throws Exception {
        write(key, keyPem(second));
        settle();
        settle();

        assertEquals("first.example", shown());
        assertTrue(failure().contains("key.pem is not the key of the certificate"), failure());
        assertEquals(1, counters.failures());
        events.assertCount(1);
    }

    @Test
    void files_thatAreDamagedHalfOrGone_keepTheOldOne() throws Exception {
        String whole = certPem(second);
        for (String text : List.of("", "garbage", whole.substring(0, whole.length() / 2))) {
            write(cert, text);
            settle();
            assertTrue(failure().contains("cert.pem has no certificate"), failure());
        }
        write(cert, PemFiles.block("CERTIFICATE", new byte[100]));
        settle();
        assertTrue(failure().contains("cert.pem has a broken certificate"), failure());
        Files.delete(cert);
        settle();

        assertTrue(failure().contains("cert.pem cannot be read (NoSuchFileException)"), failure());
        assertEquals("first.example", shown());
        assertEquals(5, counters.failures());
        events.assertCount(5);
    }

    @Test
    void pair_thatIsMended_clearsTheFailure() throws Exception {
        write(cert, "garbage");
        settle();
        write(cert, certPem(first));
        files.step();

        assertEquals("", failure());
        assertEquals("first.example", shown());
        write(cert, certPem(second));
        write(key, keyPem(second));
        files.step();
        assertEquals("second.example", shown());
    }

    @Test
    void certificate_thatHasExpired_isNotShown() throws Exception {
        ServerCertificate old =
                SelfSigned.make(
                        List.of("old.example"),
                        clock.instant().minus(YEAR),
                        Duration.ofDays(1),
                        new byte[0]);
        write(cert, certPem(old));
        write(key, keyPem(old));
        settle();

        assertTrue(failure().contains("has expired at"), failure());
        assertEquals("first.example", shown());
    }

    @Test
    void certificate_ofTheFuture_isShownWhenItIsValid() throws Exception {
        Instant start = clock.instant().plus(Duration.ofDays(1));
        ServerCertificate later =
                SelfSigned.make(
                        List.of("later.example"),
                        start.plus(Duration.ofHours(1)),
                        YEAR,
                        new byte[0]);
        write(cert, certPem(later));
        write(key, keyPem(later));
        settle();
        assertTrue(failure().contains("is not valid before " + start), failure());
        assertEquals("first.example", shown());

        clock.pass(Duration.ofDays(1));
        files.step();

        assertEquals("later.example", shown());
        assertEquals("", failure());
    }

    @Test
    void certificate_thatAListenerCannotUse_keepsTheOldOneEverywhere() throws Exception {
        StringBuilder others = new StringBuilder();
        current.show(next -> () -> others.append(next.names()));
        current.show(
                next -> {
                    if (!next.equals(first)) {
                        throw new IllegalArgumentException("RTMPS: no");
                    }
                    return () -> {};
                });
        write(cert, certPem(second));
        write(key, keyPem(second));
        settle();

        assertEquals("RTMPS: no", failure());
        assertEquals("first.example", shown());
        assertEquals("[first.example]", others.toString());
        assertEquals(Optional.empty(), files.status().nextAttempt());
    }
}
