package touchline.api.certificate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.media.tls.CurrentCertificate;
import touchline.media.tls.ServerCertificate;

final class AcmeRenewalTest {
    private static final List<String> DOMAINS = List.of("live.example");
    private static final Duration VALIDITY = Duration.ofDays(90);

    @TempDir private Path dataDir;

    private final ManualClock clock = new ManualClock();
    private final StoredEvents events = new StoredEvents();
    private final RenewalCounters counters = new RenewalCounters();
    private final FakeAuthority authority = new FakeAuthority();
    private final CurrentCertificate current =
            new CurrentCertificate(SelfSigned.placeholder(DOMAINS, clock.instant()));

    /** Issues certificates, unless it fails. */
    private final class FakeAuthority implements Authority {
        private final TestAuthority ca = new TestAuthority();
        private Optional<IssuanceException> failure = Optional.empty();
        private Optional<Window> window = Optional.empty();
        private int asked;

        @Override
        public ServerCertificate issue(List<String> domains) throws IssuanceException {
            asked++;
            if (failure.isPresent()) {
                throw failure.get();
            }
            return ca.issue(domains, clock.instant(), VALIDITY);
        }

        @Override
        public Optional<Window> renewalWindow(ServerCertificate shown) {
            return window;
        }

        void fail(String message, Optional<Instant> notBefore) {
            failure = Optional.of(new IssuanceException(message, notBefore, null));
        }
    }

    @AfterEach
    void close() {
        events.close();
    }

    private AcmeStore store() {
        return new AcmeStore(dataDir);
    }

    private AcmeRenewal renewal() {
        return new AcmeRenewal(
                DOMAINS,
                authority,
                new AcmeRenewal.Dependencies(
                        store(),
                        current,
                        events.log,
                        counters,
                        new RenewalSchedule(new Random(7)),
                        clock));
    }

    @Test
    void first_isIssuedStoredAndShown() throws Exception {
        AcmeRenewal renewal = renewal();
        Duration pause = renewal.step();

        assertEquals(AcmeRenewal.LONGEST_WAIT, pause);
        assertFalse(current.get().isSelfSigned());
        assertEquals(current.get().chain(), store().certificate().orElseThrow().chain());
        assertEquals(
                "rw-------",
                PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(store().certificateFile())));
        assertEquals(
                "rwx------",
                PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(dataDir.resolve("acme"))));
        assertEquals(1, counters.successes());
        events.assertCount(1);
        CertificateStatus status = renewal.status();
        assertEquals(CertificateStatus.Source.ACME, status.source());
        assertEquals(DOMAINS, status.names());
        assertEquals(RenewalSchedule.renewal(current.get()), status.nextAttempt().orElseThrow());
    }

    @Test
    void next_isAskedForWhenAThirdIsLeft() throws Exception {
        AcmeRenewal renewal = renewal();
        renewal.step();
        ServerCertificate first = current.get();
        clock.pass(Duration.ofDays(59));
        renewal.step();
        assertEquals(1, authority.asked);

        clock.pass(Duration.ofDays(1));
        renewal.step();

        assertEquals(2, authority.asked);
        assertFalse(first.equals(current.get()));
    }

    @Test
    void restart_withAGoodCertificate_asksForNothing() throws Exception {
        renewal().step();

        renewal().step();

        assertEquals(1, authority.asked);
    }

    @Test
    void restart_withAnotherDomain_asksAgain() throws Exception {
        current.replace(
                new TestAuthority().issue(List.of("old.example"), clock.instant(), VALIDITY));

        renewal().step();

        assertEquals(1, authority.asked);
        assertEquals(DOMAINS, current.get().names());
    }

    @Test
    void failure_keepsTheCertificateAndIsReportedOnce() throws Exception {
        AcmeRenewal renewal = renewal();
        renewal.step();
        ServerCertificate first = current.get();
        clock.pass(Duration.ofDays(61));
        authority.fail("tls.acme.directory https://ca: cannot connect", Optional.empty());
        Duration before = Duration.ZERO;
        for (int i = 0; i < 5; i++) {
            Duration pause = renewal.step();
            assertTrue(pause.compareTo(before) > 0, () -> "pauses grow: " + pause);
            before = pause;
            clock.pass(pause);
        }

        assertEquals(first, current.get());
        assertEquals(5, counters.failures());
        assertFalse(counters.hasSucceeded());
        assertTrue(store().failure().orElseThrow().contains("cannot connect"));
        assertEquals(
                "tls.acme.directory https://ca: cannot connect",
                renewal.status().failure().orElseThrow().message());
        // One renewed, one failed.
        events.assertCount(2);

        authority.failure = Optional.empty();
        renewal.step();

        assertFalse(first.equals(current.get()));
        assertEquals(Optional.empty(), store().failure());
        assertEquals(Optional.empty(), renewal.status().failure());
        assertTrue(counters.hasSucceeded());
        events.assertCount(3);
    }

    @Test
    void failure_withAnotherReasonOrADayLater_isReportedAgain() throws Exception {
        AcmeRenewal renewal = renewal();
        authority.fail("one", Optional.empty());
        renewal.step();
        clock.pass(Duration.ofHours(1));
        authority.fail("two", Optional.empty());
        renewal.step();
        events.assertCount(2);
        clock.pass(Duration.ofDays(2));
        renewal.step();

        events.assertCount(3);
    }

    @Test
    void authority_thatNamesATime_isNotAskedBefore() throws Exception {
        AcmeRenewal renewal = renewal();
        authority.fail("too many requests", Optional.of(clock.instant().plus(Duration.ofHours(3))));

        assertEquals(Duration.ofHours(3), renewal.step());
    }

    @Test
    void window_ofTheAuthority_isHeeded() throws Exception {
        authority.window =
                Optional.of(
                        new Authority.Window(
                                clock.instant().plus(Duration.ofDays(10)),
                                clock.instant().plus(Duration.ofDays(12))));
        AcmeRenewal renewal = renewal();
        renewal.step();
        Instant due = renewal.status().nextAttempt().orElseThrow();
        assertFalse(due.isBefore(authority.window.get().start()));
        assertFalse(due.isAfter(authority.window.get().end()));
        renewal.step();
        assertEquals(due, renewal.status().nextAttempt().orElseThrow());

        clock.pass(Duration.ofDays(13));
        renewal.step();

        assertEquals(2, authority.asked);
    }
}
