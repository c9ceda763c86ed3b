package touchline.api.vod;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.asset.FolderTree;
import touchline.api.domain.OutputStorage;
import touchline.api.domain.TaskError;
import touchline.api.domain.TaskState;
import touchline.api.domain.TaskStatus;
import touchline.api.domain.TranscodingRequest;
import touchline.api.domain.TranscodingRequest.Notice;
import touchline.api.domain.TranscodingTask;
import touchline.api.jobs.JobOutcome;
import touchline.api.jobs.JobRun;
import touchline.api.storage.ObjectStorage;
import touchline.api.storage.OutputUpload;
import touchline.api.storage.StorageException;

/**
 * Runs the unfinished tasks of one request, one after another, so that the input is downloaded
 * once. Before that it removes what earlier tries left in the storage. One thread.
 */
final class RequestRun {
    private static final Logger log = LoggerFactory.getLogger(RequestRun.class);

    private final TranscodingDependencies dependencies;
    private final ActiveTasks active;
    private final TranscodingCounters counters;
    private final JobRun run;

    RequestRun(
            TranscodingDependencies dependencies,
            ActiveTasks active,
            TranscodingCounters counters,
            JobRun run) {
        this.dependencies = dependencies;
        this.active = active;
        this.counters = counters;
        this.run = run;
    }

    /** Retries so far. A crash of the server does not count. */
    private int retries() {
        return run.data().isEmpty() ? 0 : Integer.parseInt(run.data());
    }

    /**
     * Empty when all tasks have ended and no unfinished output is left. Otherwise the time of the
     * next try.
     */
    Optional<JobOutcome> work() throws InterruptedException, IOException {
        Optional<TranscodingRequest> request =
                dependencies
                        .repository()
                        .request(run.id())
                        .filter(it -> it.notice() == Notice.WAITING);
        if (request.isEmpty()) {
            return Optional.empty();
        }
        Optional<OutputStorage> storage =
                dependencies.storages().findKept(request.get().storageId());
        if (storage.isEmpty()) {
            failAll(TaskFailure.lasting(TaskError.STORAGE_REFUSED, "the storage was deleted"));
            return Optional.empty();
        }
        Path folder = dependencies.work().resolve(run.id());
        FolderTree.remove(folder);
        Files.createDirectories(folder);
        try (InputSource input = new InputSource(dependencies, request.get().input(), folder)) {
            boolean swept = sweepLeftovers(storage.get());
            boolean over = swept && workOn(storage.get(), input, folder);
            return over ? Optional.empty() : Optional.of(again());
        } finally {
            FolderTree.remove(folder);
        }
    }

    private boolean lastTry() {
        return retries() >= dependencies.limits().pauses().size();
    }

    private JobOutcome again() {
        Duration pause = dependencies.limits().pauses().get(retries());
        return new JobOutcome.Continue(
                dependencies.clock().instant().plus(pause), Integer.toString(retries() + 1));
    }

    private boolean workOn(OutputStorage storage, InputSource input, Path folder)
            throws InterruptedException {
        boolean over = true;
        for (TranscodingTask listed : dependencies.repository().ofRequest(run.id())) {
            // It may have been canceled while other tasks ran.
            Optional<TranscodingTask> task =
                    dependencies
                            .repository()
                            .find(listed.id())
                            .filter(it -> !it.status().state().isOver());
            if (task.isPresent()) {
                over &= workOn(task.get(), storage, input, folder.resolve(task.get().id()));
            }
        }
        return over;
    }

    /** False where the task needs another try. */
    private boolean workOn(
            TranscodingTask task, OutputStorage storage, InputSource input, Path folder)
            throws InterruptedException {
        TaskStatus begun = task.status().started(dependencies.clock().instant());
        Optional<TaskFailure> failure;
        try (ActiveTasks.Active work = active.begin(task.id())) {
            if (!dependencies.repository().update(task.id(), begun)) {
                return true;
            }
            log.info("task={} starts, try {}", task.id(), begun.attempts());
            failure = attempt(task, begun, new TaskRun(dependencies, task, storage, folder), input);
            if (work.isCanceled() && failure.isPresent()) {
                failure = Optional.of(TaskFailure.lasting(TaskError.CANCELED, "canceled"));
            }
        } catch (InterruptedException e) {
            if (run.ending().getAsBoolean() || !isCanceled(task)) {
                throw e;
            }
            failure = Optional.of(TaskFailure.lasting(TaskError.CANCELED, "canceled"));
        }
        return failure.isEmpty() || failed(task, begun, failure.get(), storage);
    }

    private boolean isCanceled(TranscodingTask task) {
        return dependencies
                .repository()
                .find(task.id())
                .map(it -> it.status().state() == TaskState.CANCELED)
                .orElse(true);
    }

    private Optional<TaskFailure> attempt(
            TranscodingTask task, TaskStatus begun, TaskRun work, InputSource input)
            throws InterruptedException {
        try {
            TaskRun.Made made = work.run(input);
            TaskStatus done =
                    begun.succeeded(
                            made.durationUs(), made.notes(), dependencies.clock().instant());
            if (!dependencies.repository().update(task.id(), done)) {
                return Optional.of(TaskFailure.lasting(TaskError.CANCELED, "canceled"));
            }
            counters.succeeded();
            log.info("task={} succeeded: {} ms", task.id(), made.durationUs() / 1_000);
            return Optional.empty();
        } catch (TaskFailure e) {
            return Optional.of(e);
        }
    }

    /** Removes the output from the storage, then stores the failure. False: needs another try. */
    private boolean failed(
            TranscodingTask task, TaskStatus begun, TaskFailure failure, OutputStorage storage)
            throws InterruptedException {
        boolean swept = sweep(task, storage);
        boolean again = !lastTry() && (failure.isPassing() || !swept);
        log.warn(
                "task={} {}: {}",
                task.id(),
                again ? "failed, is tried again" : "failed",
                failure.logText());
        if (failure.error().code() == TaskError.CANCELED) {
            // The cancellation is stored already.
            return swept || !again;
        }
        TaskStatus status =
                again
                        ? begun.again(failure.error())
                        : begun.failed(failure.error(), dependencies.clock().instant());
        boolean stored = dependencies.repository().update(task.id(), status);
        if (stored && !again) {
            counters.failed(failure.error().code());
        }
        return !again;
    }

    /** Removes output of a crashed server or a canceled try. False: needs another try. */
    private boolean sweepLeftovers(OutputStorage storage) throws InterruptedException {
        boolean swept = true;
        for (TranscodingTask task : dependencies.repository().ofRequest(run.id())) {
            TaskStatus status = task.status();
            if (status.attempts() > 0 && status.state() != TaskState.SUCCEEDED) {
                swept &= sweep(task, storage);
            }
        }
        return swept || lastTry();
    }

    private boolean sweep(TranscodingTask task, OutputStorage storage) throws InterruptedException {
        try (ObjectStorage opened = dependencies.stores().open(storage)) {
            OutputUpload.sweep(opened, TaskRun.keyPrefix(storage, task));
            return true;
        } catch (IOException e) {
            if (Thread.interrupted()) {
                throw new InterruptedException("transcoding");
            }
            if (e instanceof StorageException known
                    && known.kind() == StorageException.Kind.REFUSED) {
                // The keys are rejected: nothing can be removed, now or later.
                log.warn("task={} storage={}: {}", task.id(), storage.id(), e.getMessage());
                return true;
            }
            log.warn(
                    "task={} parts of its output may remain in storage={}: {}",
                    task.id(),
                    storage.id(),
                    e.getMessage());
            return false;
        }
    }

    private void failAll(TaskFailure failure) {
        for (TranscodingTask task : dependencies.repository().ofRequest(run.id())) {
            if (!task.status().state().isOver()) {
                boolean _ =
                        dependencies
                                .repository()
                                .update(
                                        task.id(),
                                        task.status()
                                                .failed(
                                                        failure.error(),
                                                        dependencies.clock().instant()));
            }
        }
    }

    /** Whether all of these have ended. */
    static boolean allOver(List<TranscodingTask> tasks) {
        return tasks.stream().allMatch(task -> task.status().state().isOver());
    }
}
