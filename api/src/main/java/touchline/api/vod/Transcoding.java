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
import touchline.api.domain.JobOutcome;
import touchline.api.domain.JobQueue;
import touchline.api.domain.JobRun;
import touchline.api.domain.TaskError;
import touchline.api.domain.TranscodingRequest;
import touchline.api.domain.TranscodingRequest.Notice;
import touchline.api.domain.TranscodingTask;
import touchline.api.jobs.Jobs;

/**
 * Transcoding requests as durable jobs: one for the work, one for telling that it is over. What a
 * dead server was at begins anew. Any thread.
 */
public final class Transcoding implements TaskControl {
    private static final Logger log = LoggerFactory.getLogger(Transcoding.class);
    private static final String WORK = "transcoding";
    private static final String NOTICE = "transcoding-notice";
    private static final int NOTICE_PLACES = 8;
    private static final Duration DAY = Duration.ofDays(1);
    private static final Duration KEPT = Duration.ofDays(90);

    private final TranscodingDependencies dependencies;
    private final ActiveTasks active = new ActiveTasks();
    private final TranscodingCounters counters = new TranscodingCounters();
    private final AtomicReference<Instant> lastForgotten = new AtomicReference<>(Instant.EPOCH);
    private final JobQueue work;
    private final JobQueue notices;

    /**
     * @param places how many requests are worked on at once
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

    /** Tasks that something works on now. */
    public int running() {
        return active.size();
    }

    /** At the start: gives what is not over to the queues again, where that was not stored. */
    public void start() {
        TranscodingRepository repository = dependencies.repository();
        repository.unfinished().forEach(id -> submit(work, id));
        repository.unnoticed().forEach(id -> submit(notices, id));
    }

    private static void submit(JobQueue queue, String request) {
        boolean _ = queue.submit(request, "");
    }

    /** Once a day, requests that have long been over, and storages that nobody needs any more. */
    private void forgetOld() {
        Instant now = dependencies.clock().instant();
        Instant last = lastForgotten.get();
        if (now.isBefore(last.plus(DAY)) || !lastForgotten.compareAndSet(last, now)) {
            return;
        }
        int requests = dependencies.repository().purge(now.minus(KEPT));
        int storages = dependencies.storages().purge();
        log.debug("{} old requests and {} deleted storages were forgotten", requests, storages);
    }

    @Override
    public boolean begin(TranscodingRequest request, List<TranscodingTask> tasks) {
        return dependencies
                .database()
                .transaction(
                        () -> {
                            boolean created = dependencies.repository().create(request, tasks);
                            if (created) {
                                submit(work, request.id());
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
                endIfNothingWasBegun(canceled.requestId());
            }
        }
        return result;
    }

    /** A request that still waits for a place need not wait for it only to be told of as over. */
    private void endIfNothingWasBegun(String request) {
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
            forgetOld();
        }
        return later.orElse(JobOutcome.DONE);
    }

    /** All is over: from this transaction on it is to be told, once. */
    private void end(String request) {
        dependencies
                .database()
                .transact(
                        () -> {
                            if (dependencies
                                    .repository()
                                    .notice(request, Notice.WAITING, Notice.PENDING)) {
                                submit(notices, request);
                            }
                        });
    }
}
