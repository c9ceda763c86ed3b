package touchline.config;

import java.util.Optional;

/** {@code db}: H2 in the data folder unless an address is given. */
public record DatabaseConfig(
        Optional<String> url,
        Optional<String> user,
        Optional<String> password,
        int maxConnections) {
    @Override
    public String toString() {
        return "DatabaseConfig[masked]";
    }
}
