package touchline.api.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.Method;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import touchline.api.db.Database;
import touchline.api.db.DeliveryLog;
import touchline.api.db.WebhookRepository;
import touchline.api.domain.Delivery;
import touchline.api.domain.DeliveryAttempt;
import touchline.api.domain.PageRequest;
import touchline.api.domain.Scope;
import touchline.api.domain.WebhookEndpoint;
import touchline.api.events.WebhookDispatch;

/** Deliveries of a webhook endpoint, and requests to send them again. Any thread. */
final class DeliveryRoutes {
    private static final String DELIVERIES = WebhookRoutes.WEBHOOK + "/deliveries";
    private static final String WHAT = "delivery";
    private static final double MAX_EPOCH_SECONDS = 253_402_300_799.0;

    private final DeliveryLog deliveries;
    private final WebhookRepository endpoints;
    private final WebhookDispatch dispatch;
    private final InstantSource clock;

    DeliveryRoutes(Database database, EventDependencies dependencies, InstantSource clock) {
        this.deliveries = new DeliveryLog(database);
        this.endpoints = dependencies.endpoints();
        this.dispatch = dependencies.dispatch();
        this.clock = clock;
    }

    List<ApiRoute> routes() {
        return List.of(
                ApiRoute.of(Method.GET, DELIVERIES, Scope.SYSTEM, this::list),
                ApiRoute.of(Method.GET, DELIVERIES + "/{delivery_id}", Scope.SYSTEM, this::find),
                ApiRoute.of(
                        Method.POST,
                        DELIVERIES + "/{delivery_id}/replay",
                        Scope.SYSTEM,
                        this::replay),
                ApiRoute.of(
                        Method.POST,
                        WebhookRoutes.WEBHOOK + "/replay",
                        Scope.SYSTEM,
                        this::replayMany));
    }

    private WebhookEndpoint endpoint(ApiRequest request) {
        return endpoints
                .find(request.id("id", WebhookRoutes.WHAT))
                .orElseThrow(WebhookRoutes::noWebhook);
    }

    private ApiReply list(ApiRequest request) {
        WebhookEndpoint endpoint = endpoint(request);
        Optional<String> asked = request.query("status");
        Optional<Delivery.Status> status = asked.flatMap(Delivery.Status::of);
        if (asked.isPresent() && status.isEmpty()) {
            request.problems()
                    .invalid("status", "unknown value (expected: pending, succeeded or failed)");
        }
        PageRequest page = request.page();
        return ApiReply.page(
                deliveries.list(endpoint.id(), status, page).map(DeliveryRoutes::shown));
    }

    private ApiReply find(ApiRequest request) {
        return ApiReply.ok(shown(endpoint(request), request));
    }

    private ObjectNode shown(WebhookEndpoint endpoint, ApiRequest request) {
        return deliveries
                .find(endpoint.id(), request.id("delivery_id", WHAT))
                .map(DeliveryRoutes::shown)
                .orElseThrow(() -> ApiException.notFound(WHAT));
    }

    private ApiReply replay(ApiRequest request) {
        WebhookEndpoint endpoint = enabled(request);
        String delivery = request.id("delivery_id", WHAT);
        if (!deliveries.replay(endpoint.id(), delivery, clock.instant())) {
            throw ApiException.notFound(WHAT);
        }
        dispatch.replayed(endpoint.id());
        return ApiReply.ok(shown(endpoint, request));
    }

    private WebhookEndpoint enabled(ApiRequest request) {
        WebhookEndpoint endpoint = endpoint(request);
        if (!endpoint.enabled()) {
            throw ApiException.wrongState("the webhook is disabled: enable it first");
        }
        return endpoint;
    }

    /** All deliveries of a time range, or the failed ones; without a range all failed ones. */
    private ApiReply replayMany(ApiRequest request) {
        WebhookEndpoint endpoint = enabled(request);
        JsonFields body = request.body();
        boolean failedOnly =
                body.constant("status", DeliveryRoutes::which, Which.values(), JsonFields::spelled)
                                .orElse(Which.FAILED)
                        == Which.FAILED;
        Optional<Instant> from = instant(body, "from");
        Optional<Instant> to = instant(body, "to");
        if (!failedOnly) {
            body.require("from");
        }
        if (from.isPresent() && to.isPresent() && !from.get().isBefore(to.get())) {
            body.problems().invalid("to", "not behind from (expected: greater)");
        }
        request.problems().throwIfAny();
        Instant now = clock.instant();
        Instant begin = from.orElse(Instant.EPOCH);
        Instant end = to.orElse(now.plusMillis(1));
        int replayed =
                failedOnly
                        ? deliveries.replayFailed(endpoint.id(), begin, end, now)
                        : deliveries.replayAll(endpoint.id(), endpoint.filter(), begin, end, now);
        dispatch.replayed(endpoint.id());
        return ApiReply.ok(Json.object().put("replayed", replayed));
    }

    private enum Which {
        FAILED,
        ALL
    }

    private static Optional<Which> which(String wireName) {
        return List.of(Which.values()).stream()
                .filter(which -> JsonFields.spelled(which).equals(wireName))
                .findFirst();
    }

    /** Unix seconds, with optional fractions. */
    private static Optional<Instant> instant(JsonFields body, String name) {
        OptionalDouble seconds = body.number(name, 0, MAX_EPOCH_SECONDS);
        try {
            return seconds.isPresent()
                    ? Optional.of(Instant.ofEpochMilli(Math.round(seconds.getAsDouble() * 1_000)))
                    : Optional.empty();
        } catch (DateTimeException _) {
            body.problems().invalid(body.pathOf(name), "out of range");
            return Optional.empty();
        }
    }

    static ObjectNode shown(Delivery delivery) {
        ObjectNode json = Json.object();
        json.put("id", delivery.id());
        json.put("event_id", delivery.eventId());
        json.put("type", delivery.type().wireName());
        json.put("status", delivery.status().wireName());
        json.put("created_at", seconds(delivery.createdAt()));
        if (delivery.status() == Delivery.Status.PENDING) {
            json.put("next_attempt_at", seconds(delivery.dueAt()));
        }
        delivery.finishedAt().ifPresent(at -> json.put("finished_at", seconds(at)));
        ArrayNode attempts = json.putArray("attempts");
        delivery.attempts().forEach(attempt -> attempts.add(shown(attempt)));
        return json;
    }

    private static ObjectNode shown(DeliveryAttempt attempt) {
        ObjectNode json = Json.object();
        json.put("number", attempt.number());
        json.put("at", seconds(attempt.at()));
        json.put("duration_ms", attempt.took().toMillis());
        attempt.httpStatus().ifPresent(status -> json.put("http_status", status));
        attempt.error().ifPresent(error -> json.put("error", error));
        json.put("request_head", attempt.requestHead());
        attempt.responseHead().ifPresent(head -> json.put("response_head", head));
        attempt.responseBody().ifPresent(body -> json.put("response_body", body));
        return json;
    }

    /** With milliseconds, since deliveries may be less than a second apart. */
    private static double seconds(Instant at) {
        return at.toEpochMilli() / 1_000.0;
    }
}
