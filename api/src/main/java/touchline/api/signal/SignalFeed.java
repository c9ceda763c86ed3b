package touchline.api.signal;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.media.signal.SignalSample;

/** Passes samples to clients as they are taken. A slow client loses the oldest. Any thread. */
public final class SignalFeed implements AutoCloseable {
    /** Seconds that a client may be behind. */
    private static final int QUEUE_CAPACITY = 16;

    private static final int MAX_WATCHERS = 100;

    private final Set<Watcher> watchers = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** A sample of a session. */
    public record Taken(SessionId session, SignalSample sample) {}

    /** Receives the samples of one stream. One thread reads and closes it. */
    public final class Watcher implements AutoCloseable {
        private final StreamId stream;
        private final BlockingQueue<Taken> queue = new ArrayBlockingQueue<>(QUEUE_CAPACITY);

        private Watcher(StreamId stream) {
            this.stream = stream;
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
        if (closed || watchers.size() >= MAX_WATCHERS) {
            return Optional.empty();
        }
        Watcher watcher = new Watcher(stream);
        watchers.add(watcher);
        return Optional.of(watcher);
    }

    /** Passes a sample to the watchers of its stream. */
    public void sampled(StreamId stream, Taken taken) {
        for (Watcher watcher : watchers) {
            if (watcher.stream.equals(stream)) {
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
