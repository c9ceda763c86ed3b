package touchline.media.worker;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
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
 * A child process for untrusted media: same JVM and class path, low priority, limited memory, an
 * empty environment, and no network if the host supports it. A crash fails only the current job.
 * The process runs one job at a time and is reusable until a job kills it. {@link #run} blocks;
 * {@link #cancel} and {@link #close} may be called on any thread. The caller that starts it closes
 * it.
 */
public final class WorkerProcess implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(WorkerProcess.class);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long EXIT_SECONDS = 5;

    /** The running job; the reading thread completes it. */
    private record Call(long id, WorkerProgress progress, CompletableFuture<JsonNode> answer) {}

    private final Process process;
    private final WorkerFolder folder;
    private final WorkerFiles files;
    private final ErrorTail errors;
    private final Thread reader;
    private final ReentrantLock running = new ReentrantLock();
    private final AtomicReference<@Nullable Call> current = new AtomicReference<>();
    private final AtomicReference<@Nullable Failure> end = new AtomicReference<>();
    private final long startedNs = System.nanoTime();
    private long lastId;

    private WorkerProcess(Process process, WorkerFolder folder, WorkerFiles files) {
        this.process = process;
        this.folder = folder;
        this.files = files;
        this.errors = new ErrorTail(process);
        this.reader =
                Thread.ofPlatform()
                        .daemon()
                        .name("worker-replies-" + process.pid())
                        .start(this::readReplies);
    }

    /**
     * Starts a child that uses no files but those in its own folder.
     *
     * @throws IOException if the programs cannot be run
     */
    public static WorkerProcess start(WorkerLaunch launch, WorkerIsolation isolation)
            throws IOException {
        return start(launch, isolation, WorkerFiles.NONE);
    }

    /**
     * Starts a child.
     *
     * @param files which the child uses besides its own folder
     * @throws IOException if the programs cannot be run
     */
    public static WorkerProcess start(
            WorkerLaunch launch, WorkerIsolation isolation, WorkerFiles files) throws IOException {
        WorkerFolder folder = WorkerFolder.create(launch.workDir(), isolation.sandbox());
        try {
            folder.share(files);
            return new WorkerProcess(
                    spawn(
                            isolation.command(
                                    launch,
                                    launch.command(folder.job(), folder.libraries()),
                                    folder,
                                    files),
                            folder),
                    folder,
                    files);
        } catch (IOException | RuntimeException e) {
            folder.remove();
            throw e;
        }
    }

    /** Starts a command in a worker's folder. */
    static Process spawn(List<String> command, WorkerFolder folder) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.job().toFile());
        // The server's environment may contain secrets.
        Map<String, String> environment = builder.environment();
        environment.clear();
        environment.put("PATH", "/usr/bin:/bin");
        environment.put("LANG", "C.UTF-8");
        return builder.start();
    }

    /**
     * The process's own folder, for files of jobs and for memory that both sides map. It is removed
     * on close. The process may change its content at any time: open files in it without following
     * links.
     */
    public Path folder() {
        return folder.job();
    }

    public long pid() {
        return process.pid();
    }

    /** Time since the start. */
    long livedNs() {
        return System.nanoTime() - startedNs;
    }

    /**
     * @param listener called once, on a thread of its own, when the process has exited
     */
    void whenExited(Runnable listener) {
        var _ = process.onExit().thenRunAsync(listener, Thread::startVirtualThread);
    }

    /** Whether the process can run another job. */
    public boolean isAlive() {
        return process.isAlive() && end.get() == null;
    }

    /**
     * Runs a job to its end. An interrupt of the caller cancels it.
     *
     * @param progress called on the reading thread of this object
     * @throws WorkerException if there is no result; {@link #isAlive} returns whether the process
     *     can run another job
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
                    throw notReceived(ended);
                }
                share();
                boolean sent = process.isAlive() && send(request);
                try {
                    return await(call, job);
                } catch (WorkerException e) {
                    throw sent ? e : notReceived(e.failure());
                }
            } finally {
                current.set(null);
            }
        } finally {
            running.unlock();
        }
    }

    /** Removes the files of the last job from the process's folder. */
    void clearFolder() throws IOException {
        folder.clear();
    }

    private void share() {
        try {
            folder.share();
        } catch (IOException e) {
            // The job fails where it reads the file.
            log.warn("worker pid={}: its folder: {}", process.pid(), e.toString());
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
            throw new IllegalStateException("worker request: JSON cannot be written", e);
        }
    }

    private static WorkerException notReceived(Failure failure) {
        return new WorkerException(
                failure instanceof Failure.Died died ? died.withoutTheJob() : failure);
    }

    /** False if the process cannot have read the whole request. */
    private boolean send(byte[] request) {
        try {
            OutputStream stdin = process.getOutputStream();
            stdin.write(request);
            stdin.write('\n');
            stdin.flush();
            return true;
        } catch (IOException e) {
            // The reading thread also detects the end and reports the cause.
            log.info("worker pid={}: request cannot be written: {}", process.pid(), e.getMessage());
            return false;
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

    /** Kills the process; the first reason is kept. */
    private void kill(Failure reason) {
        end.compareAndSet(null, reason);
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    /** Ends an idle process, kills a busy one, and removes its folder. Idempotent. */
    @Override
    public void close() {
        end();
        try {
            folder.takeBack(files);
            folder.remove();
        } catch (IOException e) {
            log.warn("worker pid={}: {}", process.pid(), e.toString());
        }
    }

    private void end() {
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
                log.warn("worker pid={} did not exit in time: killed", process.pid());
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
        handleEnd();
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
            throw new IOException("reply: id of no running request");
        }
        if (json.has("progress")) {
            reportProgress(call.progress(), json.path("progress").asDouble());
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

    private void reportProgress(WorkerProgress progress, double fraction) {
        try {
            progress.at(fraction);
        } catch (RuntimeException e) {
            log.error("worker pid={}: progress listener failed", process.pid(), e);
        }
    }

    /**
     * Handles the end of the pipe: the process has exited, or is killed because it closed its
     * output.
     */
    private void handleEnd() {
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
        end.compareAndSet(
                null, new Failure.Died(process.exitValue(), lastLines, /* received= */ true));
        Call call = current.get();
        if (call != null) {
            Failure failure = endOr(new Failure.Canceled());
            log.warn("worker pid={} ended during a job: {}", process.pid(), failure);
            call.answer().completeExceptionally(new WorkerException(failure));
        }
    }
}
