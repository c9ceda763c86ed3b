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
 * Committed events as they come, for whoever watches: the console. A watcher that does not keep up
 * is ended, and finds what it has missed in the log. Any thread.
 */
public final class EventFeed implements Outbox.Listener, AutoCloseable {
    private static final int WAITING = 1_000;
    private static final int WATCHERS = 100;

    private final Outbox outbox;
    private final Set<Watcher> watchers = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    public EventFeed(Outbox outbox) {
        this.outbox = outbox;
        outbox.listen(this);
    }

    /** One who watches. Read by one thread; whoever made it closes it. */
    public final class Watcher implements AutoCloseable {
        private final BlockingQueue<Event> queue = new ArrayBlockingQueue<>(WAITING);
        private volatile boolean ended;

        private Watcher() {}

        /** Waits for an event, for so long at most. */
        public Optional<Event> next(Duration patience) throws InterruptedException {
            return Optional.ofNullable(queue.poll(patience.toMillis(), TimeUnit.MILLISECONDS));
        }

        /** Nothing more comes: it was too slow, or the server stops. */
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

    /** Empty where there are too many. */
    public Optional<Watcher> watch() {
        if (closed || watchers.size() >= WATCHERS) {
            return Optional.empty();
        }
        Watcher watcher = new Watcher();
        watchers.add(watcher);
        return Optional.of(watcher);
    }

    @Override
    public void committed(Event event, List<String> endpoints) {
        watchers.forEach(watcher -> watcher.offer(event));
    }

    @Override
    public void close() {
        closed = true;
        outbox.forget(this);
    }
}
