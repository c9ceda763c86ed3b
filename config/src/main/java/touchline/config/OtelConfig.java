package touchline.config;

import java.net.URI;
import java.util.Map;
import java.util.Optional;

/**
 * {@code otel}: traces by OpenTelemetry. Immutable.
 *
 * @param endpoint base address of an OTLP receiver over HTTP; empty: no traces
 * @param serviceName the resource attribute {@code service.name}
 * @param resourceAttributes further attributes of this server
 * @param headers of each request to the receiver; they may hold a credential
 * @param samplingRatio share of the traces that are recorded, 0 to 1
 */
public record OtelConfig(
        Optional<URI> endpoint,
        String serviceName,
        Map<String, String> resourceAttributes,
        Map<String, String> headers,
        double samplingRatio) {
    /** No traces. */
    public static final OtelConfig OFF =
            new OtelConfig(Optional.empty(), "touchline", Map.of(), Map.of(), 1);

    public OtelConfig {
        resourceAttributes = Map.copyOf(resourceAttributes);
        headers = Map.copyOf(headers);
    }

    /** Without the values of the headers. */
    @Override
    public String toString() {
        return "OtelConfig[endpoint=%s, serviceName=%s, resourceAttributes=%s, headers=%s, samplingRatio=%s]"
                .formatted(
                        endpoint, serviceName, resourceAttributes, headers.keySet(), samplingRatio);
    }
}
