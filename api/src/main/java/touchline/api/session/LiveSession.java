package touchline.api.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.audit.SessionAudit;
import touchline.api.domain.LatencyMode;
import touchline.api.domain.SessionReport;
import touchline.api.domain.StreamDefinition;
import touchline.api.scoreboard.SessionProgram;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.media.hub.EndReason;
import touchline.media.hub.LiveStream;
import touchline.media.hub.LiveStreams;
import touchline.media.transcode.TranscodingReader;
import touchline.packager.hls.HlsPackager;
import touchline.packager.hls.LatencyProfile;
import touchline.packager.hls.LiveWindow;

/**
 * One session from its first media until its last playlist is gone: row, packager, recorder,
 * playback. The session's virtual thread calls {@link #run}. Any thread may call {@link #ended},
 * which does not block.
 */
final class LiveSession {
    private static final Logger log = LoggerFactory.getLogger(LiveSession.class);

    private static final long END_PATIENCE_MS = 2_000;

    private final LiveStream live;
    private final SessionProgram program;
    private final SessionDependencies dependencies;
    private final LiveStreams registry;
    private final SessionJournal.Started stored;
    private final LingeringSessions lingering;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final ReentrantLock lock = new ReentrantLock();

    // Set by the session's thread before it reads the settings; read by any.
    private volatile @Nullable SessionAudit moderation;

    // Set by the session's thread; read by any.
    private volatile @Nullable TranscodingReader media;

    // Set by the session's thread before anything is shown; read by any.
    private volatile LatencyMode latencyMode = LatencyMode.STANDARD;

    @GuardedBy("lock")
    private @Nullable EndReason endReason;

    /**
     * @param program what viewers see; closed by {@link #run}
     * @param stored completes when the database has the session
     * @param lingering keeps the session for a while after its end
     */
    LiveSession(
            LiveStream live,
            SessionProgram program,
            SessionDependencies dependencies,
            LiveStreams registry,
            SessionJournal.Started stored,
            LingeringSessions lingering) {
        this.live = live;
        this.program = program;
        this.dependencies = dependencies;
        this.registry = registry;
        this.stored = stored;
        this.lingering = lingering;
    }

    SessionId id() {
        return live.session();
    }

    void run() {
        try (program) {
            Optional<StreamDefinition> stream = admit();
            if (stream.isPresent()) {
                serve(stream.get());
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            // An Error too: out of direct memory must not leave a session without a packager.
            log.error("stream={} session={} failed", live.stream(), id(), e);
            registry.end(live, EndReason.FAILED);
        }
    }

    /** Ends the session and removes its multivariant playlist. */
    void ended(EndReason reason) {
        lock.lock();
        try {
            endReason = reason;
            ended.countDown();
            if (reason == EndReason.DISABLED || reason == EndReason.DELETED) {
                dependencies.playback().closeAll(live.stream());
            } else {
                dependencies.playback().ended(live.stream(), id());
            }
        } finally {
            lock.unlock();
        }
    }

    /** The measurements so far, as the API shows them. */
    SessionReport measured() {
        TranscodingReader packaged = media;
        return SessionReports.of(
                live.report(), latencyMode, packaged == null ? Optional.empty() : packaged.audio());
    }

    /** The program that viewers receive. */
    SessionProgram program() {
        return program;
    }

    /** The stream of this session. */
    StreamId stream() {
        return live.stream();
    }

    /** Stores the measurements so far. */
    void report() {
        try {
            dependencies.sessions().report(id(), measured(), dependencies.clock().instant());
        } catch (RuntimeException e) {
            log.warn("session={} the measurements were not stored: {}", id(), e.getMessage());
        }
    }

    /**
     * Reads the stream again: it may have been disabled or deleted between the publisher's
     * admission and its first media.
     */
    private Optional<StreamDefinition> admit() {
        Optional<StreamDefinition> stream = dependencies.streams().find(live.stream());
        if (stream.isEmpty()) {
            registry.end(live, EndReason.DELETED);
            return Optional.empty();
        }
        if (stream.get().disabled()) {
            registry.end(live, EndReason.DISABLED);
            return Optional.empty();
        }
        return stream;
    }

    private void serve(StreamDefinition stream) throws InterruptedException {
        latencyMode = stream.settings().latencyMode();
        program.open(stream, profile().segmentTargetUs());
        if (!stored.await()) {
            registry.end(live, EndReason.DISABLED);
            return;
        }
        try {
            MediaSequenceAllocator sequence =
                    MediaSequenceAllocator.reserve(dependencies.sequences(), stream.id());
            LiveWindow window = window(stream, sequence.first());
            // Closed after the window: a spool's files are deleted when no request can reach them.
            try (SessionRecording recording =
                    SessionRecording.open(dependencies.recording(stream, id(), window))) {
                playOut(stream, window, recording, sequence);
            }
        } finally {
            EndReason _ = endReason();
        }
    }

    private void playOut(
            StreamDefinition stream,
            LiveWindow window,
            SessionRecording recording,
            MediaSequenceAllocator sequence)
            throws InterruptedException {
        try {
            try (SessionAudit moderated = moderate(stream)) {
                HlsPackager packager =
                        new HlsPackager(
                                playable(),
                                dependencies.memory(),
                                window,
                                List.of(recording, sequence),
                                moderated.barrier());
                show(stream, window);
                packager.run();
            }
            program.close();
            EndReason _ = endReason();
            sequence.settle(window.nextMediaSequence());
            linger();
        } finally {
            dependencies.playback().close(stream.id(), id());
            window.close();
        }
    }

    /** The program in codecs that browsers play. The packager closes it. */
    private TranscodingReader playable() {
        AudioRules rules = new AudioRules(dependencies.packager().transcodeAudio());
        TranscodingReader opened =
                new TranscodingReader(program.media(), rules::isTranscoded, id().value());
        media = opened;
        return opened;
    }

    private SessionAudit moderate(StreamDefinition stream) {
        SessionAudit made =
                SessionAudit.open(
                        id(),
                        live.startedAt().orElseThrow(),
                        stream,
                        live::program,
                        dependencies.moderation());
        program.watch(made.tap(), made::composited);
        // First, so that a change after the reading below finds it.
        moderation = made;
        made.follow();
        return made;
    }

    /** The audit settings of a stream have changed; no effect for another stream. */
    void auditChanged(StreamId stream) {
        SessionAudit moderated = moderation;
        if (moderated != null && live.stream().equals(stream)) {
            moderated.follow();
        }
    }

    /** Ends the moderation of this session. */
    void stopModeration() {
        SessionAudit moderated = moderation;
        if (moderated != null) {
            moderated.stop();
        }
    }

    private LatencyProfile profile() {
        return latencyMode == LatencyMode.LOW
                ? LatencyProfile.low(dependencies.packager().lowPart())
                : LatencyProfile.standard();
    }

    private LiveWindow window(StreamDefinition stream, long firstMediaSequence) {
        return new LiveWindow(
                new LiveWindow.Settings(
                        id(),
                        profile(),
                        dependencies.packager().window(),
                        firstMediaSequence,
                        stream.settings().record(),
                        program.composited()),
                dependencies.memory());
    }

    /** Holds the lock, so that a session that has ended meanwhile is never shown. */
    private void show(StreamDefinition stream, LiveWindow window) {
        lock.lock();
        try {
            if (endReason == null) {
                dependencies.playback().open(stream.id(), stream.playbackIds(), window);
            }
        } finally {
            lock.unlock();
        }
        // Playback ids may have changed since the definition was read.
        dependencies
                .playback()
                .identify(stream.id(), () -> dependencies.streams().playbackIds(stream.id()));
    }

    /** Keeps the ended session playable for the length of one window. */
    private void linger() throws InterruptedException {
        EndReason reason = endReason();
        if (reason != EndReason.DISABLED && reason != EndReason.DELETED) {
            lingering.await(live.stream(), dependencies.packager().window());
        }
    }

    /** Waits until the hub reports the end. If the encoder still sends, the packager has failed. */
    private EndReason endReason() throws InterruptedException {
        registry.end(live, EndReason.FAILED);
        if (!ended.await(END_PATIENCE_MS, TimeUnit.MILLISECONDS)) {
            return EndReason.FAILED;
        }
        lock.lock();
        try {
            return endReason == null ? EndReason.FAILED : endReason;
        } finally {
            lock.unlock();
        }
    }
}
