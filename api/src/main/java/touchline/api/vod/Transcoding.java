package touchline.api.vod;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.db.TranscodingRepository;
import touchline.api.db.TranscodingRepository.Cancellation;
import touchline.api.domain.TaskError;
import touchline.api.domain.TranscodingRequest;
import touchline.api.domain.TranscodingRequest.Notice;
import touchline.api.domain.TranscodingTask;
import touchline.api.jobs.JobOutcome;
import touchline.api.jobs.JobQueue;
import touchline.api.jobs.JobRun;
import touchline.api.jobs.Jobs;

/**
 * Runs transcoding requests as durable jobs: one job for the tasks, one for the notification. After
 * a crash a request starts again. Any thread.
 */
public final class Transcoding implements TaskControl {
    private static final Logger log = LoggerFactory.getLogger(Transcoding.class);
    private static final String WORK = "transcoding";
    private static final String NOTICE = "transcoding-notice";
    private static final int NOTICE_PLACES = 8;
    private static final Duration DAY = Duration.ofDays(1);
    private static final Duration RETENTION = Duration.ofDays(90);

    private final TranscodingDependencies dependencies;
    private final ActiveTasks active = new ActiveTasks();
    private final TranscodingCounters counters = new TranscodingCounters();
    private final AtomicReference<Instant> lastPurged = new AtomicReference<>(Instant.EPOCH);
    private final JobQueue work;
    private final JobQueue notices;

    /**
     * @param places requests that run at once
     */
    public Transcoding(TranscodingDependencies dependencies, Jobs jobs, int places) {
        this.dependencies = dependencies;
        this.work = jobs.open(WORK, places, this::run);
        this.notices =
                jobs.open(NOTICE, NOTICE_PLACES, new NoticeSender(dependencies, counters)::run);
    }

    public TranscodingCounters counters() {
        return counters;
    }

    /** Tasks that run now. */
    public int running() {
        return active.size();
    }

    /** Submits unfinished requests again whose job was not stored. Called at the start. */
    public void start() {
        TranscodingRepository repository = dependencies.repository();
        repository.unfinished().forEach(id -> repository.request(id).ifPresent(this::submitWork));
        repository.unnoticed().forEach(this::submitNotice);
    }

    /** An asset is read where its files are, or can be brought to. */
    private void submitWork(TranscodingRequest request) {
        Optional<String> node =
                InputSource.assetOf(request.input()).flatMap(dependencies.assets()::onlyHomeOf);
        boolean _ = work.submitAt(node, request.id(), "");
    }

    private void submitNotice(String request) {
        boolean _ = notices.submit(request, "");
    }

    /** Once a day: deletes old requests, and deleted storages without requests. */
    private void purgeOld() {
        Instant now = dependencies.clock().instant();
        Instant last = lastPurged.get();
        if (now.isBefore(last.plus(DAY)) || !lastPurged.compareAndSet(last, now)) {
            return;
        }
        int requests = dependencies.repository().purge(now.minus(RETENTION));
        int storages = dependencies.storages().purge();
        log.debug("{} old requests and {} deleted storages purged", requests, storages);
    }

    @Override
    public boolean begin(TranscodingRequest request, List<TranscodingTask> tasks) {
        return dependencies
                .database()
                .transaction(
                        () -> {
                            boolean created = dependencies.repository().create(request, tasks);
                            if (created) {
                                submitWork(request);
                            }
                            return created;
                        });
    }

    @Override
    public Cancellation cancel(String task) {
        Cancellation result =
                dependencies.repository().cancel(task, dependencies.clock().instant());
        if (result instanceof Cancellation.Done(var canceled, boolean wasRunning)) {
            counters.failed(TaskError.CANCELED);
            if (wasRunning) {
                active.cancel(task);
            } else {
                endIfNotStarted(canceled.requestId());
            }
        }
        return result;
    }

    /** A canceled request that has not started does not wait for a place: it ends now. */
    private void endIfNotStarted(String request) {
        List<TranscodingTask> tasks = dependencies.repository().ofRequest(request);
        boolean untouched = tasks.stream().allMatch(task -> task.status().attempts() == 0);
        if (untouched && RequestRun.allOver(tasks)) {
            end(request);
        }
    }

    private JobOutcome run(JobRun run) throws InterruptedException, IOException {
        Optional<JobOutcome> later = new RequestRun(dependencies, active, counters, run).work();
        if (later.isEmpty()) {
            end(run.id());
            purgeOld();
        }
        return later.orElse(JobOutcome.DONE);
    }

    /** All tasks have ended: this transaction submits the notification, once. */
    private void end(String request) {
        dependencies
                .database()
                .transact(
                        () -> {
                            if (dependencies
                                    .repository()
                                    .notice(request, Notice.WAITING, Notice.PENDING)) {
                                submitNotice(request);
                            }
                        });
    }
}
