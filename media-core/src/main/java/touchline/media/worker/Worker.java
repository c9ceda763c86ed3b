package touchline.media.worker;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Main loop of the child process for untrusted media. Requests are lines of JSON on standard input,
 * replies are lines on standard output. One job at a time.
 *
 * <pre>
 *   {"id": 1, "kind": "probe", "body": {...}}          to the child
 *   {"id": 1, "progress": 0.25}                         any number of times
 *   {"id": 1, "result": {...}}                          or
 *   {"id": 1, "error": {"code": 1003, "message": "..."}}
 * </pre>
 */
public final class Worker {
    /** Exit status at a memory limit; the JVM's {@code ExitOnOutOfMemoryError} also uses 3. */
    public static final int EXIT_OUT_OF_MEMORY = 3;

    /** Maximum request of the parent: it fits the pipe buffer, so the parent never blocks. */
    static final int MAX_REQUEST_BYTES = 32 * 1024;

    static final int MAX_REPLY_BYTES = 1024 * 1024;

    private static final Logger log = LoggerFactory.getLogger(Worker.class);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long PROGRESS_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final Path OOM_SCORE = Path.of("/proc/self/oom_score_adj");

    private final Map<String, WorkerHandler> handlers;
    private final OutputStream out;
    private final LongSupplier nanoTime;

    Worker(Map<String, WorkerHandler> handlers, OutputStream out, LongSupplier nanoTime) {
        this.handlers = Map.copyOf(handlers);
        this.out = out;
        this.nanoTime = nanoTime;
    }

    /**
     * Serves standard input until its end, then ends the process, even during a job: the parent has
     * exited or closed the pipe. Does not return.
     */
    public static void serve(Map<String, WorkerHandler> handlers) {
        // Output of libraries must not mix with the replies.
        OutputStream replies = new FileOutputStream(FileDescriptor.out);
        System.setOut(System.err);
        sacrificeFirst();
        RequestPipe requests = new RequestPipe(System.in, () -> Runtime.getRuntime().halt(0));
        Worker worker = new Worker(handlers, replies, System::nanoTime);
        try {
            while (true) {
                worker.answer(requests.take());
            }
        } catch (InterruptedException | UncheckedIOException e) {
            log.error("worker ends", e);
            Runtime.getRuntime().halt(1);
        }
    }

    /** If the host runs out of memory, the kernel kills this process before the server. */
    private static void sacrificeFirst() {
        try {
            Files.writeString(OOM_SCORE, "1000");
        } catch (IOException e) {
            log.warn("cannot set {}: {}", OOM_SCORE, e.toString());
        }
    }

    /** Runs one job and writes its reply. */
    void answer(String request) {
        JsonNode json = parse(request);
        long id = json.path("id").asLong();
        String kind = json.path("kind").asText();
        WorkerHandler handler = handlers.get(kind);
        if (handler == null) {
            error(id, WorkerJobException.INTERNAL, "kind of job: " + kind + " is not known");
            return;
        }
        try {
            JsonNode result = handler.handle(json.path("body"), new ThrottledProgress(id));
            ObjectNode reply = reply(id);
            reply.set("result", result);
            write(reply);
        } catch (WorkerJobException e) {
            error(id, e.code(), String.valueOf(e.getMessage()));
        } catch (UncheckedIOException e) {
            throw e;
        } catch (OutOfMemoryError e) {
            log.error("out of memory", e);
            Runtime.getRuntime().halt(EXIT_OUT_OF_MEMORY);
        } catch (Exception e) {
            log.error("job failed", e);
            error(id, WorkerJobException.INTERNAL, "internal: " + e.getClass().getSimpleName());
        }
    }

    private static JsonNode parse(String request) {
        try {
            return JSON.readTree(request);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException("request: not JSON", e);
        }
    }

    private void error(long id, int code, String message) {
        ObjectNode reply = reply(id);
        reply.putObject("error").put("code", code).put("message", message);
        write(reply);
    }

    private static ObjectNode reply(long id) {
        return JSON.createObjectNode().put("id", id);
    }

    private void write(ObjectNode reply) {
        try {
            byte[] line = JSON.writeValueAsBytes(reply);
            if (line.length > MAX_REPLY_BYTES) {
                throw new IOException("reply: " + line.length + " bytes (expected: <= 1 MiB)");
            }
            out.write(line);
            out.write('\n');
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("reply: cannot be written", e);
        }
    }

    /** Writes at most ten progress lines per second. */
    private final class ThrottledProgress implements WorkerProgress {
        private final long id;
        private Optional<Long> lastNs = Optional.empty();

        ThrottledProgress(long id) {
            this.id = id;
        }

        @Override
        public void at(double fraction) {
            long now = nanoTime.getAsLong();
            if (lastNs.isPresent() && now - lastNs.get() < PROGRESS_INTERVAL_NS) {
                return;
            }
            lastNs = Optional.of(now);
            write(reply(id).put("progress", Math.clamp(fraction, 0, 1)));
        }
    }
}
