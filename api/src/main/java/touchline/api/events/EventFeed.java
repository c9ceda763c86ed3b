package touchline.api.events;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import touchline.api.db.Outbox;
import touchline.api.domain.Event;

/**
 * Passes committed events to the console at once. A watcher whose queue is full is closed. It finds
 * the missed events in the log. Any thread.
 */
public final class EventFeed implements Outbox.Listener, AutoCloseable {
    private static final int QUEUE_CAPACITY = 1_000;
    private static final int MAX_WATCHERS = 100;

    private final Outbox outbox;
    private final Set<Watcher> watchers = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** Places of events that were passed on, of all nodes; unused without a cluster. */
    private final Set<Long> passed = ConcurrentHashMap.newKeySet();

    private volatile boolean isShared;

    public EventFeed(Outbox outbox) {
        this.outbox = outbox;
        outbox.listen(this);
    }

    /** Receives events in its queue. One thread reads and closes it. */
    public final class Watcher implements AutoCloseable {
        private final BlockingQueue<Event> queue = new ArrayBlockingQueue<>(QUEUE_CAPACITY);
        private volatile boolean ended;

        private Watcher() {}

        /** Waits for an event. Empty after this time. */
        public Optional<Event> next(Duration limit) throws InterruptedException {
            return Optional.ofNullable(queue.poll(limit.toMillis(), TimeUnit.MILLISECONDS));
        }

        /** No more events: the watcher was too slow, or the server stops. */
        public boolean ended() {
            return ended || closed;
        }

        private void offer(Event event) {
            if (!queue.offer(event)) {
                close();
            }
        }

        @Override
        public void close() {
            ended = true;
            watchers.remove(this);
        }
    }

    /** Empty where the maximum number watches already. */
    public Optional<Watcher> watch() {
        if (closed || watchers.size() >= MAX_WATCHERS) {
            return Optional.empty();
        }
        Watcher watcher = new Watcher();
        watchers.add(watcher);
        return Optional.of(watcher);
    }

    @Override
    public void committed(Event event, List<String> endpoints) {
        if (!isShared || passed.add(event.place())) {
            watchers.forEach(watcher -> watcher.offer(event));
        }
    }

    /** Events of other nodes arrive too, by {@link #found}. Called before the first event. */
    void share() {
        isShared = true;
    }

    /** Whether nothing watches. */
    boolean isIdle() {
        return watchers.isEmpty();
    }

    /** Of these places those whose events were not passed on; they count as passed from now on. */
    List<Long> unseen(List<Long> places) {
        return places.stream().filter(passed::add).toList();
    }

    /** Events that another node has committed. */
    void found(List<Event> events) {
        events.forEach(event -> watchers.forEach(watcher -> watcher.offer(event)));
    }

    /** Removes places that are not looked at any more. */
    void dropUpTo(long place) {
        passed.removeIf(each -> each <= place);
    }

    @Override
    public void close() {
        closed = true;
        outbox.remove(this);
    }
}
