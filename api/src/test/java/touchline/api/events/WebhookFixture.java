package touchline.api.events;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import touchline.api.access.MasterKeys;
import touchline.api.access.SealedSecrets;
import touchline.api.access.SecretBox;
import touchline.api.db.Database;
import touchline.api.db.DeliveryLog;
import touchline.api.db.MemoryDatabase;
import touchline.api.db.NewEvent;
import touchline.api.db.WebhookRepository;
import touchline.api.domain.Delivery;
import touchline.api.domain.Event;
import touchline.api.domain.EventFilter;
import touchline.api.domain.EventType;
import touchline.api.domain.PageRequest;
import touchline.api.domain.WebhookEndpoint;
import touchline.api.domain.WebhookSecrets;
import touchline.api.egress.EgressAnswer;
import touchline.api.egress.EgressException;
import touchline.media.StreamId;
import touchline.testing.Await;
import touchline.testing.SettableClock;

/** Endpoints, events and receivers without a socket, on H2 in memory, with a clock of its own. */
final class WebhookFixture implements AutoCloseable {
    /** A request as a receiver sees it. */
    record Call(String host, Map<String, String> headers, String body) {
        String id() {
            return headers.getOrDefault("webhook-id", "");
        }
    }

    /** Answers a request. */
    @FunctionalInterface
    interface Receiver {
        EgressAnswer answer(Call call) throws EgressException, InterruptedException;
    }

    final SettableClock clock = new SettableClock(Instant.parse("2026-11-20T12:00:00Z"));
    final FakeTimer timer = new FakeTimer();
    final Database database;
    final WebhookRepository endpoints;
    final DeliveryLog log;
    private final Map<String, Receiver> receivers = new ConcurrentHashMap<>();
    private final Map<String, BlockingQueue<Call>> calls = new ConcurrentHashMap<>();
    private WebhookDispatch dispatch;

    WebhookFixture() {
        database = MemoryDatabase.open(clock);
        String key = Base64.getEncoder().encodeToString(new byte[32]);
        endpoints =
                new WebhookRepository(
                        database,
                        SealedSecrets.ofWebhooks(
                                new SecretBox(
                                        MasterKeys.load(
                                                Optional.of(key), Path.of("does-not-exist")))));
        log = new DeliveryLog(database);
        dispatch = newDispatch();
    }

    private WebhookDispatch newDispatch() {
        WebhookDispatch next = new WebhookDispatch(database, endpoints, this::post, timer, clock);
        next.start();
        return next;
    }

    WebhookDispatch dispatch() {
        return dispatch;
    }

    /** The server stops; what is recorded meanwhile waits. */
    void stop() {
        dispatch.close();
    }

    void startAgain() {
        dispatch = newDispatch();
    }

    private EgressAnswer post(URI url, Map<String, String> headers, byte[] body)
            throws EgressException {
        Call call =
                new Call(
                        url.getHost(),
                        Map.copyOf(headers),
                        new String(body, StandardCharsets.UTF_8));
        calls(url.getHost()).add(call);
        try {
            return receivers.getOrDefault(url.getHost(), _ -> status(200)).answer(call);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EgressException(EgressException.Kind.BROKEN, "interrupted", e);
        }
    }

    static EgressAnswer status(int status) {
        return status(status, Map.of());
    }

    static EgressAnswer status(int status, Map<String, String> headers) {
        return new EgressAnswer(
                status, "HTTP/1.1 " + status, List.copyOf(headers.entrySet()), "", false);
    }

    void receiver(String host, Receiver receiver) {
        receivers.put(host, receiver);
    }

    /** An endpoint for everything; its receiver is named by the host. */
    String endpoint(String host) {
        return endpoint(host, new EventFilter(List.of(EventFilter.ALL), Optional.empty()));
    }

    String endpoint(String host, EventFilter filter) {
        WebhookEndpoint endpoint =
                new WebhookEndpoint(
                        WebhookEndpoint.newId(),
                        "https://" + host + "/hook",
                        "",
                        filter,
                        Optional.empty(),
                        Optional.empty(),
                        clock.instant());
        endpoints.create(endpoint, WebhookSecrets.create(), 100);
        dispatch.changed(endpoint.id());
        return endpoint.id();
    }

    Event event(String stream) {
        return event(EventType.LIVE_STREAM_UPDATED, stream);
    }

    Event event(EventType type, String stream) {
        return database.transaction(
                () ->
                        database.outbox()
                                .append(
                                        NewEvent.of(
                                                type,
                                                new StreamId(stream),
                                                JsonNodeFactory.instance
                                                        .objectNode()
                                                        .put("id", stream))));
    }

    /** The next request of a receiver. */
    Call next(String host) throws InterruptedException {
        Call call = calls(host).poll(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        if (call == null) {
            throw new AssertionError(host + " got nothing");
        }
        return call;
    }

    /**
     * Requests that the test has not taken yet. First waits until no dispatcher has work: nothing
     * more is sent then without another event, or more time.
     */
    List<Call> rest(String host) throws InterruptedException {
        awaitIdle();
        return List.copyOf(calls(host));
    }

    private void awaitIdle() throws InterruptedException {
        if (!dispatch.awaitIdle(Await.PATIENCE)) {
            throw new AssertionError("the dispatchers do not come to rest");
        }
    }

    private BlockingQueue<Call> calls(String host) {
        return calls.computeIfAbsent(host, _ -> new LinkedBlockingQueue<>());
    }

    /** Advances the time and triggers due retries. */
    void pass(Duration time) {
        clock.advance(time);
        timer.reach(clock.instant());
    }

    Delivery delivery(String endpoint, Event event) {
        return log.ofEvent(endpoint, event).orElseThrow();
    }

    /**
     * Waits until so many attempts of a delivery are stored and no dispatcher has work: one that
     * reads the clock only after it was advanced would make the next attempt at once.
     */
    Delivery attempted(String endpoint, Event event, int attempts) throws InterruptedException {
        Await.until(() -> delivery(endpoint, event).attempts().size() >= attempts);
        awaitIdle();
        return delivery(endpoint, event);
    }

    /** Waits until a delivery has this status. */
    Delivery ended(String endpoint, Event event, Delivery.Status status) {
        Await.until(() -> delivery(endpoint, event).status() == status);
        return delivery(endpoint, event);
    }

    /** Waits until an endpoint has something arranged for later. */
    Instant arranged(String endpoint, Instant after) {
        Await.until(() -> timer.arranged().getOrDefault(endpoint, Instant.MIN).isAfter(after));
        return timer.arranged().getOrDefault(endpoint, Instant.MIN);
    }

    List<Delivery> deliveries(String endpoint) {
        return log.list(endpoint, Optional.empty(), new PageRequest(1, 100)).items();
    }

    @Override
    public void close() {
        dispatch.close();
        database.close();
    }
}
