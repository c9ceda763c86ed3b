package touchline.api.http;

import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerRequest;
import java.util.UUID;
import touchline.api.trace.Span;
import touchline.api.trace.Tracing;

/**
 * Spans of requests, named by method and route template (OpenTelemetry semantic conventions for
 * HTTP). The path and the query are no attributes, since they may contain ids and keys. Health,
 * metrics and the console's files have no spans. Any thread.
 */
final class RequestTraces {
    private static final HeaderName TRACEPARENT = HeaderNames.create("traceparent");
    private static final String OBSERVERS = "/observe/";
    private static final int SERVER_ERROR = 500;

    private final Tracing tracing;

    RequestTraces(Tracing tracing) {
        this.tracing = tracing;
    }

    /**
     * @param method a well-known one, or a fixed name
     * @param route the template of the path, or a fixed name without one
     */
    Span begin(String method, String route, ServerRequest request, UUID requestId) {
        if (!tracing.isOn() || route.startsWith(OBSERVERS) || !route.startsWith("/")) {
            return Span.NONE;
        }
        return tracing.start(
                        Tracing.Kind.REQUEST,
                        method + " " + route,
                        request.headers().first(TRACEPARENT))
                .put("http.request.method", method)
                .put("http.route", route)
                .put("touchline.request_id", requestId.toString());
    }

    /** The reply was sent with this status. */
    static void answered(Span span, int status) {
        span.put("http.response.status_code", status);
        if (status >= SERVER_ERROR) {
            span.failed(Integer.toString(status));
        }
    }
}
