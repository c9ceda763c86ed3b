package touchline.api.events;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.net.URI;
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

/**
 * Sends committed events to webhook endpoints: one dispatcher for each endpoint that is enabled,
 * none of which waits for another. Any thread; started and closed by one.
 */
public final class WebhookDispatch implements Outbox.Listener, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(WebhookDispatch.class);

    private final Database database;
    private final WebhookRepository endpoints;
    private final EndpointDispatcher.Dependencies dependencies;
    private final DispatchCounters counters = new DispatchCounters();
    private final ConcurrentHashMap<String, EndpointDispatcher> open = new ConcurrentHashMap<>();

    /** Taken around opening and closing dispatchers. */
    private final ReentrantLock changing = new ReentrantLock();

    @GuardedBy("changing")
    private boolean closed;

    /**
     * @param poster sends the requests
     * @param timer wakes endpoints whose retries are due
     */
    public WebhookDispatch(
            Database database,
            WebhookRepository endpoints,
            Poster poster,
            RetryTimer timer,
            InstantSource clock) {
        this.database = database;
        this.endpoints = endpoints;
        RetrySchedule retries = new RetrySchedule(() -> ThreadLocalRandom.current().nextDouble());
        this.dependencies =
                new EndpointDispatcher.Dependencies(
                        new DeliveryRepository(database),
                        new WebhookSender(poster, retries, clock),
                        timer,
                        counters,
                        clock);
    }

    /** Takes up what an earlier life of the server has left, and everything that is committed. */
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

    /**
     * An endpoint was made, changed, enabled, disabled or deleted; to be called after the commit.
     */
    public void changed(String endpoint) {
        changing.lock();
        try {
            if (closed) {
                return;
            }
            Optional<WebhookEndpoint> now =
                    endpoints.find(endpoint).filter(WebhookEndpoint::enabled);
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

    /** Deliveries of an endpoint are to be sent again. Does not block. */
    public void replayed(String endpoint) {
        EndpointDispatcher dispatcher = open.get(endpoint);
        if (dispatcher != null) {
            dispatcher.wakeUnordered();
        }
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
            // Before the lanes learn that their outcomes are stored: none sends another event.
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

    /** Lets running requests end for a moment; what is left is sent by the next start. */
    @Override
    public void close() {
        database.outbox().forget(this);
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
            log.warn("interrupted while webhooks were closed");
        } finally {
            changing.unlock();
        }
    }
}
