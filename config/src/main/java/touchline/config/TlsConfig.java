package touchline.config;

import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * {@code tls}: disabled without a certificate. It comes from files, or by ACME.
 *
 * @param rtmpsPort of RTMP over TLS; empty: no such listener
 */
public record TlsConfig(
        OptionalInt rtmpsPort, Optional<Path> cert, Optional<Path> key, AcmeConfig acme) {
    /** Without ACME. */
    public TlsConfig(OptionalInt rtmpsPort, Optional<Path> cert, Optional<Path> key) {
        this(rtmpsPort, cert, key, AcmeConfig.OFF);
    }

    /** Whether API and playback use TLS. */
    public boolean isEnabled() {
        return cert.isPresent() || acme.isEnabled();
    }

    /** The same with another port for RTMPS. */
    public TlsConfig withRtmpsPort(int bound) {
        return new TlsConfig(OptionalInt.of(bound), cert, key, acme);
    }
}
