package touchline.api.events;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.db.Database;
import touchline.api.db.DeliveryRepository;
import touchline.api.db.Outbox;
import touchline.api.db.WebhookRepository;
import touchline.api.domain.DeliveryOutcome;
import touchline.api.domain.Event;
import touchline.api.domain.WebhookEndpoint;
import touchline.api.domain.WebhookSecrets;
import touchline.api.trace.Tracing;

/**
 * Sends committed events to webhook endpoints. Each enabled endpoint has its own dispatcher, which
 * waits for no other. Any thread; one thread starts and closes it.
 */
public final class WebhookDispatch implements Outbox.Listener, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(WebhookDispatch.class);

    private final Database database;
    private final WebhookRepository endpoints;
    private final EndpointDispatcher.Dependencies dependencies;
    private final EndpointDuty duty;
    private final DispatchCounters counters = new DispatchCounters();
    private final ConcurrentHashMap<String, EndpointDispatcher> open = new ConcurrentHashMap<>();

    /** Held while dispatchers open and close. */
    private final ReentrantLock changing = new ReentrantLock();

    @GuardedBy("changing")
    private boolean closed;

    /**
     * Borrowed.
     *
     * @param poster sends the requests
     * @param timer wakes endpoints when a retry is due
     * @param duty the endpoints that this server sends to
     * @param tracing receives a span for each attempt
     */
    public record Dependencies(
            Database database,
            WebhookRepository endpoints,
            Poster poster,
            RetryTimer timer,
            EndpointDuty duty,
            Tracing tracing,
            InstantSource clock) {}

    /** For all endpoints, without traces. */
    public WebhookDispatch(
            Database database,
            WebhookRepository endpoints,
            Poster poster,
            RetryTimer timer,
            InstantSource clock) {
        this(
                new Dependencies(
                        database, endpoints, poster, timer, EndpointDuty.ALL, Tracing.OFF, clock));
    }

    public WebhookDispatch(Dependencies borrowed) {
        this.database = borrowed.database();
        this.endpoints = borrowed.endpoints();
        this.duty = borrowed.duty();
        RetrySchedule retries = new RetrySchedule(() -> ThreadLocalRandom.current().nextDouble());
        this.dependencies =
                new EndpointDispatcher.Dependencies(
                        new DeliveryRepository(database),
                        new WebhookSender(
                                borrowed.poster(), retries, borrowed.tracing(), borrowed.clock()),
                        borrowed.timer(),
                        counters,
                        borrowed.clock());
    }

    /** Sends what is left from the last run of the server, and every event from now on. */
    public void start() {
        dependencies.timer().wakes(this::due);
        database.outbox().listen(this);
        endpoints.enabled().forEach(endpoint -> changed(endpoint.id()));
    }

    public DispatchCounters counters() {
        return counters;
    }

    @Override
    public void committed(Event event, List<String> to) {
        String stream = event.stream().map(id -> id.value()).orElse("");
        for (String endpoint : to) {
            EndpointDispatcher dispatcher = open.get(endpoint);
            if (dispatcher != null) {
                dispatcher.wake(stream);
            }
        }
    }

    /** An endpoint was created, changed, enabled, disabled or deleted. Call it after the commit. */
    public void changed(String endpoint) {
        changing.lock();
        try {
            if (closed) {
                return;
            }
            Optional<WebhookEndpoint> now =
                    endpoints.find(endpoint).filter(it -> it.enabled() && duty.isOurs(endpoint));
            Optional<WebhookSecrets> secrets = now.flatMap(_ -> endpoints.secrets(endpoint));
            if (now.isEmpty() || secrets.isEmpty()) {
                end(endpoint);
                return;
            }
            EndpointTarget target =
                    new EndpointTarget(endpoint, URI.create(now.get().url()), secrets.get());
            EndpointDispatcher running = open.get(endpoint);
            if (running != null) {
                running.retarget(target);
                return;
            }
            begin(now.get(), target);
        } finally {
            changing.unlock();
        }
    }

    /** Looks for events and requests that other nodes of a cluster have stored. Does not block. */
    public void poll() {
        open.values().forEach(EndpointDispatcher::start);
    }

    /** Deliveries of an endpoint were requested again. Does not block. */
    public void replayed(String endpoint) {
        EndpointDispatcher dispatcher = open.get(endpoint);
        if (dispatcher != null) {
            dispatcher.wakeUnordered();
        }
    }

    /** For tests: waits until no dispatcher has work. */
    boolean awaitIdle(Duration limit) throws InterruptedException {
        for (EndpointDispatcher dispatcher : open.values()) {
            if (!dispatcher.awaitIdle(limit)) {
                return false;
            }
        }
        return true;
    }

    private void due(String endpoint) {
        EndpointDispatcher dispatcher = open.get(endpoint);
        if (dispatcher != null) {
            dispatcher.due();
        }
    }

    private void begin(WebhookEndpoint endpoint, EndpointTarget target) {
        EndpointHealth health =
                new EndpointHealth(
                        endpoint,
                        new EndpointHealth.Dependencies(
                                database, dependencies.deliveries(), endpoints));
        EndpointDispatcher dispatcher =
                new EndpointDispatcher(
                        target, dependencies, outcomes -> store(endpoint.id(), health, outcomes));
        open.put(endpoint.id(), dispatcher);
        dispatcher.start();
    }

    private void store(String endpoint, EndpointHealth health, List<DeliveryOutcome> outcomes) {
        if (health.store(outcomes)) {
            counters.endpointDisabled();
            // First: no queue sends another event after its result is stored.
            EndpointDispatcher dispatcher = open.get(endpoint);
            if (dispatcher != null) {
                dispatcher.stop();
            }
            Thread.ofVirtual().name("webhook-end-" + endpoint).start(() -> changed(endpoint));
        }
    }

    private void end(String endpoint) {
        EndpointDispatcher ended = open.remove(endpoint);
        if (ended != null) {
            ended.close();
        }
    }

    /** Waits a moment for running requests. The next start sends the rest. */
    @Override
    public void close() {
        database.outbox().remove(this);
        changing.lock();
        try {
            closed = true;
            List<Thread> closing = new ArrayList<>();
            for (EndpointDispatcher dispatcher : open.values()) {
                closing.add(Thread.ofVirtual().start(dispatcher::close));
            }
            for (Thread thread : closing) {
                thread.join();
            }
            open.clear();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            log.warn("interrupted while webhooks close");
        } finally {
            changing.unlock();
        }
    }
}
