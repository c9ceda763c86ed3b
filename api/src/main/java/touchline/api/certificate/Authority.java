package touchline.api.certificate;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import touchline.media.tls.ServerCertificate;

/** Issues certificates. Calls block, for minutes at most; an interrupt ends them. One thread. */
interface Authority {
    /**
     * Proves control of the domains, and gets a certificate with a new key.
     *
     * @throws IssuanceException with the reason for the operator
     */
    ServerCertificate issue(List<String> domains) throws IssuanceException, InterruptedException;

    /**
     * The window in which the authority advises to renew a certificate (RFC 9773); empty if it does
     * not say.
     */
    Optional<Window> renewalWindow(ServerCertificate shown) throws InterruptedException;

    /** A span of time. */
    record Window(Instant start, Instant end) {}

    /** No certificate was issued. */
    final class IssuanceException extends Exception {
        private static final long serialVersionUID = 1L;

        private final transient Optional<Instant> notBefore;

        /**
         * @param message in one line
         * @param notBefore the authority takes no request before; empty if it does not say
         */
        IssuanceException(String message, Optional<Instant> notBefore, @Nullable Throwable cause) {
            super(message, cause);
            this.notBefore = notBefore;
        }

        Optional<Instant> notBefore() {
            return notBefore;
        }
    }
}
