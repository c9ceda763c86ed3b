package touchline.api.http;

import java.util.Map;
import java.util.TreeMap;

/**
 * How a server is, part by part. Immutable.
 *
 * @param parts state of each part ({@code up}, {@code loading}, …), by name
 */
public record HealthReport(boolean up, Map<String, String> parts) {
    public HealthReport {
        parts = Map.copyOf(parts);
    }

    /** The parts by name. */
    TreeMap<String, String> sorted() {
        return new TreeMap<>(parts);
    }
}
