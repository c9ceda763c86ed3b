package touchline.api.certificate;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.certificate.Authority.IssuanceException;
import touchline.api.certificate.CertificateStatus.Failure;
import touchline.api.certificate.CertificateStatus.Source;
import touchline.media.tls.CurrentCertificate;
import touchline.media.tls.ServerCertificate;

/**
 * Gets the first certificate and renews it. After a failure the shown certificate stays, and the
 * next attempt follows after a growing pause. The renewing thread calls {@link #step}; the rest
 * any.
 */
final class AcmeRenewal implements Replacement {
    private static final Logger log = LoggerFactory.getLogger(AcmeRenewal.class);

    /** Clocks jump, and an authority may move its window: it is asked this often. */
    static final Duration LONGEST_WAIT = Duration.ofHours(6);

    /** A failure with the same reason is reported again after this time. */
    private static final Duration REPORTED_AGAIN = Duration.ofDays(1);

    /** What a renewal needs; all borrowed. */
    record Dependencies(
            AcmeStore store,
            CurrentCertificate current,
            CertificateLog events,
            RenewalCounters counters,
            RenewalSchedule schedule,
            InstantSource clock) {}

    private final List<String> domains;
    private final Authority authority;
    private final Dependencies dependencies;

    // Of the renewing thread.
    private int failures;
    private Instant due;
    private Optional<Failure> reported = Optional.empty();
    private Optional<Authority.Window> heeded = Optional.empty();

    private final Object lock = new Object();

    @GuardedBy("lock")
    private CertificateStatus status;

    AcmeRenewal(List<String> domains, Authority authority, Dependencies dependencies) {
        this.domains = List.copyOf(domains);
        this.authority = authority;
        this.dependencies = dependencies;
        ServerCertificate shown = dependencies.current().get();
        this.due = fits(shown) ? RenewalSchedule.renewal(shown) : dependencies.clock().instant();
        this.status =
                CertificateStatus.of(Source.ACME, shown, dependencies.clock().instant())
                        .with(Optional.empty(), Optional.of(due));
    }

    @Override
    public CertificateStatus status() {
        synchronized (lock) {
            return status;
        }
    }

    /**
     * Asks the authority if a certificate is due.
     *
     * @return at most {@link #LONGEST_WAIT}
     */
    @Override
    public Duration step() throws InterruptedException {
        if (!dependencies.clock().instant().isBefore(due)) {
            attempt();
        }
        if (failures == 0) {
            heedAuthority();
        }
        Duration wait = Duration.between(dependencies.clock().instant(), due);
        if (wait.isNegative()) {
            return Duration.ZERO;
        }
        return wait.compareTo(LONGEST_WAIT) < 0 ? wait : LONGEST_WAIT;
    }

    /** Whether a certificate is from an authority and for the configured names. */
    private boolean fits(ServerCertificate shown) {
        return !shown.isSelfSigned() && new HashSet<>(shown.names()).containsAll(domains);
    }

    /** An earlier renewal, where the authority wants one (RFC 9773). */
    private void heedAuthority() throws InterruptedException {
        Optional<Authority.Window> window = authority.renewalWindow(dependencies.current().get());
        if (window.isPresent() && !window.equals(heeded)) {
            heeded = window;
            Instant advised =
                    dependencies.schedule().within(window.get().start(), window.get().end());
            if (advised.isBefore(due)) {
                log.info("certificate: the authority advises to renew at {}", advised);
                due = advised;
                update(status().with(status().failure(), Optional.of(due)));
            }
        }
    }

    private void attempt() throws InterruptedException {
        try {
            ServerCertificate issued = authority.issue(domains);
            dependencies.store().save(issued);
            dependencies.store().clearFailure();
            dependencies.current().replace(issued);
            failures = 0;
            reported = Optional.empty();
            due = RenewalSchedule.renewal(issued);
            dependencies.counters().succeeded();
            update(
                    CertificateStatus.of(Source.ACME, issued, dependencies.clock().instant())
                            .with(Optional.empty(), Optional.of(due)));
            dependencies.events().renewed(status());
        } catch (IssuanceException e) {
            failed(String.valueOf(e.getMessage()), e.notBefore());
        } catch (RuntimeException e) {
            log.debug("certificate: a renewal failed", e);
            failed(Objects.requireNonNullElse(e.getMessage(), e.toString()), Optional.empty());
        }
    }

    private void failed(String reason, Optional<Instant> notBefore) {
        failures++;
        Instant now = dependencies.clock().instant();
        Instant next = now.plus(dependencies.schedule().pause(failures));
        due = notBefore.filter(next::isBefore).orElse(next);
        dependencies.counters().failed();
        Failure failure = new Failure(reason, now);
        update(status().with(Optional.of(failure), Optional.of(due)));
        try {
            dependencies.store().saveFailure(failure);
        } catch (RuntimeException e) {
            log.warn("certificate: {}", e.getMessage());
        }
        boolean known =
                reported.filter(each -> each.message().equals(reason))
                        .filter(each -> now.isBefore(each.at().plus(REPORTED_AGAIN)))
                        .isPresent();
        if (known) {
            log.info("certificate: failed again, next attempt at {}: {}", due, reason);
        } else {
            reported = Optional.of(failure);
            dependencies.events().failed(status());
        }
    }

    private void update(CertificateStatus next) {
        synchronized (lock) {
            status = next;
        }
    }
}
