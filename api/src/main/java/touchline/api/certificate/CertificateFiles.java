package touchline.api.certificate;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import touchline.api.certificate.CertificateStatus.Failure;
import touchline.api.certificate.CertificateStatus.Source;
import touchline.media.tls.CurrentCertificate;
import touchline.media.tls.PemFiles;
import touchline.media.tls.ServerCertificate;
import touchline.media.tls.UnusableCertificateException;

/**
 * Reads {@code tls.cert} and {@code tls.key} again when they change. It asks the file system twice
 * a second, instead of waiting for its notices: these miss a link that is swapped above the files
 * (Kubernetes, certbot) and changes on network file systems. A pair that cannot be used is reported
 * once, after it has stood still for a second; two files are seldom written at once. The watching
 * thread calls {@link #step}; {@link #status} any.
 */
final class CertificateFiles implements Replacement {
    static final Duration EVERY = Duration.ofMillis(500);

    /** How long a pair that cannot be used may become a good one. */
    static final Duration SETTLING = Duration.ofSeconds(1);

    private final Path cert;
    private final Path key;
    private final CurrentCertificate current;
    private final CertificateLog events;
    private final RenewalCounters counters;
    private final InstantSource clock;

    // Of the watching thread.
    private State seen;
    private Optional<Suspect> suspect = Optional.empty();

    private final Object lock = new Object();

    @GuardedBy("lock")
    private CertificateStatus status;

    /** What the file system says of both files, without reading them. */
    private record State(Map<String, Object> cert, Map<String, Object> key) {}

    /**
     * A pair that cannot be used.
     *
     * @param retry when to read it again without a change: it is not valid yet
     */
    private record Suspect(
            State state, Instant since, String reason, boolean reported, Optional<Instant> retry) {}

    /**
     * @param current holds what was read of the files at the start
     */
    CertificateFiles(
            Path cert,
            Path key,
            CurrentCertificate current,
            CertificateLog events,
            RenewalCounters counters,
            InstantSource clock) {
        this.cert = cert;
        this.key = key;
        this.current = current;
        this.events = events;
        this.counters = counters;
        this.clock = clock;
        // Not equal to any state of files, so that the first look reads them.
        this.seen = new State(Map.of(), Map.of());
        this.status = CertificateStatus.of(Source.FILE, current.get(), clock.instant());
    }

    @Override
    public CertificateStatus status() {
        synchronized (lock) {
            return status;
        }
    }

    @Override
    public Duration step() {
        look();
        return EVERY;
    }

    private void look() {
        State now = new State(attributes(cert), attributes(key));
        if (now.equals(seen) && !isDueAgain()) {
            return;
        }
        try {
            ServerCertificate read = PemFiles.read(cert, key);
            if (!isShown(read)) {
                if (!read.isValidAt(clock.instant())) {
                    suspect(now, validity(read), after(read));
                    return;
                }
                current.replace(read);
                renewed(CertificateStatus.of(Source.FILE, read, clock.instant()));
            } else {
                // Also after a bad pair: the shown one is back.
                update(status().with(Optional.empty(), Optional.empty()));
            }
            seen = now;
            suspect = Optional.empty();
        } catch (UnusableCertificateException | IllegalArgumentException e) {
            suspect(now, String.valueOf(e.getMessage()), Optional.empty());
        }
    }

    private boolean isDueAgain() {
        return suspect.flatMap(Suspect::retry)
                .filter(time -> !clock.instant().isBefore(time))
                .isPresent();
    }

    private boolean isShown(ServerCertificate read) {
        ServerCertificate shown = current.get();
        return read.chain().equals(shown.chain()) && read.key().equals(shown.key());
    }

    private String validity(ServerCertificate read) {
        return clock.instant().isBefore(read.notBefore())
                ? "tls.cert: the certificate in %s is not valid before %s"
                        .formatted(cert, read.notBefore())
                : "tls.cert: the certificate in %s has expired at %s"
                        .formatted(cert, read.notAfter());
    }

    private Optional<Instant> after(ServerCertificate read) {
        return clock.instant().isBefore(read.notBefore())
                ? Optional.of(read.notBefore())
                : Optional.empty();
    }

    /** Reports a pair when it has stood still. */
    private void suspect(State now, String reason, Optional<Instant> retry) {
        Instant time = clock.instant();
        Suspect known =
                suspect.filter(each -> each.state().equals(now) && each.reason().equals(reason))
                        .orElseGet(() -> new Suspect(now, time, reason, false, retry));
        boolean settled = !time.isBefore(known.since().plus(SETTLING));
        if (settled) {
            seen = now;
            if (!known.reported()) {
                Failure failure = new Failure(reason, time);
                update(status().with(Optional.of(failure), Optional.empty()));
                counters.failed();
                events.failed(status());
            }
        }
        suspect = Optional.of(new Suspect(now, known.since(), reason, settled, retry));
    }

    private void renewed(CertificateStatus next) {
        update(next);
        counters.succeeded();
        events.renewed(next);
    }

    private void update(CertificateStatus next) {
        synchronized (lock) {
            status = next;
        }
    }

    /** Of the file behind all links; a swapped link shows another file. */
    private static Map<String, Object> attributes(Path file) {
        try {
            return Files.readAttributes(file, "unix:dev,ino,size,ctime,lastModifiedTime");
        } catch (IOException e) {
            return Map.of("failure", e.getClass().getName());
        }
    }
}
