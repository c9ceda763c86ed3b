package touchline.api.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.domain.LatencyMode;
import touchline.api.domain.Session;
import touchline.api.domain.SessionEnd;
import touchline.api.domain.SessionReport;
import touchline.api.domain.StreamDefinition;
import touchline.media.SessionId;
import touchline.media.hub.EndReason;
import touchline.media.hub.LiveStream;
import touchline.media.hub.LiveStreams;
import touchline.media.hub.PublishBarrier;
import touchline.media.hub.Subscription;
import touchline.packager.hls.HlsPackager;
import touchline.packager.hls.LatencyProfile;
import touchline.packager.hls.SegmentWindow;
import touchline.packager.record.Recorder;

/**
 * One session from its first media until nobody can watch it any more: row, packager, recorder,
 * playback. {@link #run} belongs to the session's virtual thread; {@link #ended} comes from
 * anywhere and does not block.
 */
final class RunningSession {
    private static final Logger log = LoggerFactory.getLogger(RunningSession.class);

    private final LiveStream live;
    private final Subscription subscription;
    private final SessionRooms rooms;
    private final LiveStreams registry;
    private final CountDownLatch stopping;
    private final ReentrantLock lock = new ReentrantLock();

    // Set by the session's thread before anything is shown; read by any.
    private volatile LatencyMode latencyMode = LatencyMode.STANDARD;

    @GuardedBy("lock")
    private @Nullable EndReason endReason;

    /**
     * @param subscription reading end for the packager; closed by {@link #run}
     * @param stopping counted down when the server stops: nothing lingers then
     */
    RunningSession(
            LiveStream live,
            Subscription subscription,
            SessionRooms rooms,
            LiveStreams registry,
            CountDownLatch stopping) {
        this.live = live;
        this.subscription = subscription;
        this.rooms = rooms;
        this.registry = registry;
        this.stopping = stopping;
    }

    SessionId id() {
        return live.session();
    }

    void run() {
        try (subscription) {
            Optional<StreamDefinition> stream = admit();
            if (stream.isPresent()) {
                serve(stream.get());
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            log.error("stream={} session={} failed", live.stream(), id(), e);
            registry.end(live.stream(), EndReason.FAILED);
        }
    }

    /** The session has ended; from here on its multivariant playlist is gone. */
    void ended(EndReason reason) {
        lock.lock();
        try {
            endReason = reason;
            if (reason == EndReason.DISABLED || reason == EndReason.DELETED) {
                rooms.playback().closeAll(live.stream());
            } else {
                rooms.playback().ended(live.stream(), id());
            }
        } finally {
            lock.unlock();
        }
    }

    /** What has been measured so far, as a client is shown it. */
    SessionReport measured() {
        return SessionReports.of(live.report(), latencyMode);
    }

    /** Stores what has been measured so far. */
    void report() {
        try {
            rooms.sessions().report(id(), measured(), rooms.clock().instant());
        } catch (RuntimeException e) {
            log.warn("session={} its report was not stored: {}", id(), e.getMessage());
        }
    }

    /**
     * Looks once more at what the key's owner is now: between the publisher's admission and its
     * first media the stream may have been disabled or deleted.
     */
    private Optional<StreamDefinition> admit() {
        Optional<StreamDefinition> stream = rooms.streams().find(live.stream());
        if (stream.isEmpty()) {
            registry.end(live.stream(), EndReason.DELETED);
            return Optional.empty();
        }
        if (stream.get().disabled()) {
            registry.end(live.stream(), EndReason.DISABLED);
            return Optional.empty();
        }
        return stream;
    }

    private void serve(StreamDefinition stream) throws InterruptedException {
        latencyMode = stream.settings().latencyMode();
        rooms.sessions().start(Session.started(id(), stream.id(), live.startedAt().orElseThrow()));
        SequenceKeeper sequence = SequenceKeeper.reserve(rooms.sequences(), stream.id());
        SegmentWindow window = window(stream, sequence.first());
        // Closed after the window: a spool's files go when nobody can ask for them any more.
        try (Recorder recorder = recorder(window, stream.settings().record())) {
            playOut(stream, window, recorder, sequence);
        }
    }

    private void playOut(
            StreamDefinition stream,
            SegmentWindow window,
            Recorder recorder,
            SequenceKeeper sequence)
            throws InterruptedException {
        try {
            HlsPackager packager =
                    new HlsPackager(
                            subscription,
                            rooms.memory(),
                            window,
                            List.of(recorder, sequence),
                            PublishBarrier.OPEN);
            show(stream, window);
            packager.run();
            finish(sequence, window);
            linger();
        } finally {
            rooms.playback().close(stream.id(), id());
            window.close();
        }
    }

    private SegmentWindow window(StreamDefinition stream, long firstMediaSequence) {
        LatencyProfile profile =
                latencyMode == LatencyMode.LOW
                        ? LatencyProfile.low(rooms.packager().lowPart())
                        : LatencyProfile.standard();
        return new SegmentWindow(
                new SegmentWindow.Settings(
                        id(),
                        profile,
                        rooms.packager().window(),
                        firstMediaSequence,
                        stream.settings().record(),
                        /* composited= */ false),
                rooms.memory());
    }

    private Recorder recorder(SegmentWindow window, boolean recorded) {
        Path folder = recorded ? rooms.recordings() : rooms.spool();
        Recorder.Settings settings =
                new Recorder.Settings(
                        id(),
                        folder.resolve(id().value()),
                        recorded ? Recorder.Purpose.RECORDING : Recorder.Purpose.SPOOL,
                        rooms.minFreeBytes());
        return Recorder.open(settings, window, new StorageLog(live.stream(), id()));
    }

    /** Under the lock, so that a session which was disabled meanwhile is never shown. */
    private void show(StreamDefinition stream, SegmentWindow window) {
        lock.lock();
        try {
            if (endReason == EndReason.DISABLED || endReason == EndReason.DELETED) {
                return;
            }
            rooms.playback().open(stream.id(), stream.playbackIds(), window);
            if (endReason != null) {
                rooms.playback().ended(stream.id(), id());
            }
        } finally {
            lock.unlock();
        }
        // Ids may have come or gone while the definition was on its way here.
        rooms.playback().identify(stream.id(), rooms.streams().playbackIds(stream.id()));
    }

    private void finish(SequenceKeeper sequence, SegmentWindow window) {
        EndReason reason = endReason();
        report();
        rooms.sessions().end(id(), rooms.clock().instant(), SessionEnd.of(reason));
        sequence.settle(window.nextMediaSequence());
    }

    /** Whoever watches to the end has one more window of time for it. */
    private void linger() throws InterruptedException {
        EndReason reason = endReason();
        if (reason != EndReason.DISABLED && reason != EndReason.DELETED) {
            boolean _ = stopping.await(rooms.packager().window().toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private EndReason endReason() {
        lock.lock();
        try {
            if (endReason == null) {
                // The packager gave up while the encoder still sends.
                registry.end(live.stream(), EndReason.FAILED);
            }
            return endReason == null ? EndReason.FAILED : endReason;
        } finally {
            lock.unlock();
        }
    }
}
