package touchline.api.db;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The connections of the pool that requests of clients may use at the same time. Many requests that
 * wait for one row hold no more than these: publishers, sessions, jobs and webhooks keep the rest.
 * Any thread.
 */
final class ConnectionShare {
    private final Semaphore free;
    private final Duration patience;
    private final ScopedValue<Request> current = ScopedValue.newInstance();

    /** One request; its thread only. */
    private static final class Request {
        private boolean holdsConnection;
    }

    /**
     * @param poolSize connections of the pool; three fifths of them, at least 1, are the share
     * @param patience how long a request waits for one
     */
    ConnectionShare(int poolSize, Duration patience) {
        this.free = new Semaphore(Math.max(1, poolSize * 3 / 5), /* fair= */ true);
        this.patience = patience;
    }

    /** Runs a request: what it asks of the database on this thread is limited to the share. */
    <T extends @Nullable Object> T request(Supplier<T> work) {
        return ScopedValue.where(current, new Request()).call(work::get);
    }

    /**
     * Runs work that takes a connection. Work of no request runs at once.
     *
     * @throws DatabaseException when requests have held all connections of the share for too long
     */
    <T extends @Nullable Object> T withConnection(Supplier<T> work) {
        if (!current.isBound() || current.get().holdsConnection) {
            return work.get();
        }
        acquire();
        Request request = current.get();
        request.holdsConnection = true;
        try {
            return work.get();
        } finally {
            request.holdsConnection = false;
            free.release();
        }
    }

    private void acquire() {
        try {
            if (!free.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                throw DatabaseException.unavailable(
                        "database: no connection for a request within "
                                + patience.toSeconds()
                                + " s");
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw DatabaseException.unavailable("database: interrupted while waiting");
        }
    }
}
