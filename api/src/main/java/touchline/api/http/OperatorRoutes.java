package touchline.api.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.Method;
import java.util.List;
import touchline.api.domain.Scope;
import touchline.config.ConfigException;

/** Operation of the server: reading the configuration again. Any thread. */
final class OperatorRoutes {
    private static final String SEPARATOR = ": ";

    private final Reload reload;

    OperatorRoutes(Reload reload) {
        this.reload = reload;
    }

    List<ApiRoute> routes() {
        return List.of(ApiRoute.of(Method.POST, "/system/v1/reload", Scope.SYSTEM, this::reload));
    }

    private ApiReply reload(ApiRequest request) {
        Reload.Report report;
        try {
            report = reload.run();
        } catch (ConfigException e) {
            throw ApiException.badInput(
                    ErrorCode.INVALID_PARAMETER,
                    "the configuration is not reloaded: nothing has changed",
                    e.problems().stream().map(OperatorRoutes::field).toList());
        }
        ObjectNode data = Json.object();
        ArrayNode applied = data.putArray("applied");
        for (Reload.Applied each : report.applied()) {
            applied.addObject()
                    .put("key", each.key())
                    .put("from", each.from())
                    .put("to", each.to());
        }
        ArrayNode restart = data.putArray("restart_required");
        report.restartRequired().forEach(restart::add);
        return ApiReply.ok(data);
    }

    /** A line of the configuration's errors: the key, and what is wrong with it. */
    private static FieldError field(String problem) {
        int end = problem.indexOf(SEPARATOR);
        return end < 0
                ? new FieldError("config", problem)
                : new FieldError(
                        problem.substring(0, end), problem.substring(end + SEPARATOR.length()));
    }
}
