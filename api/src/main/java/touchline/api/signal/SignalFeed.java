package touchline.api.signal;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.media.signal.SignalSample;

/** Passes samples to clients as they are taken. A slow client loses the oldest. Any thread. */
public final class SignalFeed implements AutoCloseable {
    /** Seconds that a client may be behind. */
    private static final int QUEUE_CAPACITY = 16;

    /** Samples of all streams that a client may be behind. */
    private static final int ALL_CAPACITY = 1_024;

    private static final int MAX_WATCHERS = 100;

    private final Set<Watcher> watchers = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** A sample of a session. */
    public record Taken(StreamId stream, SessionId session, SignalSample sample) {}

    /** Receives the samples of one stream, or of all. One thread reads and closes it. */
    public final class Watcher implements AutoCloseable {
        private final Predicate<StreamId> wanted;
        private final BlockingQueue<Taken> queue;

        private Watcher(Predicate<StreamId> wanted, int capacity) {
            this.wanted = wanted;
            this.queue = new ArrayBlockingQueue<>(capacity);
        }

        /** Waits for a sample. Empty after this time. */
        public Optional<Taken> next(Duration limit) throws InterruptedException {
            return Optional.ofNullable(queue.poll(limit.toMillis(), TimeUnit.MILLISECONDS));
        }

        /** No more samples: the server stops. */
        public boolean ended() {
            return closed;
        }

        private void offer(Taken taken) {
            while (!queue.offer(taken)) {
                Taken _ = queue.poll();
            }
        }

        @Override
        public void close() {
            watchers.remove(this);
        }
    }

    /** Empty where the maximum number watches already. */
    public Optional<Watcher> watch(StreamId stream) {
        return watch(stream::equals, QUEUE_CAPACITY);
    }

    /** The same for all streams. */
    public Optional<Watcher> watchAll() {
        return watch(_ -> true, ALL_CAPACITY);
    }

    private Optional<Watcher> watch(Predicate<StreamId> wanted, int capacity) {
        if (closed || watchers.size() >= MAX_WATCHERS) {
            return Optional.empty();
        }
        Watcher watcher = new Watcher(wanted, capacity);
        watchers.add(watcher);
        return Optional.of(watcher);
    }

    /** Passes a sample to the watchers of its stream. */
    public void sampled(Taken taken) {
        for (Watcher watcher : watchers) {
            if (watcher.wanted.test(taken.stream())) {
                watcher.offer(taken);
            }
        }
    }

    /** Ends all watchers. */
    @Override
    public void close() {
        closed = true;
    }
}
