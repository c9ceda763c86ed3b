package touchline.api.jobs;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import touchline.api.asset.AssetService;
import touchline.media.ffmpeg.H264Encoder;
import touchline.media.worker.ReadyWorkers;
import touchline.media.worker.WorkerJob;
import touchline.media.worker.WorkerPool;

/**
 * Keeps a worker process ready for the first clip while a session is being recorded: a new process
 * needs seconds on a slow host. Its first job encodes a few frames like a clip. Any thread.
 */
public final class ReadyClipWorker {
    /** Behind the start of the session's encoders. */
    private static final Duration DELAY = Duration.ofSeconds(3);

    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    private final AssetService assets;
    private final WorkerPool workers;
    private final ReadyWorkers.Wanted one;
    private final ReentrantLock lock = new ReentrantLock();

    /**
     * @param encoder of clips; without one no process is started. May block
     */
    public ReadyClipWorker(
            AssetService assets, WorkerPool workers, Supplier<Optional<H264Encoder>> encoder) {
        this.assets = assets;
        this.workers = workers;
        this.one =
                new ReadyWorkers.Wanted(
                        1, DELAY, () -> encoder.get().map(ReadyClipWorker::firstJob));
    }

    /** Follows the recordings from now on. */
    public void start() {
        assets.whenRecordingsChange(this::follow);
        follow();
    }

    private void follow() {
        // The last call reads the last change.
        lock.lock();
        try {
            workers.keepReady(assets.isRecording() ? one : ReadyWorkers.Wanted.NONE);
        } finally {
            lock.unlock();
        }
    }

    private static WorkerJob firstJob(H264Encoder encoder) {
        return new WorkerJob(
                WarmUpHandler.KIND,
                JsonNodeFactory.instance.objectNode().put("encoder", encoder.name()),
                TIMEOUT);
    }
}
