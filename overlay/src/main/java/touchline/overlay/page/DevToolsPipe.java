package touchline.overlay.page;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Requests, replies and events of one browser: JSON messages that end with a NUL byte, both ways
 * (Chrome DevTools Protocol over {@code --remote-debugging-pipe}).
 *
 * <p>Any thread may call; one reader thread of its own hands out replies and events. End of file
 * means that the browser is gone: whoever waits is told, and so is whoever calls later.
 */
final class DevToolsPipe {
    /** A screenshot of the largest page is far below; more is not a message. */
    private static final int MAX_MESSAGE_BYTES = 64 << 20;

    private static final int READ_BYTES = 1 << 16;
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * @param session the page it is about; empty for the browser
     * @param method as {@code Page.loadEventFired}
     */
    record Event(String session, String method, JsonNode parameters) {}

    private final InputStream from;
    private final OutputStream to;
    private final ReentrantLock writing = new ReentrantLock();
    private final AtomicInteger ids = new AtomicInteger();
    private final Map<Integer, CompletableFuture<JsonNode>> waiting = new ConcurrentHashMap<>();
    private final List<Consumer<Event>> listeners = new CopyOnWriteArrayList<>();
    private final CompletableFuture<String> ended = new CompletableFuture<>();

    private DevToolsPipe(InputStream from, OutputStream to) {
        this.from = from;
        this.to = to;
    }

    /** Both streams stay the caller's; the end of {@code from} ends the reader. */
    static DevToolsPipe open(InputStream from, OutputStream to) {
        DevToolsPipe pipe = new DevToolsPipe(from, to);
        Thread.ofPlatform().daemon().name("devtools-reader").start(pipe::read);
        return pipe;
    }

    /** Called on the reader thread: it must neither wait nor call. */
    void addListener(Consumer<Event> listener) {
        listeners.add(listener);
    }

    void removeListener(Consumer<Event> listener) {
        listeners.remove(listener);
    }

    /** Completes with the reason when the browser is gone. */
    CompletableFuture<String> ended() {
        return ended.copy();
    }

    /**
     * One request and its reply.
     *
     * @param session the page; empty for the browser
     * @throws DevToolsException refused, not answered in time, or the browser is gone
     */
    JsonNode call(String session, String method, Map<String, ?> parameters, Duration atMost)
            throws InterruptedException {
        int id = ids.incrementAndGet();
        ObjectNode message = JSON.createObjectNode().put("id", id).put("method", method);
        message.set("params", JSON.valueToTree(parameters));
        if (!session.isEmpty()) {
            message.put("sessionId", session);
        }
        CompletableFuture<JsonNode> reply = new CompletableFuture<>();
        waiting.put(id, reply);
        try {
            // After the put: an end between the two is seen here, one after it ends the future.
            if (ended.isDone()) {
                throw new DevToolsException(method + ": " + ended.join());
            }
            write(message);
            return reply.get(atMost.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new DevToolsException(method + ": no answer within " + atMost, e);
        } catch (ExecutionException e) {
            Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
            throw new DevToolsException(method + ": " + cause.getMessage(), cause);
        } catch (IOException e) {
            throw new DevToolsException(method + ": the browser's pipe is closed", e);
        } finally {
            waiting.remove(id);
        }
    }

    private void write(ObjectNode message) throws IOException {
        byte[] bytes = JSON.writeValueAsBytes(message);
        writing.lock();
        try {
            to.write(bytes);
            to.write(0);
            to.flush();
        } finally {
            writing.unlock();
        }
    }

    private void read() {
        String reason = "the browser has ended";
        try {
            ByteArrayOutputStream message = new ByteArrayOutputStream();
            byte[] buffer = new byte[READ_BYTES];
            for (int count = from.read(buffer); count >= 0; count = from.read(buffer)) {
                split(buffer, count, message);
            }
        } catch (IOException e) {
            reason = "the browser's pipe broke: " + e.getMessage();
        }
        ended.complete(reason);
        DevToolsException gone = new DevToolsException(reason);
        waiting.values().forEach(reply -> reply.completeExceptionally(gone));
    }

    private void split(byte[] buffer, int count, ByteArrayOutputStream message) throws IOException {
        int start = 0;
        for (int i = 0; i < count; i++) {
            if (buffer[i] == 0) {
                message.write(buffer, start, i - start);
                received(JSON.readTree(message.toByteArray()));
                message.reset();
                start = i + 1;
            }
        }
        message.write(buffer, start, count - start);
        if (message.size() > MAX_MESSAGE_BYTES) {
            throw new IOException(
                    "message: > " + message.size() + " bytes (<= " + MAX_MESSAGE_BYTES + ")");
        }
    }

    private void received(JsonNode message) {
        if (!message.has("id")) {
            Event event =
                    new Event(
                            message.path("sessionId").asText(),
                            message.path("method").asText(),
                            message.path("params"));
            listeners.forEach(listener -> listener.accept(event));
            return;
        }
        CompletableFuture<JsonNode> reply = waiting.get(message.path("id").asInt());
        if (reply == null) {
            return; // The caller has given up.
        }
        JsonNode error = message.path("error");
        if (error.isMissingNode()) {
            reply.complete(message.path("result"));
        } else {
            reply.completeExceptionally(new DevToolsException(error.path("message").asText()));
        }
    }
}
