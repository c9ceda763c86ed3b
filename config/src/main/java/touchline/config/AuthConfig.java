package touchline.config;

import java.util.Optional;

/** {@code auth}: secrets given from outside; empty ones are made at the first start. */
public record AuthConfig(Optional<String> adminSecret, Optional<String> masterKey) {
    @Override
    public String toString() {
        return "AuthConfig[masked]";
    }
}
