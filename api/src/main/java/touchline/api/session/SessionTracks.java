package touchline.api.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import touchline.api.domain.TrackStatus;
import touchline.media.concurrent.LogContext;
import touchline.media.hub.FurtherTrack;
import touchline.media.hub.FurtherTracks;
import touchline.media.hub.LiveStream;
import touchline.media.hub.TrackLabel;
import touchline.media.hub.TrackNumber;
import touchline.packager.isobmff.VideoFormat;

/**
 * Makes renditions of the further tracks that the encoder of a session sends: nothing is decoded. A
 * track is served while its key frames fall together with the source's and viewers get the source
 * itself. One that fails is tried again after a pause. Any thread; no call waits.
 */
final class SessionTracks implements AutoCloseable {
    /** Code of a warning: a scoreboard is not in the encoder's further tracks. */
    static final String SCOREBOARD = "multitrack_scoreboard";

    private static final String NOT_SENT = "the encoder does not send it";
    private static final long TICK_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long LEFT_NS = TimeUnit.SECONDS.toNanos(1);
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(5);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

    private final LiveStream live;
    private final FurtherTracks tracks;
    private final TrackNames names;
    private final TrackCounters counters;
    private final BiConsumer<String, String> warn;
    private final LongSupplier nanoTime;
    private final long tickNs;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    @GuardedBy("lock")
    private final Map<TrackNumber, Served> served = new LinkedHashMap<>();

    @GuardedBy("lock")
    private @Nullable RenditionPackaging target;

    @GuardedBy("lock")
    private boolean pending;

    @GuardedBy("lock")
    private boolean watching;

    @GuardedBy("lock")
    private boolean closed;

    @GuardedBy("lock")
    private boolean warnedOfScoreboard;

    /** Video renditions that run, by name, with their shorter sides. */
    private volatile Map<String, Integer> running = Map.of();

    /** One track and its rendition. Guarded by the lock. */
    private static final class Served {
        private final FurtherTrack track;
        private final String name;
        private boolean runs;
        private String reason = "";
        private Duration pause = FIRST_PAUSE;
        private long nextTryNs;

        /** Since when the source goes on without the track; 0 while it does not. */
        private long leftSinceNs;

        Served(FurtherTrack track, String name) {
            this.track = track;
            this.name = name;
        }

        boolean isVideo() {
            return track.number().video();
        }
    }

    /**
     * @param warn gets the code and message of a warning of the session
     */
    SessionTracks(
            LiveStream live,
            TrackCounters counters,
            BiConsumer<String, String> warn,
            LongSupplier nanoTime) {
        this(live, counters, warn, nanoTime, TICK_NS);
    }

    /** With another interval between looks at what runs. */
    SessionTracks(
            LiveStream live,
            TrackCounters counters,
            BiConsumer<String, String> warn,
            LongSupplier nanoTime,
            long tickNs) {
        this.live = live;
        this.tracks = live.furtherTracks();
        this.names = new TrackNames(tracks);
        this.counters = counters;
        this.warn = warn;
        this.nanoTime = nanoTime;
        this.tickNs = tickNs;
        tracks.listen(this::changed);
    }

    /** Serves the tracks from now on; called once. */
    void start(RenditionPackaging packaging) {
        lock.lock();
        try {
            target = packaging;
        } finally {
            lock.unlock();
        }
        if (!tracks.list().isEmpty()) {
            // Now, so that the first segment has them.
            update();
            changed();
        }
    }

    /** The publisher's event loop: only wakes the thread that follows the tracks. */
    private void changed() {
        lock.lock();
        try {
            pending = true;
            changed.signalAll();
            if (watching || closed || target == null || tracks.list().isEmpty()) {
                return;
            }
            watching = true;
        } finally {
            lock.unlock();
        }
        Thread.ofVirtual()
                .name("tracks-" + live.session())
                .start(LogContext.session(live.stream(), live.session(), this::watch));
    }

    private void watch() {
        try {
            while (awaitChange()) {
                update();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for a change or a second; false once closed. */
    private boolean awaitChange() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long leftNs = tickNs;
            while (!pending && !closed && leftNs > 0) {
                leftNs = changed.awaitNanos(leftNs);
            }
            pending = false;
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    private void update() {
        List<Runnable> warnings = new ArrayList<>();
        lock.lock();
        try {
            RenditionPackaging to = target;
            if (closed || to == null) {
                return;
            }
            List<FurtherTrack> all = tracks.list();
            // Another configuration is another track.
            for (Served each : List.copyOf(served.values())) {
                if (!all.contains(each.track)) {
                    stop(each, to);
                    served.remove(each.track.number());
                }
            }
            boolean passes = live.programSwitch().passesSource();
            for (FurtherTrack each : all) {
                if (!served.containsKey(each.number())) {
                    served.put(each.number(), new Served(each, name(each)));
                }
            }
            for (Served each : served.values()) {
                update(each, to, passes, warnings);
            }
            label(to);
            running =
                    served.values().stream()
                            .filter(each -> each.runs && each.isVideo())
                            .collect(
                                    Collectors.toUnmodifiableMap(
                                            each -> each.name,
                                            each -> TrackNames.side(each.track)));
        } finally {
            lock.unlock();
        }
        warnings.forEach(Runnable::run);
    }

    @GuardedBy("lock")
    private void update(
            Served entry, RenditionPackaging to, boolean passes, List<Runnable> warnings) {
        if (!entry.track.isAligned()) {
            stop(entry, to);
            entry.reason = "its key frames are not those of the first track";
        } else if (!passes) {
            stop(entry, to);
            entry.reason = "viewers get other media than the encoder's, such as a scoreboard";
            if (!warnedOfScoreboard) {
                warnedOfScoreboard = true;
                warnings.add(() -> warn.accept(SCOREBOARD, withoutScoreboard()));
            }
        } else if (!entry.runs) {
            if (entry.nextTryNs == 0 || entry.nextTryNs - nanoTime.getAsLong() <= 0) {
                start(entry, to);
            }
        } else if (isLeft(entry)) {
            // A player that waits for it would stall.
            stop(entry, to);
            entry.reason = NOT_SENT;
        } else if (to.hasFailed(entry.name)) {
            stop(entry, to);
            counters.countDrop();
            entry.reason = "its media is missing or too late";
            entry.nextTryNs = nanoTime.getAsLong() + entry.pause.toNanos();
            Duration longer = entry.pause.multipliedBy(2);
            entry.pause = longer.compareTo(LONGEST_PAUSE) < 0 ? longer : LONGEST_PAUSE;
            String message = "the rendition %s is dropped: %s".formatted(entry.name, entry.reason);
            warnings.add(() -> warn.accept(SessionRenditions.DROPPED, message));
        }
    }

    /** The source has gone on without it for a second: other media, or another encoder. */
    @GuardedBy("lock")
    private boolean isLeft(Served entry) {
        if (!tracks.isLeft(entry.track)) {
            entry.leftSinceNs = 0;
            return false;
        }
        long now = nanoTime.getAsLong();
        entry.leftSinceNs = entry.leftSinceNs == 0 ? now : entry.leftSinceNs;
        return now - entry.leftSinceNs >= LEFT_NS;
    }

    private static String withoutScoreboard() {
        return "the encoder's further tracks are not served, since a scoreboard is not in them; set"
                + " renditions on the stream instead";
    }

    @GuardedBy("lock")
    private void start(Served entry, RenditionPackaging to) {
        if (!tracks.isSending(entry.track)) {
            entry.reason = NOT_SENT;
            return;
        }
        entry.runs = true;
        entry.reason = "";
        counters.started(entry.isVideo());
        if (entry.isVideo()) {
            to.start(entry.name, entry.track.subscribe());
        } else {
            label(to);
            to.startAudio(entry.name, entry.track.subscribe());
        }
    }

    @GuardedBy("lock")
    private void stop(Served entry, RenditionPackaging to) {
        if (entry.runs) {
            entry.runs = false;
            counters.ended(entry.isVideo());
            to.drop(entry.name);
        }
    }

    /** The element of addresses: {@code 480p}, with its number if another track has that height. */
    @GuardedBy("lock")
    private String name(FurtherTrack track) {
        int number = track.number().number();
        if (!track.number().video()) {
            return "audio-" + number;
        }
        String name = TrackNames.side(track) + "p";
        return served.values().stream().anyMatch(each -> each.name.equals(name))
                ? name + '-' + number
                : name;
    }

    /** Names of audio differ, whatever the metadata says. */
    @GuardedBy("lock")
    private void label(RenditionPackaging to) {
        List<String> used = new ArrayList<>();
        to.sourceAudio(names.shown(new TrackNumber(false, 0), used));
        for (Served each : served.values()) {
            if (!each.isVideo()) {
                to.label(each.name, names.shown(each.track.number(), used));
            }
        }
    }

    /** Whether a rendition of this name is a track of the encoder. */
    boolean serves(String name) {
        return running.containsKey(name);
    }

    /** Shorter sides of the video tracks that are served. */
    Set<Integer> heights() {
        return Set.copyOf(running.values());
    }

    /** Video first, each by its number. */
    List<TrackStatus> status() {
        lock.lock();
        try {
            List<String> used = new ArrayList<>();
            TrackLabel _ = names.shown(new TrackNumber(false, 0), used);
            return served.values().stream()
                    .map(each -> status(each, used))
                    .sorted(
                            Comparator.comparing((TrackStatus each) -> !each.video())
                                    .thenComparingInt(TrackStatus::number))
                    .toList();
        } finally {
            lock.unlock();
        }
    }

    private TrackStatus status(Served each, List<String> used) {
        TrackNumber number = each.track.number();
        TrackLabel label = each.isVideo() ? tracks.label(number) : names.shown(number, used);
        VideoFormat format = TrackNames.format(each.track).orElse(new VideoFormat(0, 0, 0));
        return new TrackStatus(
                each.isVideo(),
                number.number(),
                each.runs ? each.name : "",
                label.name(),
                label.language(),
                format.width(),
                format.height(),
                each.track.track().codec().rfc6381(),
                each.track.bitsPerSecond(),
                each.runs,
                each.reason);
    }

    /** The packaging ends by itself. Idempotent. */
    @Override
    public void close() {
        lock.lock();
        try {
            if (!closed) {
                closed = true;
                served.values().stream()
                        .filter(each -> each.runs)
                        .forEach(each -> counters.ended(each.isVideo()));
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }
}
