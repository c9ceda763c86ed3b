package touchline.api.vod;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import touchline.api.asset.FolderTree;
import touchline.api.domain.OutputStorage;
import touchline.api.domain.TaskError;
import touchline.api.domain.TranscodingTask;
import touchline.api.storage.ObjectStorage;
import touchline.api.storage.OutputUpload;
import touchline.api.storage.StorageException;
import touchline.media.worker.WorkerException;
import touchline.media.worker.WorkerFiles;
import touchline.media.worker.WorkerJob;
import touchline.media.worker.WorkerPool;

/**
 * One try of one task: downloads the input, encodes in a worker, uploads, and verifies. One thread.
 */
final class TaskRun {
    private static final double FETCHED = 0.1;
    private static final double ENCODED = 0.8;
    private static final long STORE_EVERY_NS = TimeUnit.MILLISECONDS.toNanos(500);

    private final TranscodingDependencies dependencies;
    private final TranscodingTask task;
    private final OutputStorage storage;
    private final Path folder;
    private final AtomicLong storedNs = new AtomicLong(System.nanoTime() - STORE_EVERY_NS);

    /** The output in the storage. */
    record Made(long durationUs, List<String> notes) {}

    /**
     * @param folder for the output before its upload; created and removed here
     */
    TaskRun(
            TranscodingDependencies dependencies,
            TranscodingTask task,
            OutputStorage storage,
            Path folder) {
        this.dependencies = dependencies;
        this.task = task;
        this.storage = storage;
        this.folder = folder;
    }

    /**
     * @throws InterruptedException after a cancellation, or when the server stops
     */
    Made run(InputSource input) throws TaskFailure, InterruptedException {
        try {
            FolderTree.remove(folder);
            Files.createDirectories(folder);
            JsonNode encoded = encode(input);
            upload();
            List<String> notes = new ArrayList<>();
            encoded.path("notes").forEach(note -> notes.add(note.asText()));
            return new Made(encoded.path("duration_us").asLong(), notes);
        } catch (StorageException e) {
            refuseInterrupted();
            throw TaskFailure.of(e);
        } catch (IOException e) {
            refuseInterrupted();
            throw failed(e);
        } catch (UncheckedIOException e) {
            refuseInterrupted();
            throw failed(Objects.requireNonNull(e.getCause()));
        } catch (TaskFailure e) {
            refuseInterrupted();
            throw e;
        } finally {
            remove();
        }
    }

    private TaskFailure failed(IOException e) {
        boolean full = DiskFailure.isFull(e, folder, dependencies.limits().minFreeBytes());
        return TaskFailure.ofDisk(e, full, "the output cannot be stored");
    }

    /** An interrupt makes other calls fail: then it is the reason. */
    private static void refuseInterrupted() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("transcoding");
        }
    }

    private JsonNode encode(InputSource input) throws TaskFailure, InterruptedException {
        boolean fetches = !input.isLocal();
        ObjectNode body =
                TranscodeHandler.body(task.request(), dependencies.encoding().get(), folder);
        Path source = input.describe(body, share -> progress(share * FETCHED));
        refuseInterrupted();
        double from = fetches ? FETCHED : 0;
        AtomicBoolean spaceLow = new AtomicBoolean();
        try (WorkerPool.Lease lease = lease(source)) {
            return lease.process()
                    .run(
                            new WorkerJob(
                                    TranscodeHandler.KIND, body, dependencies.limits().taskTime()),
                            share -> {
                                progress(from + share * (ENCODED - from));
                                if (isSpaceLow()) {
                                    spaceLow.set(true);
                                    lease.process().cancel();
                                }
                            });
        } catch (WorkerException e) {
            refuseInterrupted();
            if (spaceLow.get()) {
                throw TaskFailure.passing(
                        TaskError.OUT_OF_RESOURCES, "this server has too little disk space");
            }
            throw TaskFailure.of(e);
        }
    }

    /** Of a worker that ends before the upload, and cannot change the output any more. */
    private WorkerPool.Lease lease(Path source) throws TaskFailure {
        try {
            return dependencies.workers().lease(new WorkerFiles(List.of(source), List.of(folder)));
        } catch (IOException e) {
            throw TaskFailure.passing(TaskError.INTERNAL, "no worker process can be started", e);
        }
    }

    private boolean isSpaceLow() {
        try {
            return DiskFailure.usableBytes(folder) < dependencies.limits().minFreeBytes();
        } catch (IOException _) {
            // The next write reports what is wrong with the disk.
            return false;
        }
    }

    private void upload() throws IOException, InterruptedException {
        try (ObjectStorage opened = dependencies.stores().open(storage)) {
            new OutputUpload(opened, share -> progress(ENCODED + share * (1 - ENCODED)))
                    .run(
                            new OutputUpload.Output(
                                    folder,
                                    task.request().format().entryName(),
                                    task.fileName(),
                                    keyPrefix(storage, task)));
        }
    }

    /** The prefix of all keys of a task. */
    static String keyPrefix(OutputStorage storage, TranscodingTask task) {
        return storage.key(task.id()) + "/";
    }

    /** Called by several threads. Stored twice a second at most. */
    private void progress(double share) {
        long before = storedNs.get();
        long now = System.nanoTime();
        if (now - before >= STORE_EVERY_NS && storedNs.compareAndSet(before, now)) {
            boolean _ = dependencies.repository().progress(task.id(), Math.clamp(share, 0, 1));
        }
    }

    private void remove() {
        try {
            FolderTree.remove(folder);
        } catch (IOException _) {
            // Removed with the request's folder, or at the next start.
        }
    }
}
