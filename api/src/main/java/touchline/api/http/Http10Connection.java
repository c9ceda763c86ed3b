package touchline.api.http;

import io.helidon.common.buffers.DataReader;
import io.helidon.common.concurrency.limits.Limit;
import io.helidon.common.task.InterruptableTask;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.spi.ServerConnection;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A connection that is HTTP/1.0 or HTTP/1.1 by its first request line. Until that line it is idle,
 * as the web server's own connections are. The connection's thread handles it; any thread closes
 * it.
 */
final class Http10Connection implements ServerConnection, InterruptableTask<Void> {
    private final ConnectionContext context;
    private final Function<ConnectionContext, ServerConnection> choice;
    private final long startNs = System.nanoTime();

    // Written by the connection's thread, read by those that close it.
    private volatile @Nullable Thread thread;
    private volatile @Nullable ServerConnection chosen;
    private volatile boolean closed;

    /**
     * @param choice waits for the first request line
     */
    Http10Connection(
            ConnectionContext context, Function<ConnectionContext, ServerConnection> choice) {
        this.context = context;
        this.choice = choice;
    }

    @Override
    public void handle(Limit limit) throws InterruptedException {
        thread = Thread.currentThread();
        ServerConnection connection;
        try {
            connection = choice.apply(context);
        } catch (DataReader.InsufficientDataAvailableException e) {
            throw new CloseConnectionException("the client sent no request", e);
        }
        chosen = connection;
        if (!closed) {
            connection.handle(limit);
        }
    }

    @Override
    public boolean canInterrupt() {
        ServerConnection known = chosen;
        return known == null || (known instanceof InterruptableTask<?> task && task.canInterrupt());
    }

    @Override
    public Duration idleTime() {
        ServerConnection known = chosen;
        return known == null ? Duration.ofNanos(System.nanoTime() - startNs) : known.idleTime();
    }

    @Override
    public void close(boolean interrupt) {
        closed = true;
        ServerConnection known = chosen;
        Thread waiting = thread;
        if (known != null) {
            known.close(interrupt);
        } else if (waiting != null) {
            waiting.interrupt();
        }
    }
}
