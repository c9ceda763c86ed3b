package touchline.config;

import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;

/** {@code tls}: disabled without a certificate. */
public record TlsConfig(OptionalInt rtmpsPort, Optional<Path> cert, Optional<Path> key) {
    /** The same with another port for RTMPS. */
    public TlsConfig withRtmpsPort(int bound) {
        return new TlsConfig(OptionalInt.of(bound), cert, key);
    }
}
