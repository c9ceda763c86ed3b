package touchline.api.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.helidon.http.DirectHandler;
import io.helidon.http.RequestException;
import io.helidon.http.Status;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import touchline.media.concurrent.LogContext;

/**
 * Reads the JSON of request bodies on a few platform threads. Requests run on virtual threads,
 * whose carriers also run the sessions of publishers: a body must not keep a carrier busy. Any
 * thread.
 */
final class BodyReading {
    /** A smaller body takes less time to read than to hand over. */
    private static final int SMALL_BYTES = 2 * 1024;

    private static final int THREADS = 2;

    private static final ExecutorService READERS =
            Executors.newFixedThreadPool(
                    THREADS, Thread.ofPlatform().daemon().name("api-body-", 0).factory());

    private BodyReading() {}

    /**
     * @throws ApiException 40001 if the body is not one JSON value in UTF-8
     */
    static JsonNode parse(byte[] body) {
        if (body.length <= SMALL_BYTES) {
            return Json.parse(body);
        }
        try {
            FutureTask<JsonNode> reading = new FutureTask<>(() -> Json.parse(body));
            READERS.execute(LogContext.carried(reading));
            return reading.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof ApiException refused) {
                throw refused;
            }
            throw new IllegalStateException("a body could not be read", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a body is read", e);
        }
    }

    /** The answer to a body whose chunks are malformed; the connection ends with it. */
    static RequestException malformed(RuntimeException failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof RequestException refused) {
                return refused;
            }
        }
        return RequestException.builder()
                .type(DirectHandler.EventType.BAD_REQUEST)
                .status(Status.BAD_REQUEST_400)
                .setKeepAlive(false)
                .message("the chunks of the body are malformed")
                .cause(failure)
                .build();
    }
}
