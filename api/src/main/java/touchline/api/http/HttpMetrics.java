package touchline.api.http;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Set;

/**
 * Measures requests by method, route template and status. The path is no label, since it may
 * contain ids and keys. Any thread.
 */
final class HttpMetrics {
    private static final Set<String> METHODS =
            Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");

    private final MeterRegistry registry;

    HttpMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    /**
     * @param route the template of the path, or a fixed name without one
     */
    void record(String method, String route, int status, long elapsedNs) {
        Timer.builder("touchline.http.requests")
                .description("Requests of the control API")
                .tag("method", METHODS.contains(method) ? method : "other")
                .tag("route", route)
                .tag("status", Integer.toString(status))
                .register(registry)
                .record(Duration.ofNanos(elapsedNs));
    }
}
