package touchline.api.certificate;

import java.net.http.HttpClient;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.db.Database;
import touchline.api.egress.Egress;
import touchline.api.egress.EgressLimits;
import touchline.config.AcmeConfig;
import touchline.config.TlsConfig;
import touchline.media.tls.CurrentCertificate;
import touchline.media.tls.PemFiles;
import touchline.media.tls.ServerCertificate;
import touchline.media.tls.UnusableCertificateException;

/**
 * The certificate of all TLS listeners, and the thread that replaces it. {@link #start} and {@link
 * #close} from one thread; the rest from any.
 */
public final class Certificates implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Certificates.class);

    private static final EgressLimits REQUESTS =
            new EgressLimits(Duration.ofSeconds(20), Duration.ofSeconds(30), 1 << 20);

    private static final Duration AFTER_A_BUG = Duration.ofMinutes(1);
    private static final long JOIN_MS = 2_000;

    /** What certificates need; all borrowed. */
    public record Dependencies(
            Path dataDir,
            Egress egress,
            Database database,
            ChallengePort port,
            InstantSource clock) {}

    /** The shown certificate, and what replaces it. */
    private record Shown(CurrentCertificate current, Replacement replacement) {}

    private final Optional<Shown> shown;
    private final List<AutoCloseable> owned;
    private final RenewalCounters counters;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private @Nullable Thread thread;

    private Certificates(
            Optional<Shown> shown, List<AutoCloseable> owned, RenewalCounters counters) {
        this.shown = shown;
        this.owned = owned;
        this.counters = counters;
    }

    /** No TLS. */
    public static Certificates off() {
        return new Certificates(Optional.empty(), List.of(), new RenewalCounters());
    }

    /** A certificate that stays as it is. */
    public static Certificates of(CurrentCertificate current, InstantSource clock) {
        CertificateStatus status =
                CertificateStatus.of(CertificateStatus.Source.FILE, current.get(), clock.instant());
        Replacement none =
                new Replacement() {
                    @Override
                    public CertificateStatus status() {
                        return status;
                    }

                    @Override
                    public Duration step() {
                        return Duration.ofDays(1);
                    }
                };
        return new Certificates(
                Optional.of(new Shown(current, none)), List.of(), new RenewalCounters());
    }

    /**
     * Reads the certificate, from files or from the data folder; replaces nothing before {@link
     * #start}.
     *
     * @throws IllegalArgumentException if the files cannot be used
     */
    public static Certificates open(TlsConfig config, Dependencies dependencies) {
        if (!config.isEnabled()) {
            return off();
        }
        CertificateLog events = new CertificateLog(dependencies.database());
        return config.acme().isEnabled()
                ? byAcme(config.acme(), dependencies, events)
                : byFiles(config, dependencies, events);
    }

    private static Certificates byFiles(
            TlsConfig config, Dependencies dependencies, CertificateLog events) {
        RenewalCounters counters = new RenewalCounters();
        Path cert = config.cert().orElseThrow();
        Path key = config.key().orElseThrow();
        CurrentCertificate current =
                CurrentCertificate.ofFiles(config.cert(), config.key()).orElseThrow();
        Replacement files =
                new CertificateFiles(cert, key, current, events, counters, dependencies.clock());
        return new Certificates(Optional.of(new Shown(current, files)), List.of(events), counters);
    }

    private static Certificates byAcme(
            AcmeConfig config, Dependencies dependencies, CertificateLog events) {
        RenewalCounters counters = new RenewalCounters();
        AcmeStore store = new AcmeStore(dependencies.dataDir());
        CurrentCertificate current = new CurrentCertificate(stored(config, store, dependencies));
        HttpClient http = dependencies.egress().httpClient(REQUESTS, authorities(config));
        AcmeRenewal renewal =
                new AcmeRenewal(
                        config.domains(),
                        new AcmeAuthority(
                                config,
                                http,
                                store,
                                dependencies.port(),
                                current,
                                dependencies.clock()),
                        new AcmeRenewal.Dependencies(
                                store,
                                current,
                                events,
                                counters,
                                new RenewalSchedule(RandomGenerator.getDefault()),
                                dependencies.clock()));
        return new Certificates(
                Optional.of(new Shown(current, renewal)), List.of(http, events), counters);
    }

    private static List<X509Certificate> authorities(AcmeConfig config) {
        try {
            return config.ca().isPresent() ? PemFiles.certificates(config.ca().get()) : List.of();
        } catch (UnusableCertificateException e) {
            throw new IllegalArgumentException(
                    String.valueOf(e.getMessage()).replaceFirst("^tls\\.cert", "tls.acme.ca"), e);
        }
    }

    /** The last certificate of the authority, or one that clients do not trust until there is. */
    private static ServerCertificate stored(
            AcmeConfig config, AcmeStore store, Dependencies dependencies) {
        try {
            Optional<ServerCertificate> last = store.certificate();
            if (last.isPresent() && last.get().isValidAt(dependencies.clock().instant())) {
                return last.get();
            }
        } catch (UnusableCertificateException e) {
            log.warn("certificate: the stored one is not used: {}", e.getMessage());
        }
        ServerCertificate placeholder =
                SelfSigned.placeholder(config.domains(), dependencies.clock().instant());
        store.save(placeholder);
        return placeholder;
    }

    /** What listeners show; empty without TLS. */
    public Optional<CurrentCertificate> current() {
        return shown.map(Shown::current);
    }

    /** What new handshakes see, and how the last replacement went; empty without TLS. */
    public Optional<CertificateStatus> status() {
        return shown.map(Shown::replacement).map(Replacement::status);
    }

    public RenewalCounters counters() {
        return counters;
    }

    /** Replaces the certificate from now on, when it is time; the listeners must be open. */
    public void start() {
        shown.ifPresent(
                each ->
                        thread =
                                Thread.ofVirtual()
                                        .name("certificate")
                                        .start(() -> run(each.replacement())));
    }

    private void run(Replacement replacement) {
        try {
            Duration pause = stepped(replacement);
            while (!stopping.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
                pause = stepped(replacement);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private static Duration stepped(Replacement replacement) throws InterruptedException {
        try {
            return replacement.step();
        } catch (RuntimeException e) {
            log.error("certificate: a replacement failed", e);
            return AFTER_A_BUG;
        }
    }

    /** Ends a running replacement. Connections stay. */
    @Override
    public void close() {
        stopping.countDown();
        Thread running = thread;
        if (running != null) {
            running.interrupt();
            try {
                running.join(JOIN_MS);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }
        for (AutoCloseable each : owned) {
            try {
                each.close();
            } catch (Exception e) {
                log.warn("certificate: does not close: {}", e.toString());
            }
        }
    }
}
