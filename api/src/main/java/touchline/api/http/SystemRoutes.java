package touchline.api.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.Method;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import touchline.api.domain.Scope;

/** Health, metrics and the description of the interface. Any thread. */
final class SystemRoutes {
    private static final String METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";
    private static final String YAML_TYPE = "application/yaml";

    private final Function<HealthReport.Use, HealthReport> readiness;
    private final Supplier<HostReport> host;
    private final PrometheusMeterRegistry registry;
    private final OpenApiDocument document;
    private final List<Scope> observeScopes;
    private final InstantSource clock;

    /**
     * @param readiness whether the server may be sent work
     * @param host what this host has and how it is used; blocks at most for the test of the
     *     workers, a second after a start
     * @param observeNeedsToken whether health and metrics require scope system
     */
    SystemRoutes(
            Function<HealthReport.Use, HealthReport> readiness,
            Supplier<HostReport> host,
            PrometheusMeterRegistry registry,
            OpenApiDocument document,
            boolean observeNeedsToken,
            InstantSource clock) {
        this.clock = clock;
        this.readiness = readiness;
        this.host = host;
        this.registry = registry;
        this.document = document;
        this.observeScopes = observeNeedsToken ? List.of(Scope.SYSTEM) : List.of();
    }

    List<ApiRoute> routes() {
        return List.of(
                observe("/observe/health/live", this::live),
                observe("/observe/health/ready", this::ready),
                observe("/observe/metrics", this::metrics),
                ApiRoute.of(Method.GET, "/system/v1/host", Scope.SYSTEM, this::host),
                ApiRoute.open(Method.GET, "/openapi", this::openapi));
    }

    private ApiRoute observe(String path, ApiHandler handler) {
        return new ApiRoute(Method.GET, path, observeScopes, new ApiRoute.Operation.Plain(handler));
    }

    /** Checks only that the process answers. */
    private ApiReply live(ApiRequest request) {
        return ApiReply.ok(Json.object().put("status", "up"));
    }

    private ApiReply ready(ApiRequest request) {
        Optional<String> use = request.query("for");
        if (use.isPresent() && !use.get().equals("playback")) {
            request.problems().invalid("for", "unknown value (expected: playback)");
        }
        request.problems().throwIfAny();
        HealthReport report =
                readiness.apply(use.isPresent() ? HealthReport.Use.PLAYBACK : HealthReport.Use.ALL);
        if (!report.up()) {
            List<FieldError> parts =
                    report.sorted().entrySet().stream()
                            .map(part -> new FieldError(part.getKey(), part.getValue()))
                            .toList();
            throw ApiException.badInput(ErrorCode.OVERLOADED, "not ready", parts);
        }
        ObjectNode data = Json.object().put("status", "up");
        ObjectNode parts = data.putObject("parts");
        for (Map.Entry<String, String> part : report.sorted().entrySet()) {
            parts.put(part.getKey(), part.getValue());
        }
        return ApiReply.ok(data);
    }

    private ApiReply host(ApiRequest request) {
        return ApiReply.ok(host.get().json(clock.instant()));
    }

    private ApiReply metrics(ApiRequest request) {
        return ApiReply.document(METRICS_TYPE, registry.scrape().getBytes(StandardCharsets.UTF_8));
    }

    /** YAML as written, or JSON on request. */
    private ApiReply openapi(ApiRequest request) {
        boolean json =
                request.header("Accept")
                        .map(accept -> accept.toLowerCase(Locale.ROOT))
                        .filter(accept -> accept.contains("json") && !accept.contains("yaml"))
                        .isPresent();
        return json
                ? new ApiReply.Document(ReplyWriter.JSON, document.json())
                : new ApiReply.Document(YAML_TYPE, document.yaml());
    }
}
