package touchline.api.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import touchline.api.certificate.AcmeStore;
import touchline.config.ServerConfig;
import touchline.media.tls.PemFiles;
import touchline.media.tls.ServerCertificate;
import touchline.media.tls.UnusableCertificateException;

/** Checks the certificate of the TLS listeners, and how its renewal goes. One thread. */
final class CertificateChecks {
    private static final String SUBJECT = "certificate";
    private static final String CHALLENGE = "ACME challenge";

    /** Files that nothing has replaced this long before their end. */
    private static final Duration SOON = Duration.ofDays(14);

    /** A renewal is due when a third is left; less than this share means that it fails. */
    private static final int LATE_SHARE = 6;

    private final ServerConfig config;
    private final InstantSource clock;

    CertificateChecks(ServerConfig config, InstantSource clock) {
        this.config = config;
        this.clock = clock;
    }

    List<Finding> run() {
        if (!config.tls().isEnabled()) {
            return List.of();
        }
        return config.tls().acme().isEnabled() ? acme() : List.of(files());
    }

    private Finding files() {
        try {
            ServerCertificate read =
                    PemFiles.read(
                            config.tls().cert().orElseThrow(), config.tls().key().orElseThrow());
            if (!read.isValidAt(clock.instant())) {
                return Finding.warn(
                        SUBJECT, text(read), "clients refuse it: put a new one into tls.cert");
            }
            return left(read).compareTo(SOON) < 0
                    ? Finding.warn(SUBJECT, text(read), "renew it, or set tls.acme.domains")
                    : Finding.ok(SUBJECT, text(read));
        } catch (UnusableCertificateException e) {
            return Finding.fail(
                    SUBJECT,
                    String.valueOf(e.getMessage()),
                    "a server that runs keeps the certificate it has; a start fails");
        }
    }

    private List<Finding> acme() {
        List<Finding> findings = new ArrayList<>();
        findings.add(challengePort());
        AcmeStore store = new AcmeStore(config.dataDir());
        try {
            Optional<ServerCertificate> stored = store.certificate();
            findings.add(stored.map(this::stored).orElseGet(this::none));
        } catch (UnusableCertificateException e) {
            findings.add(
                    Finding.warn(
                            SUBJECT,
                            String.valueOf(e.getMessage()),
                            "the server gets another one"));
        }
        try {
            store.failure()
                    .ifPresent(
                            failure ->
                                    findings.add(
                                            Finding.warn(
                                                    "renewal",
                                                    failure,
                                                    "the server tries again by itself")));
        } catch (UncheckedIOException e) {
            findings.add(Finding.warn("renewal", String.valueOf(e.getMessage()), ""));
        }
        return findings;
    }

    /** The port is bound only while a challenge runs, so a running server does not hold it. */
    private Finding challengePort() {
        int port = config.tls().acme().httpPort();
        if (port == 0) {
            return Finding.ok(CHALLENGE, "TLS-ALPN-01 on the playback port");
        }
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(config.playback().host(), port));
            return Finding.ok(CHALLENGE, "HTTP-01 on port " + port);
        } catch (IOException e) {
            return Finding.warn(
                    CHALLENGE,
                    "port %d cannot be bound (%s): TLS-ALPN-01 is used, on the playback port"
                            .formatted(port, e.getMessage()),
                    "set tls.acme.http-port, or permit the port to the server's user");
        }
    }

    private Finding none() {
        return Finding.ok(
                SUBJECT, "none yet; the server gets one from " + config.tls().acme().directory());
    }

    private Finding stored(ServerCertificate read) {
        if (read.isSelfSigned()) {
            return Finding.warn(
                    SUBJECT,
                    "self-signed until " + config.tls().acme().directory() + " issues one",
                    "");
        }
        Duration validity = Duration.between(read.notBefore(), read.notAfter());
        return left(read).compareTo(validity.dividedBy(LATE_SHARE)) < 0
                ? Finding.warn(SUBJECT, text(read), "its renewal is late")
                : Finding.ok(SUBJECT, text(read));
    }

    private Duration left(ServerCertificate read) {
        return Duration.between(clock.instant(), read.notAfter());
    }

    private String text(ServerCertificate read) {
        Instant end = read.notAfter();
        return "%s by %s, valid until %s (%d days left)"
                .formatted(
                        String.join(", ", read.names()), read.issuer(), end, left(read).toDays());
    }
}
