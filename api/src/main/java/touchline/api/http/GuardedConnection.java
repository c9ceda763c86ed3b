package touchline.api.http;

import io.helidon.common.concurrency.limits.Limit;
import io.helidon.common.task.InterruptableTask;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.spi.ServerConnection;
import java.io.UncheckedIOException;
import java.time.Duration;

/**
 * A connection with deadlines. When the server ends it, it drops what the client still sends for a
 * short time, so that the client receives the last reply. The connection's thread handles it; any
 * thread closes it.
 */
final class GuardedConnection implements ServerConnection, InterruptableTask<Void> {
    /** Dropped at the end of a connection. */
    private static final long MAX_DROPPED_BYTES = 8L << 20;

    private final ServerConnection connection;
    private final ApiConnection deadlines;
    private final ReceivedBytes received;
    private final boolean secure;
    private final Runnable ended;

    /**
     * @param secure TLS ends the connection by a message of its own
     * @param ended runs at the end of the connection
     */
    GuardedConnection(
            ServerConnection connection,
            ApiConnection deadlines,
            ReceivedBytes received,
            boolean secure,
            Runnable ended) {
        this.connection = connection;
        this.secure = secure;
        this.ended = ended;
        this.deadlines = deadlines;
        this.received = received;
    }

    @Override
    public void handle(Limit limit) throws InterruptedException {
        try {
            connection.handle(limit);
            drop();
        } catch (CloseConnectionException e) {
            drop();
            throw e;
        } catch (UncheckedIOException e) {
            throw new CloseConnectionException(
                    deadlines.expired() ? "a deadline has passed" : "the connection has failed", e);
        } finally {
            ended.run();
        }
    }

    private void drop() {
        if (received.ended()
                || deadlines.expired()
                || (secure && !deadlines.unread())
                || Thread.currentThread().isInterrupted()) {
            return;
        }
        try (ApiConnection.Step _ = deadlines.dropping()) {
            if (!secure) {
                deadlines.shutdownOutput();
            }
            received.drop(MAX_DROPPED_BYTES);
        } catch (UncheckedIOException e) {
            // The client has reset the connection, or the deadline has closed it.
            throw new CloseConnectionException("the client has not ended the connection", e);
        }
    }

    @Override
    public boolean canInterrupt() {
        return connection instanceof InterruptableTask<?> task && task.canInterrupt();
    }

    @Override
    public Duration idleTime() {
        return connection.idleTime();
    }

    @Override
    public void close(boolean interrupt) {
        connection.close(interrupt);
    }
}
