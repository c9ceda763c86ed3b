package touchline.api.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.audit.SessionAudit;
import touchline.api.domain.LatencyMode;
import touchline.api.domain.Session;
import touchline.api.domain.SessionReport;
import touchline.api.domain.StreamDefinition;
import touchline.api.domain.SuspendedSession;
import touchline.api.restream.SessionRestreams;
import touchline.api.scoreboard.SessionProgram;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.media.hub.EndReason;
import touchline.media.hub.InterruptedSession;
import touchline.media.hub.LiveStream;
import touchline.media.hub.LiveStreams;
import touchline.media.transcode.TranscodingReader;
import touchline.packager.hls.HlsPackager;
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
    private final SessionRenditions renditions;
    private final SessionStop stop;
    private final SessionDependencies dependencies;
    private final Shared shared;
    private final SessionJournal.Started stored;
    private final Optional<ContinuedSession> before;
    private final CountDownLatch shown = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);
    private final ReentrantLock lock = new ReentrantLock();

    // Set by the session's thread before it reads the settings or shows anything; read by any.
    private volatile @Nullable SessionAudit moderation;
    private volatile @Nullable TranscodingReader media;
    private volatile @Nullable ResumePoint point;
    private volatile LatencyMode latencyMode = LatencyMode.STANDARD;

    @GuardedBy("lock")
    private @Nullable EndReason endReason;

    // Used by the session's thread only.
    private boolean handedOver;

    /**
     * What all sessions share.
     *
     * @param lingering keeps a session for a while after its end
     * @param suspended receives what closes a session that a stop of the server leaves open
     */
    record Shared(
            SessionDependencies dependencies,
            LiveStreams registry,
            LingeringSessions lingering,
            Consumer<Runnable> suspended) {}

    /**
     * @param program what viewers see; closed by {@link #run}
     * @param stored completes when the database has the session
     * @param before the session that it continues
     */
    LiveSession(
            LiveStream live,
            SessionProgram program,
            Shared shared,
            SessionJournal.Started stored,
            Optional<ContinuedSession> before) {
        this.live = live;
        this.program = program;
        this.stop = new SessionStop(live);
        this.shared = shared;
        this.dependencies = shared.dependencies();
        this.renditions = new SessionRenditions(live, dependencies);
        this.stored = stored;
        this.before = before;
    }

    SessionId id() {
        return live.session();
    }

    void run() {
        try (program;
                renditions) {
            Optional<StreamDefinition> stream = admit();
            if (stream.isPresent()) {
                serve(stream.get());
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            // An Error too: out of direct memory must not leave a session without a packager.
            log.error("stream={} session={} failed", live.stream(), id(), e);
            shared.registry().end(live, EndReason.FAILED);
        } finally {
            shown.countDown();
            if (goesOn() && !handedOver) {
                dependencies.journal().ended(live, EndReason.SHUTDOWN, this::measured);
            }
        }
    }

    /** The server stops; see {@link SessionStop}. Called before the hub ends the session. */
    void leaveOpen() {
        stop.leaveOpen();
    }

    /** Any other node may go on with it. Called before the hub ends the session. */
    void release() {
        stop.release();
    }

    /** Whether a stop of the server has left the session open; known when the hub has ended it. */
    boolean goesOn() {
        return stop.goesOn();
    }

    /** Waits until viewers find the session, or it has ended. False if the time is over. */
    boolean awaitShown(Duration atMost) throws InterruptedException {
        return shown.await(atMost.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Ends the session and removes its multivariant playlist. */
    void ended(EndReason reason) {
        lock.lock();
        try {
            endReason = reason;
            ended.countDown();
            if (stop.leavesViewers()) {
                return;
            }
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
        SessionReport now =
                SessionReports.of(
                        live.report(),
                        latencyMode,
                        renditions.warnings(),
                        packaged == null ? Optional.empty() : packaged.audio());
        return before.map(earlier -> earlier.session().report().followedBy(now)).orElse(now);
    }

    SessionRenditions renditions() {
        return renditions;
    }

    SessionProgram program() {
        return program;
    }

    StreamId stream() {
        return live.stream();
    }

    /** When the encoder disconnected; empty while it, or the standby, writes. */
    Optional<Instant> stoppedAt() {
        return live.standby().status().isPresent() ? Optional.empty() : live.disconnectedAt();
    }

    /** Stores the measurements so far, and what another server would need to go on. */
    void report() {
        Optional.ofNullable(point).ifPresent(ResumePoint::send);
        if (!dependencies.journal().reported(live, measured())) {
            shared.registry().end(live, EndReason.FAILED);
        }
    }

    /**
     * Reads the stream again: it may have been disabled or deleted between the publisher's
     * admission and its first media.
     */
    private Optional<StreamDefinition> admit() {
        Optional<StreamDefinition> stream = dependencies.streams().find(live.stream());
        if (stream.isEmpty()) {
            shared.registry().end(live, EndReason.DELETED);
            return Optional.empty();
        }
        if (stream.get().disabled()) {
            shared.registry().end(live, EndReason.DISABLED);
            return Optional.empty();
        }
        return stream;
    }

    private void serve(StreamDefinition stream) throws InterruptedException {
        latencyMode =
                before.map(earlier -> earlier.settings().latencyMode())
                        .orElse(stream.settings().latencyMode());
        renditions.open(stream, program);
        program.open(stream, dependencies.profile(latencyMode, stream).segmentTargetUs());
        if (!stored.await()) {
            shared.registry().end(live, EndReason.DISABLED);
            return;
        }
        try {
            ReservedNumbers numbers = dependencies.numbers(id(), stream.id());
            LiveWindow window = window(stream, numbers.first());
            SessionRecording stays;
            // Closed after the window: a spool's files are deleted when no request can reach them.
            try (SessionRecording recording =
                    SessionRecording.open(dependencies.recording(stream, window, before))) {
                stays = recording;
                stop.opened(window, recording);
                playOut(stream, window, recording, numbers);
            }
            if (goesOn()) {
                handOver(window, stays);
            }
            if (before.isPresent() && !stop.leavesViewers()) {
                dependencies.removeSpool(id());
            }
        } finally {
            EndReason _ = endReason();
        }
    }

    private void playOut(
            StreamDefinition stream,
            LiveWindow window,
            SessionRecording recording,
            ReservedNumbers numbers)
            throws InterruptedException {
        ResumePoint reached = dependencies.resumePoint(live, window, recording);
        point = reached;
        try {
            try (SessionAudit moderated = moderate(stream);
                    SessionRestreams restreams =
                            dependencies.restreams().open(live, moderated.barrier())) {
                HlsPackager packager =
                        new HlsPackager(
                                playable(),
                                dependencies.memory(),
                                window,
                                List.of(recording, reached, restreams.passed()),
                                moderated.barrier(),
                                numbers);
                dependencies.start(live, renditions, program, window);
                show(stream, window);
                packager.run();
            }
            program.close();
            EndReason _ = endReason();
            if (goesOn()) {
                reached.send();
            }
            numbers.settle(window.nextMediaSequence());
            linger();
        } finally {
            Runnable close =
                    () -> {
                        dependencies.playback().close(stream.id(), id());
                        window.close();
                    };
            if (stop.leavesViewers()) {
                // They go on until the listener closes.
                shared.suspended().accept(close);
            } else {
                close.run();
            }
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

    /** Stores what the next start of the server needs. All media is stored already. */
    private void handOver(LiveWindow window, SessionRecording recording) {
        InterruptedSession stopped = live.interrupted().orElseThrow();
        SessionReport report = measured();
        stop.givenUp(recording).ifPresent(dependencies.assets()::giveUp);
        Session session =
                new Session(id(), stream(), stopped.startedAt(), Optional.empty(), report);
        SuspendedSession suspended =
                WindowHandover.suspend(
                        window, stopped, session, stop.asset(recording), dependencies);
        dependencies.journal().suspended(live, suspended, report);
        handedOver = true;
        log.info("session={} waits for its encoder until {}", id(), suspended.until());
    }

    private SessionAudit moderate(StreamDefinition stream) {
        SessionAudit made =
                SessionAudit.open(
                        id(),
                        live.startedAt().orElseThrow(),
                        stream,
                        live::program,
                        live::refused,
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
        Optional.ofNullable(moderation).ifPresent(SessionAudit::stop);
    }

    private LiveWindow window(StreamDefinition stream, long firstMediaSequence) {
        LiveWindow.Settings settings =
                new LiveWindow.Settings(
                        id(),
                        dependencies.profile(latencyMode, stream),
                        dependencies.packager().window(),
                        firstMediaSequence,
                        stream.settings().record(),
                        program.composited());
        return WindowHandover.open(settings, before, dependencies);
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
        shown.countDown();
    }

    /** Keeps the ended session playable for the length of one window. */
    private void linger() throws InterruptedException {
        EndReason reason = endReason();
        if (!goesOn() && reason != EndReason.DISABLED && reason != EndReason.DELETED) {
            shared.lingering().await(live.stream(), dependencies.packager().window());
        }
    }

    /** Waits until the hub reports the end. If the encoder still sends, the packager has failed. */
    private EndReason endReason() throws InterruptedException {
        shared.registry().end(live, EndReason.FAILED);
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
