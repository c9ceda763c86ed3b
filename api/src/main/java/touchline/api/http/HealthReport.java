package touchline.api.http;

import java.util.Map;
import java.util.TreeMap;

/**
 * How a server is, part by part. Immutable.
 *
 * @param up whether it may be sent what was asked about
 * @param parts state of each part ({@code up}, {@code loading}, …), by name
 */
public record HealthReport(boolean up, Map<String, String> parts) {
    public HealthReport {
        parts = Map.copyOf(parts);
    }

    /** What a balancer asks about. */
    public enum Use {
        /** Everything: encoders, viewers and the API. */
        ALL,
        /** Viewers only. They are served while the database is away. */
        PLAYBACK
    }

    /** The parts by name. */
    TreeMap<String, String> sorted() {
        return new TreeMap<>(parts);
    }
}
