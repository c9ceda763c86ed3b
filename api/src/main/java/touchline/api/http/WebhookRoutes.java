package touchline.api.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.Method;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import touchline.api.db.Database;
import touchline.api.db.DeliveryLog;
import touchline.api.db.NewEvent;
import touchline.api.db.WebhookRepository;
import touchline.api.domain.Event;
import touchline.api.domain.EventFilter;
import touchline.api.domain.EventType;
import touchline.api.domain.Scope;
import touchline.api.domain.WebhookEndpoint;
import touchline.api.domain.WebhookEndpoint.Reason;
import touchline.api.domain.WebhookSecrets;
import touchline.api.events.WebhookDispatch;
import touchline.api.view.WebhookView;

/** {@code /system/v1/webhooks}: receivers of events. Any thread. */
final class WebhookRoutes {
    static final String WEBHOOKS = "/system/v1/webhooks";
    static final String WEBHOOK = WEBHOOKS + "/{id}";
    static final String WHAT = "webhook";

    private static final int MAX_WEBHOOKS = 100;

    /** The call that changes what PATCH does not. */
    private static final Map<String, String> CHANGED_BY =
            Map.of("secret", "POST " + WEBHOOK + "/rotate-secret");

    /** The time after a rotation in which the old secret signs too. */
    private static final Duration OVERLAP = Duration.ofHours(24);

    private final Database database;
    private final WebhookRepository endpoints;
    private final WebhookDispatch dispatch;
    private final DeliveryLog deliveries;
    private final WebhookFields fields;
    private final InstantSource clock;

    /** States of an endpoint in requests. */
    private enum Status {
        ENABLED,
        DISABLED;

        static Optional<Status> of(String wireName) {
            return List.of(values()).stream()
                    .filter(status -> JsonFields.spelled(status).equals(wireName))
                    .findFirst();
        }
    }

    WebhookRoutes(Database database, EventDependencies dependencies, InstantSource clock) {
        this.database = database;
        this.endpoints = dependencies.endpoints();
        this.dispatch = dependencies.dispatch();
        this.deliveries = new DeliveryLog(database);
        this.fields = new WebhookFields(dependencies.receiverRefusal());
        this.clock = clock;
    }

    List<ApiRoute> routes() {
        return List.of(
                ApiRoute.prepared(WEBHOOKS, Scope.SYSTEM, this::create),
                ApiRoute.of(Method.GET, WEBHOOKS, Scope.SYSTEM, this::list),
                ApiRoute.of(Method.GET, WEBHOOK, Scope.SYSTEM, this::find),
                ApiRoute.of(Method.PATCH, WEBHOOK, Scope.SYSTEM, this::patch),
                ApiRoute.of(Method.DELETE, WEBHOOK, Scope.SYSTEM, this::delete),
                ApiRoute.of(Method.POST, WEBHOOK + "/test", Scope.SYSTEM, this::test),
                ApiRoute.of(
                        Method.POST, WEBHOOK + "/rotate-secret", Scope.SYSTEM, this::rotateSecret));
    }

    static ApiException noWebhook() {
        return ApiException.notFound(WHAT);
    }

    private ApiHandler.Creation create(ApiRequest request) {
        JsonFields body = request.body();
        body.require(WebhookFields.URL);
        body.require(WebhookFields.EVENTS);
        Optional<String> url = fields.url(body);
        Optional<List<String>> events = WebhookFields.events(body);
        Optional<List<String>> streams = WebhookFields.streams(body);
        Optional<String> description = WebhookFields.description(body);
        request.problems().throwIfAny();
        WebhookEndpoint endpoint =
                new WebhookEndpoint(
                        WebhookEndpoint.newId(),
                        url.orElseThrow(),
                        description.orElse(""),
                        new EventFilter(events.orElseThrow(), streams),
                        Optional.empty(),
                        Optional.empty(),
                        clock.instant());
        return () -> store(request, endpoint);
    }

    private ApiReply store(ApiRequest request, WebhookEndpoint endpoint) {
        String secret = WebhookSecrets.create();
        if (!endpoints.create(endpoint, secret, MAX_WEBHOOKS)) {
            throw ApiException.wrongState(
                    "there are " + MAX_WEBHOOKS + " webhooks already: delete one first");
        }
        request.afterCommit(() -> dispatch.changed(endpoint.id()));
        return ApiReply.ok(WebhookView.of(endpoint).put("secret", secret));
    }

    private ApiReply list(ApiRequest request) {
        return ApiReply.page(endpoints.list(request.page()).map(WebhookView::of));
    }

    private ApiReply find(ApiRequest request) {
        return ApiReply.ok(WebhookView.of(endpoint(request)));
    }

    private WebhookEndpoint endpoint(ApiRequest request) {
        return endpoints.find(request.id("id", WHAT)).orElseThrow(WebhookRoutes::noWebhook);
    }

    private ApiReply patch(ApiRequest request) {
        String id = request.id("id", WHAT);
        JsonFields body = request.mergedBody();
        UnaryOperator<WebhookEndpoint> change = change(body);
        body.refuseChanges(WebhookView.of(endpoint(request)), CHANGED_BY);
        request.problems().throwIfAny();
        WebhookEndpoint shown = endpoints.change(id, change).orElseThrow(WebhookRoutes::noWebhook);
        dispatch.changed(id);
        return ApiReply.ok(WebhookView.of(shown));
    }

    /** The requested change. Apply it only if no problem was reported. */
    private UnaryOperator<WebhookEndpoint> change(JsonFields body) {
        Optional<String> url = fields.url(body);
        Optional<List<String>> events = WebhookFields.events(body);
        boolean everyStream = body.takesBack(WebhookFields.STREAMS);
        Optional<List<String>> streams =
                everyStream ? Optional.empty() : WebhookFields.streams(body);
        Optional<String> description =
                body.orDefault(WebhookFields.DESCRIPTION, "", _ -> WebhookFields.description(body));
        Optional<Status> status =
                body.orDefault(
                        WebhookFields.STATUS,
                        Status.ENABLED,
                        name ->
                                body.constant(
                                        name, Status::of, Status.values(), JsonFields::spelled));
        return before -> {
            EventFilter filter =
                    new EventFilter(
                            events.orElse(before.filter().types()),
                            everyStream
                                    ? Optional.empty()
                                    : streams.or(() -> before.filter().streams()));
            WebhookEndpoint after =
                    before.withUrl(url.orElse(before.url()))
                            .withDescription(description.orElse(before.description()))
                            .withFilter(filter);
            return status.map(to -> with(after, to)).orElse(after);
        };
    }

    private WebhookEndpoint with(WebhookEndpoint endpoint, Status status) {
        return switch (status) {
            case ENABLED -> endpoint.enable();
            case DISABLED ->
                    endpoint.enabled()
                            ? endpoint.disable(Reason.REQUESTED, clock.instant())
                            : endpoint;
        };
    }

    private ApiReply delete(ApiRequest request) {
        String id = request.id("id", WHAT);
        if (!endpoints.delete(id)) {
            throw noWebhook();
        }
        dispatch.changed(id);
        return ApiReply.done();
    }

    /** Answers at once. The log of deliveries has the result. */
    private ApiReply test(ApiRequest request) {
        WebhookEndpoint endpoint = endpoint(request);
        if (!endpoint.enabled()) {
            throw ApiException.wrongState("the webhook is disabled: enable it first");
        }
        Event event =
                database.transaction(
                        () ->
                                database.outbox()
                                        .appendFor(
                                                endpoint.id(),
                                                NewEvent.of(
                                                        EventType.WEBHOOK_TEST,
                                                        WebhookView.of(endpoint))));
        return ApiReply.ok(
                deliveries
                        .ofEvent(endpoint.id(), event)
                        .map(DeliveryRoutes::shown)
                        .orElseThrow(WebhookRoutes::noWebhook));
    }

    private ApiReply rotateSecret(ApiRequest request) {
        WebhookEndpoint endpoint = endpoint(request);
        String secret = WebhookSecrets.create();
        if (!endpoints.rotate(endpoint.id(), secret, clock.instant().plus(OVERLAP))) {
            throw noWebhook();
        }
        dispatch.changed(endpoint.id());
        ObjectNode shown = WebhookView.of(endpoint);
        return ApiReply.ok(shown.put("secret", secret));
    }
}
