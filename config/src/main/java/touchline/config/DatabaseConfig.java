package touchline.config;

import java.util.Optional;

/** {@code db}: the database. Default: H2 in the data folder. */
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
