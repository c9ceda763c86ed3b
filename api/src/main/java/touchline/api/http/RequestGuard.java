package touchline.api.http;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import touchline.api.db.Database;

/**
 * What each request may take: a place among the requests that run, a share of the database's
 * connections, deadlines for body and reply, and a body of limited size. A request holds its place
 * while the server works, never while it waits for the client. Any thread.
 *
 * @param places requests that may run at the same time
 */
record RequestGuard(
        ApiConnections connections, Semaphore places, Database database, int maxBodyBytes) {
    /** Health is answered also when all places are taken. */
    private static final String HEALTH = "/observe/health/";

    private static final Duration PAUSE = Duration.ofSeconds(1);

    /**
     * Runs the work of a request.
     *
     * @throws ApiException 50301 if too many run
     */
    <T> T run(String path, Supplier<T> work) {
        if (path.startsWith(HEALTH)) {
            return work.get();
        }
        if (!places.tryAcquire()) {
            throw ApiException.retryLater(
                    ErrorCode.OVERLOADED, "too many requests run; try again later", PAUSE);
        }
        try {
            return database.request(work);
        } finally {
            places.release();
        }
    }
}
