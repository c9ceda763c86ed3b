package touchline.media.worker;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.worker.WorkerException.Failure;

/**
 * A child process in which media of strangers is handled: same JVM and class path, low priority,
 * limited memory, no network where the host allows it, an empty environment. Whatever happens to it
 * fails its job and nothing else. It runs one job at a time and may be used again until one of them
 * kills it. {@link #run} blocks; {@link #cancel} and {@link #close} from any thread. Whoever
 * started it closes it.
 */
public final class WorkerProcess implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(WorkerProcess.class);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long EXIT_SECONDS = 5;

    /** The job that runs; answered by the reading thread. */
    private record Call(long id, WorkerProgress progress, CompletableFuture<JsonNode> answer) {}

    private final Process process;
    private final ErrorTail errors;
    private final Thread reader;
    private final ReentrantLock running = new ReentrantLock();
    private final AtomicReference<@Nullable Call> current = new AtomicReference<>();
    private final AtomicReference<@Nullable Failure> end = new AtomicReference<>();
    private long lastId;

    private WorkerProcess(Process process) {
        this.process = process;
        this.errors = new ErrorTail(process);
        this.reader =
                Thread.ofPlatform()
                        .daemon()
                        .name("worker-replies-" + process.pid())
                        .start(this::readReplies);
    }

    /**
     * Starts a child.
     *
     * @throws IOException when the programs cannot be run
     */
    public static WorkerProcess start(WorkerLaunch launch, WorkerIsolation isolation)
            throws IOException {
        List<String> command = new ArrayList<>(isolation.prefix(launch.limits()));
        command.addAll(launch.command());
        ProcessBuilder builder = new ProcessBuilder(command).directory(launch.workDir().toFile());
        // The server's environment may hold secrets.
        Map<String, String> environment = builder.environment();
        environment.clear();
        environment.put("PATH", "/usr/bin:/bin");
        environment.put("LANG", "C.UTF-8");
        return new WorkerProcess(builder.start());
    }

    public long pid() {
        return process.pid();
    }

    /** Whether another job can be run. */
    public boolean isAlive() {
        return process.isAlive() && end.get() == null;
    }

    /**
     * Runs a job to its end. An interrupted caller cancels it.
     *
     * @param progress called by a thread of this process's
     * @throws WorkerException when there is no result; {@link #isAlive} says whether the process is
     *     good for another job
     */
    public JsonNode run(WorkerJob job, WorkerProgress progress) throws WorkerException {
        running.lock();
        try {
            Call call = new Call(++lastId, progress, new CompletableFuture<>());
            byte[] request = request(call.id(), job);
            current.set(call);
            try {
                Failure ended = end.get();
                if (ended != null) {
                    throw new WorkerException(ended);
                }
                send(request);
                return await(call, job);
            } finally {
                current.set(null);
            }
        } finally {
            running.unlock();
        }
    }

    private static byte[] request(long id, WorkerJob job) {
        ObjectNode json = JSON.createObjectNode().put("id", id).put("kind", job.kind());
        json.set("body", job.body());
        try {
            byte[] line = JSON.writeValueAsBytes(json);
            if (line.length >= Worker.MAX_REQUEST_BYTES) {
                throw new IllegalArgumentException(
                        "worker request: " + line.length + " bytes (expected: < 32 KiB)");
            }
            return line;
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree of JSON can always be written", e);
        }
    }

    private void send(byte[] request) {
        try {
            OutputStream stdin = process.getOutputStream();
            stdin.write(request);
            stdin.write('\n');
            stdin.flush();
        } catch (IOException e) {
            // The reading thread sees the end too, and tells how it died.
            log.info("worker pid={}: request not taken: {}", process.pid(), e.getMessage());
        }
    }

    private JsonNode await(Call call, WorkerJob job) throws WorkerException {
        try {
            return call.answer().get(job.timeout().toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException _) {
            kill(new Failure.TimedOut(job.timeout()));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            kill(new Failure.Canceled());
        } catch (ExecutionException e) {
            if (e.getCause() instanceof WorkerException failure) {
                throw failure;
            }
            throw new IllegalStateException("worker: reply failed", e.getCause());
        }
        throw new WorkerException(endOr(new Failure.Canceled()));
    }

    private Failure endOr(Failure other) {
        Failure ended = end.get();
        return ended == null ? other : ended;
    }

    /** Kills the process; the job that runs fails as canceled. Idempotent. */
    public void cancel() {
        kill(new Failure.Canceled());
    }

    /** The first reason stays. */
    private void kill(Failure reason) {
        end.compareAndSet(null, reason);
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    /** Lets an idle process go, kills one that is at work. Idempotent. */
    @Override
    public void close() {
        if (current.get() != null) {
            cancel();
        }
        end.compareAndSet(null, new Failure.Canceled());
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            log.debug("worker pid={}: {}", process.pid(), e.getMessage());
        }
        try {
            if (!process.waitFor(EXIT_SECONDS, TimeUnit.SECONDS)) {
                log.warn("worker pid={} does not end: killed", process.pid());
                cancel();
            }
            reader.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            cancel();
        }
    }

    private void readReplies() {
        LineReader lines = new LineReader(process.getInputStream(), Worker.MAX_REPLY_BYTES);
        try {
            while (true) {
                Optional<String> line = lines.next();
                if (line.isEmpty()) {
                    break;
                }
                reply(line.get());
            }
        } catch (IOException e) {
            if (process.isAlive()) {
                kill(new Failure.Unreadable(String.valueOf(e.getMessage())));
            }
        }
        tellEnd();
    }

    private void reply(String line) throws IOException {
        JsonNode json;
        try {
            json = JSON.readTree(line);
        } catch (JsonProcessingException e) {
            throw new IOException("reply: not JSON", e);
        }
        Call call = current.get();
        if (call == null || json.path("id").asLong(-1) != call.id()) {
            throw new IOException("reply: to no request");
        }
        if (json.has("progress")) {
            tell(call.progress(), json.path("progress").asDouble());
        } else if (json.has("result")) {
            call.answer().complete(json.get("result"));
        } else if (json.has("error")) {
            JsonNode error = json.get("error");
            call.answer()
                    .completeExceptionally(
                            new WorkerException(
                                    new Failure.Reported(
                                            error.path("code").asInt(),
                                            error.path("message").asText())));
        } else {
            throw new IOException("reply: neither progress nor result nor error");
        }
    }

    private void tell(WorkerProgress progress, double fraction) {
        try {
            progress.at(fraction);
        } catch (RuntimeException e) {
            log.error("worker pid={}: progress cannot be told", process.pid(), e);
        }
    }

    /** The pipe has ended: so has the process, or it closed its output and is killed. */
    private void tellEnd() {
        try {
            if (!process.waitFor(EXIT_SECONDS, TimeUnit.SECONDS)) {
                kill(new Failure.Unreadable("standard output closed"));
                process.waitFor();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            kill(new Failure.Canceled());
        }
        List<String> lastLines = errors.lastLines();
        end.compareAndSet(null, new Failure.Died(process.exitValue(), lastLines));
        Call call = current.get();
        if (call != null) {
            Failure failure = endOr(new Failure.Canceled());
            log.warn("worker pid={} ended in a job: {}", process.pid(), failure);
            call.answer().completeExceptionally(new WorkerException(failure));
        }
    }
}
