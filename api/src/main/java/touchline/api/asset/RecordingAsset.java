package touchline.api.asset;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.domain.Asset;
import touchline.api.domain.AssetError;
import touchline.api.domain.AssetState;
import touchline.api.domain.AssetStatus;
import touchline.media.concurrent.LogContext;
import touchline.packager.record.ContinuedRecording;
import touchline.packager.record.Recorder;
import touchline.packager.record.Recording;

/**
 * The asset of one session while it is recorded. The recorder's threads report the media on the
 * disk. A separate virtual thread stores that in the database: a changed status at once, the rest
 * every few seconds. So neither the disk nor the session waits for the database. A failing database
 * is tried again until the server stops. Then the next start finishes the asset from its files.
 *
 * <p>When the disk fails, the asset ends. Its stored media stays playable, and its errors contain
 * the reason.
 */
public final class RecordingAsset implements Recorder.Listener, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(RecordingAsset.class);
    private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(5);

    private final Asset begun;
    private final AssetService.Dependencies parts;
    private final Thread writer;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    @GuardedBy("lock")
    private final List<AssetError> errors = new ArrayList<>();

    @GuardedBy("lock")
    private int segments;

    @GuardedBy("lock")
    private long durationUs;

    @GuardedBy("lock")
    private long sizeBytes;

    /** The end of the recording. */
    @GuardedBy("lock")
    private @Nullable Instant overAt;

    /** Whether the database has the end; only then is it shown. */
    @GuardedBy("lock")
    private boolean overStored;

    /** Has unsaved changes. */
    @GuardedBy("lock")
    private boolean dirty;

    /** Must be saved at once. */
    @GuardedBy("lock")
    private boolean urgent;

    @GuardedBy("lock")
    private boolean closed;

    /** The next start of the server continues it. */
    @GuardedBy("lock")
    private boolean suspended;

    // Used by the storing thread, and before its start by the starting thread.
    private boolean created;

    /** Whether its MP4 must be scaled. Set by the recorder's thread before the end is stored. */
    private volatile boolean isAboveCap;

    /** A state to store, and whether it is the last one. */
    private record Due(AssetState state, boolean last) {}

    /**
     * @param whenDone called when everything is stored
     */
    RecordingAsset(Asset begun, AssetService.Dependencies parts, Runnable whenDone) {
        this.begun = begun;
        this.parts = parts;
        // Of an asset that is continued.
        this.segments = begun.state().status() == AssetStatus.READY ? 1 : 0;
        this.durationUs = begun.state().durationUs();
        this.sizeBytes = begun.state().sizeBytes();
        this.errors.addAll(begun.state().errors());
        this.writer =
                Thread.ofVirtual()
                        .name("asset-" + begun.id())
                        .unstarted(
                                LogContext.carried(
                                        () -> {
                                            try {
                                                storeChanges();
                                            } finally {
                                                whenDone.run();
                                            }
                                        }));
    }

    /** Stores the row. If the database fails, the thread stores it later. */
    void begin() {
        if (!store(new Due(begun.state(), /* last= */ false))) {
            touch(/* now= */ true);
        }
        writer.start();
    }

    /** Lets the thread store the row. */
    void beginSoon() {
        touch(/* now= */ true);
        writer.start();
    }

    /** Continues an asset whose row and files are there. */
    void reopen() {
        created = true;
        if (begun.isPlayable()) {
            parts.playbackIds().open(begun);
        }
        writer.start();
    }

    /** The asset as the API shows it, with all media on the disk. */
    public Asset asset() {
        lock.lock();
        try {
            return begun.with(state(overStored));
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void segmentStored(Recording.Segment segment) {
        boolean first;
        lock.lock();
        try {
            first = segments == 0;
            segments++;
            durationUs += segment.durationUs();
            sizeBytes += segment.place().sizeBytes();
        } finally {
            lock.unlock();
        }
        if (first) {
            parts.playbackIds().open(asset());
        }
        parts.playbackIds().files().grown(begun.id());
        touch(first);
    }

    @Override
    public void failed(Recorder.Failure failure, String message) {
        over(
                Optional.of(
                        switch (failure) {
                            case LOW_SPACE -> new AssetError(AssetError.LOW_SPACE, message);
                            case DISK -> new AssetError(AssetError.DISK, message);
                            case TOO_SLOW -> new AssetError(AssetError.DISK_TOO_SLOW, message);
                        }));
    }

    @Override
    public void ended(Recording recording) {
        prepareMp4(recording);
        long bytes = sizeOf(recording);
        lock.lock();
        try {
            segments = recording.segments().size();
            durationUs = recording.durationUs();
            sizeBytes = bytes;
        } finally {
            lock.unlock();
        }
        over(Optional.empty());
        if (isContinued() && !recording.segments().isEmpty()) {
            Thread.ofVirtual()
                    .name("mp4-" + begun.id())
                    .start(LogContext.carried(this::prepareContinued));
        }
    }

    @Override
    public void suspended() {
        lock.lock();
        try {
            suspended = true;
        } finally {
            lock.unlock();
        }
        touch(/* now= */ true);
    }

    /**
     * Called when the session has ended and its recorder is closed. Waits for a limited time until
     * the end is stored. The thread continues to try afterwards.
     */
    @Override
    public void close() {
        boolean hangs;
        lock.lock();
        try {
            closed = true;
            hangs = overAt == null && !suspended;
        } finally {
            lock.unlock();
        }
        if (hangs) {
            over(Optional.of(new AssetError(AssetError.DISK, "the disk has stopped responding")));
        } else {
            touch(/* now= */ true);
        }
        try {
            if (!writer.join(CLOSE_PATIENCE)) {
                log.warn("asset={} its end is not stored yet, will be tried again", begun.id());
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void over(Optional<AssetError> error) {
        lock.lock();
        try {
            error.ifPresent(errors::add);
            if (overAt == null) {
                overAt = parts.clock().instant();
            }
        } finally {
            lock.unlock();
        }
        touch(/* now= */ true);
    }

    /** Without the MP4's head: bringing back what it needs may take long. */
    private void prepareMp4(Recording recording) {
        if (!recording.segments().isEmpty()) {
            isAboveCap = parts.mp4().isAboveCap(begun);
            boolean _ = !isContinued() && parts.mp4().prepare(begun);
        }
    }

    /** The end of a continued recording is stored by then, and may be uploaded. */
    private void prepareContinued() {
        if (parts.mp4().prepare(begun)) {
            parts.playbackIds().files().changed(begun.id());
        }
    }

    /** Whether another node has begun it: files of before may be in the store only. */
    private boolean isContinued() {
        return parts.folders().isContinued(begun.id());
    }

    private long sizeOf(Recording recording) {
        try {
            return isContinued()
                    ? ContinuedRecording.sizeBytes(recording, parts.folders().of(begun.id()))
                    : parts.folders().sizeBytes(begun.id());
        } catch (IOException e) {
            log.warn("asset={} its size is not known: {}", begun.id(), e.toString());
            lock.lock();
            try {
                return sizeBytes;
            } finally {
                lock.unlock();
            }
        }
    }

    private void touch(boolean now) {
        lock.lock();
        try {
            dirty = true;
            urgent |= now;
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private AssetState state(boolean over) {
        if (!over) {
            AssetStatus status = segments > 0 ? AssetStatus.READY : AssetStatus.PREPARING;
            return new AssetState(
                    status,
                    /* live= */ true,
                    durationUs,
                    sizeBytes,
                    OptionalDouble.empty(),
                    errors,
                    Optional.empty());
        }
        Instant at = overAt == null ? parts.clock().instant() : overAt;
        if (segments > 0) {
            return AssetState.finished(durationUs, sizeBytes, errors, at);
        }
        return AssetState.failed(
                errors.isEmpty()
                        ? List.of(
                                new AssetError(
                                        AssetError.NOTHING_RECORDED,
                                        "the session ended before anything was stored"))
                        : errors,
                at);
    }

    private void storeChanges() {
        try {
            boolean done = false;
            while (!done && parts.stopping().getCount() > 0) {
                Due due = due();
                if (store(due)) {
                    done = due.last();
                } else {
                    boolean _ =
                            parts.stopping().await(parts.pause().toMillis(), TimeUnit.MILLISECONDS);
                    touch(/* now= */ true);
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits until a state must be stored, at most for the usual interval. */
    private Due due() throws InterruptedException {
        lock.lock();
        try {
            long leftNs = parts.storeEvery().toNanos();
            while (!urgent && !(dirty && leftNs <= 0)) {
                if (dirty) {
                    leftNs = changed.awaitNanos(leftNs);
                } else {
                    changed.await();
                }
            }
            urgent = false;
            dirty = false;
            boolean over = overAt != null;
            return new Due(state(over), /* last= */ closed && (over || suspended));
        } finally {
            lock.unlock();
        }
    }

    private boolean store(Due due) {
        try {
            if (!created) {
                // A failed first try may have been committed.
                if (parts.repository().find(begun.id()).isEmpty()) {
                    parts.repository().create(begun);
                }
                created = true;
            }
            update(due.state());
            return true;
        } catch (RuntimeException e) {
            log.warn("asset={} is not stored, will be tried again: {}", begun.id(), e.getMessage());
            return false;
        }
    }

    private void update(AssetState state) {
        if (!state.live()) {
            parts.playbackIds().refresh(begun.with(state));
        }
        if (!parts.repository().update(begun.id(), state)) {
            parts.playbackIds().close(begun);
        } else if (!state.live() && isAboveCap) {
            parts.playbackIds().renditions().request(begun.id());
        }
        lock.lock();
        try {
            overStored |= !state.live();
        } finally {
            lock.unlock();
        }
    }
}
