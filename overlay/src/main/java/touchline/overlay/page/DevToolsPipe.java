package touchline.overlay.page;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Requests, replies and events of one browser: JSON messages that end with a NUL byte, both ways
 * (Chrome DevTools Protocol over {@code --remote-debugging-pipe}).
 *
 * <p>Any thread may call, and no call blocks on the pipe itself: a stopped browser reads nothing.
 * One thread writes; one reads and delivers replies and events. End of file means that the browser
 * is gone: waiting and later calls fail.
 */
final class DevToolsPipe {
    /** A screenshot of the largest page is far smaller; a longer message is an error. */
    private static final String ENDED = "the browser has ended";

    private static final int MAX_MESSAGE_BYTES = 64 << 20;

    private static final int READ_BYTES = 1 << 16;

    /** A browser with more unread requests is stopped or overloaded. */
    private static final int MAX_UNREAD = 1024;

    private static final byte[] END = new byte[0];
    private static final ByteBuffer NONE = ByteBuffer.allocate(0);
    private static final ObjectMapper JSON = new ObjectMapper();

    /** How a frame's message begins: hundreds of kilobytes, which are not parsed to a tree. */
    private static final byte[] FRAME =
            "{\"method\":\"Page.screencastFrame\",\"params\":{\"data\":\""
                    .getBytes(StandardCharsets.US_ASCII);

    /**
     * @param session the page of the event; empty for the browser
     * @param method as {@code Page.loadEventFired}
     * @param data base64 of a frame, then missing in {@code parameters}; else empty
     */
    record Event(String session, String method, JsonNode parameters, ByteBuffer data) {}

    private final InputStream from;
    private final OutputStream to;
    private final BlockingQueue<byte[]> outgoing = new ArrayBlockingQueue<>(MAX_UNREAD);
    private final AtomicInteger ids = new AtomicInteger();
    private final Map<Integer, Request> waiting = new ConcurrentHashMap<>();
    private final List<Consumer<Event>> listeners = new CopyOnWriteArrayList<>();
    private final CompletableFuture<String> ended = new CompletableFuture<>();

    private DevToolsPipe(InputStream from, OutputStream to) {
        this.from = from;
        this.to = to;
    }

    /** The caller owns both streams; the end of {@code from} ends both threads. */
    static DevToolsPipe open(InputStream from, OutputStream to) {
        DevToolsPipe pipe = new DevToolsPipe(from, to);
        Thread.ofPlatform().daemon().name("devtools-reader").start(pipe::read);
        Thread.ofPlatform().daemon().name("devtools-writer").start(pipe::write);
        return pipe;
    }

    /**
     * The listener runs on the reader thread and must not block: it may {@link #send}, but not
     * call.
     */
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
     * @throws DevToolsException refused, no answer in time, or the browser is gone
     */
    JsonNode call(String session, String method, Map<String, ?> parameters, Duration atMost)
            throws InterruptedException {
        Request request = request(session, method, parameters);
        try {
            return request.reply().get(atMost.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new DevToolsException(method + ": no answer within " + atMost, e);
        } catch (ExecutionException e) {
            Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
            throw new DevToolsException(method + ": " + cause.getMessage(), cause);
        } finally {
            waiting.remove(request.id());
        }
    }

    /**
     * One request; the reply arrives in the future. It fails as {@link #call}, without a time-out.
     */
    @CanIgnoreReturnValue
    CompletableFuture<JsonNode> send(String session, String method, Map<String, ?> parameters) {
        Request request = request(session, method, parameters);
        return request.reply().whenComplete((_, _) -> waiting.remove(request.id()));
    }

    /** Fails all pending requests of a page that crashed or was closed. */
    void failRequests(String session) {
        DevToolsException gone = new DevToolsException("the page is gone");
        for (Request request : waiting.values()) {
            if (request.session().equals(session)) {
                request.reply().completeExceptionally(gone);
            }
        }
    }

    private record Request(int id, String session, CompletableFuture<JsonNode> reply) {}

    private Request request(String session, String method, Map<String, ?> parameters) {
        int id = ids.incrementAndGet();
        ObjectNode message = JSON.createObjectNode().put("id", id).put("method", method);
        message.set("params", JSON.valueToTree(parameters));
        if (!session.isEmpty()) {
            message.put("sessionId", session);
        }
        CompletableFuture<JsonNode> reply = new CompletableFuture<>();
        Request request = new Request(id, session, reply);
        waiting.put(id, request);
        // After the put: an earlier end is seen here, a later one completes the future.
        if (ended.isDone()) {
            reply.completeExceptionally(new DevToolsException(ended.join()));
        } else if (!outgoing.offer(message.toString().getBytes(StandardCharsets.UTF_8))) {
            reply.completeExceptionally(
                    new DevToolsException("the browser takes no more requests"));
        }
        return request;
    }

    private void write() {
        try {
            for (byte[] message = outgoing.take(); message.length > 0; ) {
                to.write(message);
                to.write(0);
                if (outgoing.isEmpty()) {
                    to.flush();
                }
                message = outgoing.take();
            }
        } catch (IOException e) {
            // The same end as the one that the reader sees; either may be first.
            end(ENDED + " (" + e.getMessage() + ")");
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void read() {
        String reason = ENDED;
        try {
            ByteArrayOutputStream message = new ByteArrayOutputStream();
            byte[] buffer = new byte[READ_BYTES];
            for (int count = from.read(buffer); count >= 0; count = from.read(buffer)) {
                split(buffer, count, message);
            }
        } catch (IOException e) {
            reason = "the browser's pipe broke: " + e.getMessage();
        } catch (RuntimeException e) {
            reason = "a listener failed: " + e;
        }
        end(reason);
        outgoing.clear();
        outgoing.add(END);
    }

    private void end(String reason) {
        ended.complete(reason);
        DevToolsException gone = new DevToolsException(ended.join());
        waiting.values().forEach(request -> request.reply().completeExceptionally(gone));
    }

    private void split(byte[] buffer, int count, ByteArrayOutputStream message) throws IOException {
        int start = 0;
        for (int i = 0; i < count; i++) {
            if (buffer[i] == 0) {
                message.write(buffer, start, i - start);
                received(message.toByteArray());
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

    private void received(byte[] bytes) throws IOException {
        if (Arrays.mismatch(bytes, FRAME) == FRAME.length) {
            dispatchFrame(bytes);
            return;
        }
        JsonNode message = JSON.readTree(bytes);
        if (message.has("id")) {
            complete(message);
        } else {
            dispatch(message, NONE);
        }
    }

    /** The base64 text is passed on without a copy; only the small rest is parsed. */
    private void dispatchFrame(byte[] bytes) throws IOException {
        int start = FRAME.length;
        int end = start;
        while (end < bytes.length && bytes[end] != '"') {
            end++;
        }
        byte[] rest = Arrays.copyOf(bytes, start + bytes.length - end);
        System.arraycopy(bytes, end, rest, start, bytes.length - end);
        dispatch(JSON.readTree(rest), ByteBuffer.wrap(bytes, start, end - start));
    }

    private void dispatch(JsonNode message, ByteBuffer data) {
        Event event =
                new Event(
                        message.path("sessionId").asText(),
                        message.path("method").asText(),
                        message.path("params"),
                        data);
        listeners.forEach(listener -> listener.accept(event));
    }

    private void complete(JsonNode message) {
        Request request = waiting.get(message.path("id").asInt());
        if (request == null) {
            return; // The call has timed out.
        }
        JsonNode error = message.path("error");
        if (error.isMissingNode()) {
            request.reply().complete(message.path("result"));
        } else {
            request.reply()
                    .completeExceptionally(new DevToolsException(error.path("message").asText()));
        }
    }
}
