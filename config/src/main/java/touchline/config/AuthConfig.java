package touchline.config;

import java.util.Optional;

/** {@code auth}: configured secrets. The server generates empty ones at its first start. */
public record AuthConfig(Optional<String> adminSecret, Optional<String> masterKey) {
    @Override
    public String toString() {
        return "AuthConfig[masked]";
    }
}
