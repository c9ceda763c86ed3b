package touchline.api.asset;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.file.Path;
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
import touchline.api.domain.Mp4Support;
import touchline.packager.record.Recorder;
import touchline.packager.record.Recording;
import touchline.packager.record.StoredMp4;
import touchline.packager.record.StoredPlayback;

/**
 * The asset of one session while it is recorded. The recorder's threads say what is on the disk; a
 * virtual thread of its own stores that, at once where the status changes and every few seconds
 * otherwise, so that neither the disk nor the session waits for the database. A database that fails
 * is asked again until the server stops; then the next start finishes the asset from its files.
 *
 * <p>When the disk fails, recording is over for this session: what is there is final at once and
 * stays playable, with the reason among its errors.
 */
public final class RecordingAsset implements Recorder.Listener, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(RecordingAsset.class);
    private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(5);

    private final Asset begun;
    private final AssetService.Dependencies parts;
    private final Thread keeper;
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

    /** When recording was over. */
    @GuardedBy("lock")
    private @Nullable Instant overAt;

    /** The database knows that it is over: from then on it is shown so. */
    @GuardedBy("lock")
    private boolean overStored;

    /** There is something to store, some time. */
    @GuardedBy("lock")
    private boolean dirty;

    /** There is something to store now. */
    @GuardedBy("lock")
    private boolean urgent;

    @GuardedBy("lock")
    private boolean closed;

    // The keeping thread only, and the one that begins before it.
    private boolean created;

    /** Its MP4 has to be scaled. Set by the recorder's thread before the end is stored. */
    private volatile boolean isAboveCap;

    /** What is to be stored, and whether more may come. */
    private record Due(AssetState state, boolean last) {}

    /**
     * @param whenDone called when nothing is left to be stored
     */
    RecordingAsset(Asset begun, AssetService.Dependencies parts, Runnable whenDone) {
        this.begun = begun;
        this.parts = parts;
        this.keeper =
                Thread.ofVirtual()
                        .name("asset-" + begun.id())
                        .unstarted(
                                () -> {
                                    try {
                                        keep();
                                    } finally {
                                        whenDone.run();
                                    }
                                });
    }

    /** Stores the row, or leaves that to the thread where the database fails now. */
    void begin() {
        if (!store(new Due(begun.state(), /* last= */ false))) {
            touch(/* now= */ true);
        }
        keeper.start();
    }

    /** Leaves the row to the thread. */
    void beginSoon() {
        touch(/* now= */ true);
        keeper.start();
    }

    /** The asset as the API shows it: what is on the disk counts at once. */
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
        long onDiskBytes = sizeOnDisk();
        lock.lock();
        try {
            segments = recording.segments().size();
            durationUs = recording.durationUs();
            sizeBytes = onDiskBytes;
        } finally {
            lock.unlock();
        }
        over(Optional.empty());
    }

    /**
     * The session is over, and its recorder closed. Waits until the database knows, for a while:
     * the thread goes on trying behind it.
     */
    @Override
    public void close() {
        boolean hangs;
        lock.lock();
        try {
            closed = true;
            hangs = overAt == null;
        } finally {
            lock.unlock();
        }
        if (hangs) {
            over(Optional.of(new AssetError(AssetError.DISK, "the disk did not answer any more")));
        } else {
            touch(/* now= */ true);
        }
        try {
            if (!keeper.join(CLOSE_PATIENCE)) {
                log.warn("asset={} its end is not stored yet", begun.id());
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

    /** So that the first download need not wait; it would be made then. */
    private void prepareMp4(Recording recording) {
        if (recording.segments().isEmpty() || begun.labels().mp4Support() == Mp4Support.NONE) {
            return;
        }
        Path folder = parts.folders().of(begun.id());
        try {
            if (StoredPlayback.shorterSide(recording, folder) <= Renditions.MAX_SHORTER_SIDE) {
                StoredMp4 _ = StoredMp4.open(folder);
            } else {
                isAboveCap = true;
            }
        } catch (IOException | RuntimeException e) {
            log.warn("asset={} its MP4 is not prepared: {}", begun.id(), e.toString());
        }
    }

    private long sizeOnDisk() {
        try {
            return parts.folders().sizeBytes(begun.id());
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

    private void keep() {
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

    /** Waits until something is to be stored: now, or for as long as is usual between. */
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
            return new Due(state(over), /* last= */ closed && over);
        } finally {
            lock.unlock();
        }
    }

    private boolean store(Due due) {
        try {
            if (!created) {
                // A first try may have been committed although it failed here.
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
            parts.playbackIds().renditions().want(begun.id());
        }
        lock.lock();
        try {
            overStored |= !state.live();
        } finally {
            lock.unlock();
        }
    }
}
