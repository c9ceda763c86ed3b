package touchline.media.hub;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.FeedItem;
import touchline.media.Interruption;
import touchline.media.Timeline;

/**
 * The writer of a session's programme while no publication sends, or while an operator or
 * moderation keeps the publications out. It repeats {@link StandbyMedia} in real time on the hub's
 * timer, in a timeline of its own. A publication ends it with a key frame: see {@link
 * SourceSelection#claim}.
 *
 * <pre>
 * media flows     | half of after: media is made | after: the standby writes | key frame: it stops
 * </pre>
 *
 * <p>Media has stopped when no unit of the selected publication flows, be the encoder gone or
 * stalled. Audio without frames is media: the packager repeats a key frame beside it. Any thread;
 * nothing blocks.
 */
public final class Standby {
    private static final Logger log = LoggerFactory.getLogger(Standby.class);

    /** Frames of a slow video without audio that may be missing. */
    private static final long MISSING_FRAMES = 3;

    /** How long making the standby's media may take beyond the time that it waits anyway. */
    private static final long MOST_LATE_NS = TimeUnit.SECONDS.toNanos(1);

    private static final long TICK_NS = TimeUnit.MILLISECONDS.toNanos(40);

    /**
     * The standby writes.
     *
     * @param since when it began
     */
    public record Status(StandbyReason reason, Instant since) {}

    private final LiveStream live;
    private final SourceSelection sources;
    private final IngestMonitor monitor;
    private final OrderedEvents events;
    private final LiveStreams.Dependencies dependencies;
    private final Deadline watch;
    private final Deadline pace;

    /** The session's; guards everything below. */
    private final ReentrantLock lock;

    private StandbySettings settings = StandbySettings.NONE;
    private @Nullable StandbyMaker maker;
    private @Nullable StandbyReason forced;
    private @Nullable Status status;
    private @Nullable StandbyWriter writer;
    private boolean ended;
    private final StandbyPreparation preparation = new StandbyPreparation();

    Standby(LiveStream live, SourceSelection sources, SourceSelection.Dependencies shared) {
        this.live = live;
        this.sources = sources;
        this.lock = shared.lock();
        this.monitor = shared.monitor();
        this.events = shared.events();
        this.dependencies = shared.hub();
        this.watch = new Deadline(dependencies.timer(), this::watchPassed);
        this.pace = new Deadline(dependencies.timer(), this::tick);
    }

    /** Sets what is shown and when; takes effect at once, also while the standby writes. */
    public void follow(StandbySettings next, StandbyMaker by) {
        lock.lock();
        try {
            boolean shown = !next.showsLike(settings);
            settings = next;
            maker = by;
            if (next.mode() == StandbySettings.Mode.NONE && forced == StandbyReason.OPERATOR) {
                free();
            }
            if (next.mode() == StandbySettings.Mode.NONE && forced == null) {
                preparation.clear();
                stop();
            } else if (writer != null && shown) {
                prepare(/* freeze= */ false);
            }
            look();
        } finally {
            lock.unlock();
            events.deliver();
        }
        live.source().flush();
    }

    /**
     * Keeps publications out until {@link #release}. The standby begins as soon as its media is
     * made. A rejected frame is never frozen: then the slate is shown.
     *
     * @return false if the session has no format yet: its encoder has not come back since the start
     *     of the server
     */
    public boolean force(StandbyReason reason) {
        lock.lock();
        try {
            if (ended || monitor.report().tracks().isEmpty()) {
                return false;
            }
            if (forced == null
                    || (reason == StandbyReason.REJECTED && forced != StandbyReason.REJECTED)) {
                boolean freeze = freezes() && reason != StandbyReason.REJECTED;
                boolean again = writer != null && reason == StandbyReason.REJECTED;
                forced = reason;
                if (writer == null) {
                    preparation.keep(live.source().gop(), sources.flowedNs());
                }
                sources.close();
                because(reason);
                if (writer == null || again) {
                    prepare(freeze);
                }
            }
            return true;
        } finally {
            lock.unlock();
            events.deliver();
        }
    }

    /** Lets publications write again, from their next key frame on. Idempotent. */
    public void release() {
        lock.lock();
        try {
            if (forced != null) {
                free();
                if (settings.mode() == StandbySettings.Mode.NONE && sources.isEmpty()) {
                    stop();
                }
                look();
            }
        } finally {
            lock.unlock();
            events.deliver();
        }
        live.source().flush();
    }

    /** Present while the standby writes. */
    public Optional<Status> status() {
        lock.lock();
        try {
            return Optional.ofNullable(status);
        } finally {
            lock.unlock();
        }
    }

    /** A publication was selected. Called under the lock. */
    void publicationWrites() {
        preparation.clear();
        stopWriting();
        look();
    }

    /**
     * The last publication is gone; its last GOP is still there. Called under the lock.
     *
     * @return whether the programme goes on without an {@link Interruption}
     */
    boolean publicationGone() {
        if (!isWanted()) {
            stopWriting();
            return false;
        }
        if (writer != null) {
            because(forced == null ? StandbyReason.ENCODER_LOST : forced);
            return true;
        }
        preparation.keep(live.source().gop(), sources.flowedNs());
        if (!preparation.hasBegun()) {
            prepare(freezes() && forced != StandbyReason.REJECTED);
        }
        look();
        return live.programSwitch().isComposited();
    }

    /** The session has ended. Called under the lock. */
    void close() {
        ended = true;
        watch.disarm();
        preparation.clear();
        stopWriting();
    }

    private boolean isWanted() {
        return !ended && (settings.mode() != StandbySettings.Mode.NONE || forced != null);
    }

    private boolean freezes() {
        return settings.mode() == StandbySettings.Mode.FREEZE;
    }

    private void watchPassed(long number) {
        lock.lock();
        try {
            if (watch.isCurrent(number)) {
                look();
            }
        } finally {
            lock.unlock();
            events.deliver();
        }
        live.source().flush();
    }

    /** Whether media has stopped, and for how long. */
    private void look() {
        watch.disarm();
        if (!isWanted() || writer != null || forced != null) {
            return;
        }
        long afterNs = Math.max(settings.after().toNanos(), MISSING_FRAMES * frameNs());
        long stoppedNs = sources.stoppedNs();
        preparation.dropIfOlderThan(sources.flowedNs());
        if (stoppedNs < afterNs / 2) {
            watch.arm(afterNs / 2 - stoppedNs);
            return;
        }
        if (!preparation.hasBegun()) {
            prepare(freezes());
        }
        StandbyMedia made = preparation.ready();
        if (stoppedNs < afterNs) {
            watch.arm(afterNs - stoppedNs);
        } else if (made != null) {
            begin(made);
        }
    }

    private long frameNs() {
        return TimeUnit.MICROSECONDS.toNanos(monitor.frameIntervalUs());
    }

    private void prepare(boolean freeze) {
        StandbyMaker by = maker;
        IngestReport report = monitor.report();
        if (by == null || report.tracks().isEmpty()) {
            return;
        }
        var request =
                new StandbyRequest(
                        settings,
                        report.tracks(),
                        report.frameRate(),
                        freeze ? preparation.gop(live.source()) : List.of());
        preparation.start(
                sources.flowedNs(), by.make(request), dependencies.timer(), this::prepared);
    }

    private void prepared(int number, @Nullable StandbyMedia media, @Nullable Throwable failure) {
        lock.lock();
        try {
            if (ended || !preparation.accept(number, media)) {
                return;
            }
            if (media == null) {
                failed(failure);
            } else if (writer != null || forced != null) {
                begin(media);
            } else {
                look();
            }
        } finally {
            lock.unlock();
            events.deliver();
        }
        live.source().flush();
    }

    /** Nothing to show: viewers wait for the encoder, as without a standby. */
    private void failed(@Nullable Throwable cause) {
        log.warn("session={} no standby: its media cannot be made", live.session(), cause);
        watch.disarm();
        if (writer == null) {
            if (forced != null) {
                free();
            }
            interrupt();
        }
    }

    private void begin(StandbyMedia media) {
        watch.disarm();
        preparation.clear();
        long missingNs = missingNs();
        sources.deselect();
        long startUs = monitor.nextStartUs();
        Instant since = dependencies.clock().instant().minusNanos(missingNs);
        write(new Timeline(monitor.nextSequence(), media.tracks(), startUs, since));
        long sinceNs = dependencies.nanoTime().getAsLong() - missingNs;
        writer = new StandbyWriter(media, startUs, sinceNs);
        if (status == null) {
            on(forced == null ? StandbyReason.ENCODER_LOST : forced);
        }
        writeDue();
    }

    /** Missing of the programme when the standby begins, and written at once: not after a cut. */
    private long missingNs() {
        return writer != null || forced != null
                ? 0
                : Math.min(sources.stoppedNs(), settings.after().toNanos() + MOST_LATE_NS);
    }

    private void tick(long number) {
        lock.lock();
        try {
            if (pace.isCurrent(number)) {
                writeDue();
            }
        } finally {
            lock.unlock();
        }
        live.source().flush();
    }

    private void writeDue() {
        StandbyWriter writing = writer;
        if (writing != null) {
            writing.writeDue(dependencies.nanoTime().getAsLong(), this::write);
            pace.arm(TICK_NS);
        }
    }

    private void write(FeedItem item) {
        monitor.observeStandby(item);
        live.source().offer(item);
    }

    /** Publications may write again. */
    private void free() {
        forced = null;
        sources.reopen();
        if (writer == null) {
            preparation.clear();
        } else if (sources.isEmpty()) {
            because(StandbyReason.ENCODER_LOST);
        }
    }

    /** Nothing follows the standby. */
    private void stop() {
        if (writer != null) {
            stopWriting();
            interrupt();
        }
    }

    private void interrupt() {
        if (sources.selected().isEmpty()) {
            live.source().offer(Interruption.PUBLISHER_GONE);
        }
    }

    private void stopWriting() {
        writer = null;
        pace.disarm();
        off();
    }

    /** The same standby goes on for another reason. */
    private void because(StandbyReason reason) {
        Status now = status;
        if (now != null && now.reason() != reason) {
            off();
            on(reason);
        }
    }

    private void on(StandbyReason reason) {
        status = new Status(reason, dependencies.clock().instant());
        log.info("stream={} session={} standby: {}", live.stream(), live.session(), reason);
        events.add(() -> dependencies.listener().standbyStarted(live, reason));
    }

    private void off() {
        Status before = status;
        status = null;
        if (before != null) {
            log.info("stream={} session={} standby has ended", live.stream(), live.session());
            events.add(() -> dependencies.listener().standbyEnded(live, before.reason()));
        }
    }
}
