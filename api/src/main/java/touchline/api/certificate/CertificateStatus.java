package touchline.api.certificate;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import touchline.media.tls.ServerCertificate;

/**
 * The certificate that new TLS handshakes see, and what the last attempt to replace it led to.
 * Immutable.
 *
 * @param source where it comes from
 * @param names host names and addresses of the certificate
 * @param issuer distinguished name (RFC 2253)
 * @param serial in hexadecimal digits
 * @param notBefore start of its validity
 * @param notAfter end of its validity
 * @param selfSigned whether no authority vouches for it: with ACME, until the first one comes
 * @param since when this server began to show it
 * @param failure of the last attempt; empty if it succeeded, or there was none
 * @param nextAttempt when ACME tries again; empty for files
 */
public record CertificateStatus(
        Source source,
        List<String> names,
        String issuer,
        String serial,
        Instant notBefore,
        Instant notAfter,
        boolean selfSigned,
        Instant since,
        Optional<Failure> failure,
        Optional<Instant> nextAttempt) {
    /** Where a certificate comes from. */
    public enum Source {
        /** {@code tls.cert} and {@code tls.key}. */
        FILE,
        /** {@code tls.acme}. */
        ACME
    }

    /**
     * Why the certificate was not replaced.
     *
     * @param message for the operator, in one line
     * @param at when it was noticed
     */
    public record Failure(String message, Instant at) {}

    public CertificateStatus {
        names = List.copyOf(names);
    }

    static CertificateStatus of(Source source, ServerCertificate shown, Instant since) {
        return new CertificateStatus(
                source,
                shown.names(),
                shown.issuer(),
                shown.serial(),
                shown.notBefore(),
                shown.notAfter(),
                shown.isSelfSigned(),
                since,
                Optional.empty(),
                Optional.empty());
    }

    CertificateStatus with(Optional<Failure> failed, Optional<Instant> next) {
        return new CertificateStatus(
                source,
                names,
                issuer,
                serial,
                notBefore,
                notAfter,
                selfSigned,
                since,
                failed,
                next);
    }

    /** Time until its end; negative after it. */
    public Duration left(Instant now) {
        return Duration.between(now, notAfter);
    }

    /** As the API and events show it; times in seconds. */
    public ObjectNode json() {
        ObjectNode json =
                JsonNodeFactory.instance
                        .objectNode()
                        .put("source", source.name().toLowerCase(Locale.ROOT));
        names.forEach(json.putArray("names")::add);
        json.put("issuer", issuer)
                .put("serial", serial)
                .put("not_before", text(notBefore))
                .put("not_after", text(notAfter))
                .put("self_signed", selfSigned)
                .put("since", text(since));
        failure.ifPresent(
                failed ->
                        json.putObject("failure")
                                .put("message", failed.message())
                                .put("at", text(failed.at())));
        nextAttempt.ifPresent(next -> json.put("next_attempt", text(next)));
        return json;
    }

    private static String text(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
