package touchline.api.certificate;

import java.io.IOException;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.shredzone.acme4j.Authorization;
import org.shredzone.acme4j.challenge.Challenge;
import org.shredzone.acme4j.challenge.Http01Challenge;
import org.shredzone.acme4j.challenge.TlsAlpn01Challenge;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.certificate.Authority.IssuanceException;
import touchline.media.tls.CurrentCertificate;

/**
 * Answers the challenges of one order: HTTP-01 while its port can be bound, else TLS-ALPN-01 on the
 * playback port. One thread; answers are given by any.
 */
final class DomainProof implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(DomainProof.class);

    private final CurrentCertificate shown;
    private final InstantSource clock;
    private final Map<String, String> answers = new ConcurrentHashMap<>();
    private final Optional<AutoCloseable> http;
    private final String whyNoHttp;
    private AutoCloseable tls = () -> {};

    /**
     * @param port of HTTP-01; empty: not used
     */
    DomainProof(Optional<ChallengePort> port, CurrentCertificate shown, InstantSource clock) {
        this.shown = shown;
        this.clock = clock;
        Optional<AutoCloseable> opened = Optional.empty();
        String failure = "tls.acme.http-port is 0";
        if (port.isPresent()) {
            try {
                opened =
                        Optional.of(
                                port.get().open(token -> Optional.ofNullable(answers.get(token))));
            } catch (IOException e) {
                failure = "tls.acme.http-port cannot be bound: " + e.getMessage();
                log.warn("certificate: {}; TLS-ALPN-01 is used instead of HTTP-01", failure);
            }
        }
        this.http = opened;
        this.whyNoHttp = failure;
    }

    /**
     * Gets ready to answer a challenge for a domain.
     *
     * @return the challenge to trigger
     * @throws IssuanceException if the authority offers none that this server can answer
     */
    Challenge answer(Authorization authorization) throws IssuanceException {
        String domain = authorization.getIdentifier().getDomain();
        Optional<Http01Challenge> byHttp = authorization.findChallenge(Http01Challenge.class);
        if (http.isPresent() && byHttp.isPresent()) {
            answers.put(byHttp.get().getToken(), byHttp.get().getAuthorization());
            return byHttp.get();
        }
        TlsAlpn01Challenge byTls =
                authorization
                        .findChallenge(TlsAlpn01Challenge.class)
                        .orElseThrow(
                                () ->
                                        new IssuanceException(
                                                "%s: the directory offers no TLS-ALPN-01, and HTTP-01 is not possible (%s)"
                                                        .formatted(domain, whyNoHttp),
                                                Optional.empty(),
                                                null));
        tls =
                shown.answer(
                        domain,
                        SelfSigned.proof(domain, clock.instant(), byTls.getAcmeValidation()));
        return byTls;
    }

    /** Ends the answers of the last TLS-ALPN-01 challenge. */
    void answered() {
        close(tls);
        tls = () -> {};
    }

    /** What the authority has to reach for a challenge, for messages. */
    static String reached(Challenge challenge, String domain) {
        return challenge instanceof Http01Challenge
                ? "http://%s:80 must lead to tls.acme.http-port".formatted(domain)
                : "port 443 of %s must lead to the playback port".formatted(domain);
    }

    @Override
    public void close() {
        answered();
        http.ifPresent(DomainProof::close);
    }

    private static void close(AutoCloseable open) {
        try {
            open.close();
        } catch (Exception e) {
            log.warn("certificate: a challenge's listener does not close: {}", e.toString());
        }
    }
}
