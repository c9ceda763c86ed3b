package touchline.api.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.domain.AssetId;
import touchline.media.SessionId;
import touchline.media.Timeline;
import touchline.packager.hls.MediaBlock;
import touchline.packager.hls.PartSink;
import touchline.packager.record.Recorder;
import touchline.packager.record.Recording;

/**
 * Stores one session on the disk, in one part or several. A recorder stops when the disk is full,
 * fails, or is too slow. When there is space again, the next part begins with the first segment
 * that starts with a key frame. Each part of a recorded session is a separate asset, since a player
 * cannot play across the gap.
 *
 * <p>Called by the packager's thread, which never waits for disk or database. Another thread reads
 * the free space. The session's thread closes it, after the window.
 */
final class SessionRecording implements PartSink, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(SessionRecording.class);

    private static final Duration LOW_SPACE_PAUSE = Duration.ofSeconds(5);
    private static final Duration FAULT_PAUSE = Duration.ofMinutes(1);

    /** Maximum parts of one session, so that a failing disk is not tried forever. */
    private static final int MAX_PARTS = 50;

    private final Dependencies dependencies;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final List<RecordingPart> recordingParts = new ArrayList<>();

    /** The current target of media; null while there is no space. */
    @GuardedBy("lock")
    private @Nullable RecordingPart current;

    @GuardedBy("lock")
    private @Nullable Init init;

    @GuardedBy("lock")
    private Instant nextTry = Instant.MIN;

    @GuardedBy("lock")
    private boolean asking;

    @GuardedBy("lock")
    private boolean roomAgain;

    @GuardedBy("lock")
    private boolean leftOpen;

    /**
     * Dependencies of a recording.
     *
     * @param opener opens recording parts
     * @param space checks the free space for one
     * @param executor runs blocking work
     * @param sharesAssets whether another node can go on with an asset of this one
     */
    record Dependencies(
            SessionId session,
            Opener opener,
            Space space,
            Executor executor,
            boolean sharesAssets,
            RecordingCounters counters,
            InstantSource clock) {}

    /** Port: opens a recording part. */
    @FunctionalInterface
    interface Opener {
        /**
         * Only the first call blocks.
         *
         * @param number 0 for the session's first
         * @param listener receives the recorder's calls, after the asset
         */
        RecordingPart open(int number, Recorder.Listener listener);
    }

    /** Port: free space on the disk of the recording parts. */
    @FunctionalInterface
    interface Space {
        /** Whether another part can begin. Blocks. */
        boolean isThere() throws IOException;
    }

    /** The init segment of the current media; holds a reference to its bytes. */
    private record Init(int number, Timeline timeline, MediaBlock bytes) {}

    private SessionRecording(Dependencies dependencies) {
        this.dependencies = dependencies;
    }

    /** Opens the first part. Blocks until it is open. */
    static SessionRecording open(Dependencies dependencies) {
        SessionRecording recording = new SessionRecording(dependencies);
        recording.lock.lock();
        try {
            recording.begin();
        } finally {
            recording.lock.unlock();
        }
        return recording;
    }

    @GuardedBy("lock")
    private RecordingPart begin() {
        RecordingPart recordingPart =
                dependencies
                        .opener()
                        .open(recordingParts.size(), new RecorderListener(recordingParts.size()));
        recordingParts.add(recordingPart);
        current = recordingPart;
        return recordingPart;
    }

    /** Listens to one recording part. Called by its writer's thread, or by the packager's. */
    private final class RecorderListener implements Recorder.Listener {
        private final int index;

        RecorderListener(int index) {
            this.index = index;
        }

        @Override
        public void failed(Recorder.Failure failure, String message) {
            dependencies.counters().stopped(failure);
            SessionRecording.this.failed(index, failure);
        }
    }

    private void failed(int index, Recorder.Failure failure) {
        lock.lock();
        try {
            if (index == recordingParts.size() - 1) {
                current = null;
                roomAgain = false;
                Duration pause =
                        failure == Recorder.Failure.LOW_SPACE ? LOW_SPACE_PAUSE : FAULT_PAUSE;
                nextTry = dependencies.clock().instant().plus(pause);
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void initSegment(int number, Timeline timeline, MediaBlock bytes) {
        RecordingPart recordingPart;
        lock.lock();
        try {
            if (init != null) {
                init.bytes().release();
            }
            init = new Init(number, timeline, bytes.retain());
            recordingPart = current;
        } finally {
            lock.unlock();
        }
        if (recordingPart != null) {
            recordingPart.initSegment(number, timeline, bytes);
        }
    }

    @Override
    public void part(FinishedPart part) {
        RecordingPart recordingPart;
        lock.lock();
        try {
            if (current == null && roomAgain && part.index() == 0 && part.independent()) {
                resume(part.mediaSequence());
            }
            recordingPart = current;
        } finally {
            lock.unlock();
        }
        if (recordingPart != null) {
            recordingPart.part(part);
        }
    }

    @GuardedBy("lock")
    private void resume(long mediaSequence) {
        roomAgain = false;
        Init with = init;
        if (with != null) {
            log.info(
                    "session={} storing continues with part {} at segment {}",
                    dependencies.session(),
                    recordingParts.size(),
                    mediaSequence);
            begin().initSegment(with.number(), with.timeline(), with.bytes());
        }
    }

    @Override
    public void sealed(SealedSegment segment) {
        RecordingPart recordingPart;
        lock.lock();
        try {
            recordingPart = current;
            boolean isDue =
                    recordingPart == null
                            && !roomAgain
                            && !asking
                            && recordingParts.size() < MAX_PARTS
                            && !dependencies.clock().instant().isBefore(nextTry);
            if (isDue) {
                asking = true;
                dependencies.executor().execute(this::ask);
            }
        } finally {
            lock.unlock();
        }
        if (recordingPart != null) {
            recordingPart.sealed(segment);
        }
    }

    private void ask() {
        boolean room = false;
        try {
            room = dependencies.space().isThere();
        } catch (IOException | RuntimeException e) {
            log.warn(
                    "session={} cannot read free disk space: {}",
                    dependencies.session(),
                    e.toString());
        }
        lock.lock();
        try {
            asking = false;
            roomAgain = room;
            nextTry = dependencies.clock().instant().plus(LOW_SPACE_PAUSE);
        } finally {
            lock.unlock();
        }
    }

    /** Another node goes on with the session: with the asset too, if it can. */
    void giveUp() {
        if (dependencies.sharesAssets()) {
            leaveOpen();
        }
    }

    /** The server stops: the end of the packager leaves the current part open. */
    void leaveOpen() {
        lock.lock();
        try {
            leftOpen = true;
        } finally {
            lock.unlock();
        }
    }

    /** The asset that the next start continues; of a session that was left open. */
    Optional<AssetId> openAsset() {
        return isLeftOpen() ? asset() : Optional.empty();
    }

    /** The asset that takes the media now. */
    Optional<AssetId> asset() {
        // Without the lock: the part has one of its own.
        return current().flatMap(RecordingPart::asset);
    }

    private Optional<RecordingPart> current() {
        lock.lock();
        try {
            return Optional.ofNullable(current);
        } finally {
            lock.unlock();
        }
    }

    private boolean isLeftOpen() {
        lock.lock();
        try {
            return leftOpen;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void end() {
        for (RecordingPart recordingPart : recordingParts()) {
            if (staysOpen(recordingPart)) {
                recordingPart.suspend();
            } else {
                recordingPart.end();
            }
        }
    }

    /** Files of the live window stay too. */
    private boolean staysOpen(RecordingPart recordingPart) {
        return isLeftOpen()
                && (current().equals(Optional.of(recordingPart))
                        || recordingPart.asset().isEmpty());
    }

    @Override
    public double fullness() {
        return current().map(RecordingPart::fullness).orElse(0.0);
    }

    private List<RecordingPart> recordingParts() {
        lock.lock();
        try {
            return List.copyOf(recordingParts);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        recordingParts().forEach(RecordingPart::close);
        lock.lock();
        try {
            if (init != null) {
                init.bytes().release();
                init = null;
            }
        } finally {
            lock.unlock();
        }
    }

    /** Calls one listener, then the other. */
    static Recorder.Listener both(Recorder.Listener first, Recorder.Listener second) {
        return new Recorder.Listener() {
            @Override
            public void segmentStored(Recording.Segment segment) {
                first.segmentStored(segment);
                second.segmentStored(segment);
            }

            @Override
            public void failed(Recorder.Failure failure, String message) {
                first.failed(failure, message);
                second.failed(failure, message);
            }

            @Override
            public void suspended() {
                first.suspended();
                second.suspended();
            }

            @Override
            public void ended(Recording recording) {
                first.ended(recording);
                second.ended(recording);
            }
        };
    }
}
