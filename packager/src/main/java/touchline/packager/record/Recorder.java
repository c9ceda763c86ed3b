package touchline.packager.record;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.SessionId;
import touchline.media.Timeline;
import touchline.media.concurrent.LogContext;
import touchline.media.store.DiskSpace;
import touchline.packager.hls.LiveWindow;
import touchline.packager.hls.MediaBlock;
import touchline.packager.hls.MediaBody;
import touchline.packager.hls.PartSink;

/**
 * Stores the parts of one session on disk: as a recording that stays, or as a spool with the older
 * part of the live window, deleted as it ages out. Called by the packager's thread, which never
 * waits for the disk; a virtual thread of its own writes.
 *
 * <p>Flush policy: a part is written as soon as it is finished (a killed process loses at most the
 * part being written); of a recording, a segment is forced to the device when it is sealed, before
 * its index line (a lost power supply takes at most the growing segment).
 *
 * <p>When the disk fails, is nearly full, or is so slow that {@value #MAX_QUEUED_BYTES} bytes wait,
 * this recorder stops for good and calls the listener once. Files on disk stay valid, and live
 * playback continues from memory.
 */
public final class Recorder implements PartSink, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Recorder.class);
    private static final long MAX_QUEUED_BYTES = 64L << 20;
    private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(10);

    private final Settings settings;
    private final SessionFolder folder;
    private final LiveWindow window;
    private final Listener listener;
    private final Thread writer;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition filled = lock.newCondition();

    @GuardedBy("lock")
    private final ArrayDeque<RecorderJob> queue = new ArrayDeque<>();

    @GuardedBy("lock")
    private long queuedBytes;

    /** Jobs done; only the writer changes it, and close() sees that the disk works. */
    private final AtomicLong written = new AtomicLong();

    @GuardedBy("lock")
    private boolean stopped;

    @GuardedBy("lock")
    private boolean ended;

    @GuardedBy("lock")
    private boolean suspended;

    /** What stored media is for. */
    public enum Purpose {
        /** Stays, with an index. */
        RECORDING,
        /** Leaves with the live window; the folder is deleted by {@link Recorder#close}. */
        SPOOL
    }

    /**
     * @param session for logs
     * @param folder of this session alone; made if it is missing
     * @param purpose recording or spool
     * @param least storing stops when the disk has less free
     */
    public record Settings(SessionId session, Path folder, Purpose purpose, DiskSpace.Least least) {
        /** Inodes are not watched. */
        public Settings(SessionId session, Path folder, Purpose purpose, long minFreeBytes) {
            this(session, folder, purpose, new DiskSpace.Least(minFreeBytes, 0));
        }
    }

    /** Port: receives the results of storing. Called by the writer's thread. */
    public interface Listener {
        /** The segment lies whole on disk and is in the index. */
        default void segmentStored(Recording.Segment segment) {}

        /** This recorder has stopped storing; live playback continues. */
        default void failed(Failure failure, String message) {}

        /** The session has ended and its media is stored, as far as possible. */
        default void ended(Recording recording) {}

        /** The server stops and its next start continues the recording. */
        default void suspended() {}
    }

    /** Why storing has stopped. */
    public enum Failure {
        /** Less than the configured space is free. */
        LOW_SPACE,
        /** The disk reports an error. */
        DISK,
        /** The disk cannot keep up. */
        TOO_SLOW
    }

    private Recorder(Settings settings, LiveWindow window, Listener listener) {
        this.settings = settings;
        this.folder = new SessionFolder(settings);
        this.window = window;
        this.listener = listener;
        this.writer =
                Thread.ofVirtual()
                        .name("recorder-" + settings.session())
                        .unstarted(LogContext.carried(this::write));
    }

    /**
     * Starts the writer; the caller closes it when the window is closed.
     *
     * @param window called with every stored segment, so that it frees memory
     */
    public static Recorder open(Settings settings, LiveWindow window, Listener listener) {
        Recorder recorder = new Recorder(settings, window, listener);
        recorder.writer.start();
        return recorder;
    }

    /**
     * Starts the writer behind what a suspended recorder has stored in the folder; otherwise as
     * {@link #open}.
     */
    public static Recorder reopen(Settings settings, LiveWindow window, Listener listener) {
        Recorder recorder = new Recorder(settings, window, listener);
        recorder.offer(new RecorderJob.Reopen());
        recorder.writer.start();
        return recorder;
    }

    @Override
    public void initSegment(int number, Timeline timeline, MediaBlock bytes) {
        offer(new RecorderJob.Init(number, timeline, bytes), bytes);
    }

    @Override
    public void part(FinishedPart part) {
        offer(new RecorderJob.Part(part), part.bytes());
    }

    @Override
    public void sealed(SealedSegment segment) {
        offer(new RecorderJob.Sealed(segment));
    }

    @Override
    public void end() {
        lock.lock();
        try {
            if (!ended) {
                ended = true;
                queue.add(new RecorderJob.End());
                filled.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Instead of {@link #end}: everything stays as it is for {@link #reopen}. */
    public void suspend() {
        lock.lock();
        try {
            suspended = !ended;
        } finally {
            lock.unlock();
        }
        end();
    }

    private boolean isSuspended() {
        lock.lock();
        try {
            return suspended;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public double fullness() {
        lock.lock();
        try {
            return (double) queuedBytes / MAX_QUEUED_BYTES;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Ends the writing unless {@link #end} has, waits for it, and deletes a spool that is not
     * suspended. Call it after the window is closed. Idempotent.
     */
    @Override
    public void close() {
        close(CLOSE_PATIENCE);
    }

    /**
     * @param patience how long the writer may take for one job
     */
    void close(Duration patience) {
        end();
        long before = written.get();
        try {
            while (!writer.join(patience)) {
                long now = written.get();
                if (now == before) {
                    log.warn(
                            "session={} the disk does not answer: recorder abandoned",
                            settings.session());
                    return;
                }
                // The disk works, and is slow.
                before = now;
            }
            if (!isSuspended()) {
                folder.deleteSpool();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            log.warn("session={} spool is not deleted: {}", settings.session(), e.toString());
        }
    }

    private void offer(RecorderJob job, MediaBlock bytes) {
        boolean tooSlow;
        lock.lock();
        try {
            if (stopped || ended) {
                return;
            }
            tooSlow = queuedBytes + bytes.sizeBytes() > MAX_QUEUED_BYTES;
            if (!tooSlow) {
                bytes.retain();
                queuedBytes += bytes.sizeBytes();
                queue.add(job);
                filled.signal();
            }
        } finally {
            lock.unlock();
        }
        if (tooSlow) {
            stop(Failure.TOO_SLOW, "more than " + MAX_QUEUED_BYTES + " bytes wait for the disk");
        }
    }

    private void offer(RecorderJob job) {
        lock.lock();
        try {
            if (!stopped && !ended) {
                queue.add(job);
                filled.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    private void write() {
        try {
            RecorderJob job;
            do {
                job = take();
                handle(job);
                written.incrementAndGet();
            } while (!(job instanceof RecorderJob.End));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            folder.close();
            releaseQueue();
        }
        Recording recording = folder.recording();
        log.info(
                "session={} stored segments={} durationUs={}",
                settings.session(),
                recording.segments().size(),
                recording.durationUs());
        if (isSuspended()) {
            listener.suspended();
        } else {
            listener.ended(recording);
        }
    }

    private RecorderJob take() throws InterruptedException {
        lock.lock();
        try {
            while (queue.isEmpty()) {
                filled.await();
            }
            RecorderJob job = queue.remove();
            queuedBytes -= job.sizeBytes();
            return job;
        } finally {
            lock.unlock();
        }
    }

    private void handle(RecorderJob job) {
        try {
            if (hasStopped()) {
                return;
            }
            switch (job) {
                case RecorderJob.Init(var number, var timeline, var bytes) ->
                        folder.init(number, timeline, bytes.bytes());
                case RecorderJob.Part(var part) -> store(part);
                case RecorderJob.Sealed(var segment) -> seal(segment);
                case RecorderJob.Reopen _ -> folder.reopen();
                case RecorderJob.End _ -> end(folder);
            }
        } catch (SessionFolder.LowSpaceException e) {
            stop(Failure.LOW_SPACE, Objects.requireNonNullElse(e.getMessage(), "disk nearly full"));
        } catch (IOException e) {
            stop(folder.isDiskFull() ? Failure.LOW_SPACE : Failure.DISK, e.toString());
        } catch (RuntimeException e) {
            log.error("session={} recorder failed", settings.session(), e);
            stop(Failure.DISK, e.toString());
        } finally {
            job.release();
        }
    }

    private void store(FinishedPart part) throws IOException {
        MediaBody.FileRange soFar = folder.part(part);
        window.partStored(part.mediaSequence(), part.index(), soFar.file(), soFar.offsetBytes());
    }

    private void seal(SealedSegment segment) throws IOException {
        Recording.Segment stored = folder.seal(segment);
        window.stored(segment.mediaSequence(), folder.path(stored), stored.place().offsetBytes());
        folder.deleteSpoolBefore(window.oldestKept());
        listener.segmentStored(stored);
    }

    private void end(SessionFolder written) throws IOException {
        if (!isSuspended()) {
            written.end();
        }
    }

    private boolean hasStopped() {
        lock.lock();
        try {
            return stopped;
        } finally {
            lock.unlock();
        }
    }

    private void stop(Failure failure, String message) {
        lock.lock();
        try {
            if (stopped) {
                return;
            }
            stopped = true;
        } finally {
            lock.unlock();
        }
        log.warn(
                "session={} storing stopped, live playback continues: {} {}",
                settings.session(),
                failure,
                message);
        listener.failed(failure, message);
    }

    private void releaseQueue() {
        lock.lock();
        try {
            stopped = true;
            queue.forEach(RecorderJob::release);
            queue.clear();
            queuedBytes = 0;
        } finally {
            lock.unlock();
        }
    }
}
