package touchline.media.hub;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import touchline.media.AccessUnit;
import touchline.media.CodecConfig;
import touchline.media.FeedItem;
import touchline.media.Interruption;
import touchline.media.Timeline;
import touchline.media.Track;
import touchline.media.codec.DecodingRefusedException;

/**
 * Measures what a session's publishers send, and the media time reached so far. Written by the
 * event loop of the current publisher, read by any thread.
 */
final class IngestMonitor {
    private static final long MS_US = 1_000;
    private static final long MAX_FRAME_US = 1_000_000;
    private static final long DEFAULT_FRAME_US = 40_000;

    /** A measured rate this close to the parameter set's rate counts as equal. */
    private static final double NOMINAL = 0.03;

    /** Occurrences of faults that are kept: the newest. */
    private static final int MAX_FAULTS = 50;

    private record Size(int width, int height, double frameRate) {
        private static final Size UNKNOWN = new Size(0, 0, 0);
    }

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final IngestDoctor doctor;

    @GuardedBy("lock")
    private final TimelineLimit timelines;

    @GuardedBy("lock")
    private final IngestHealth health;

    /** Faults of the signal, oldest first. */
    @GuardedBy("lock")
    private final List<IngestReport.Warning> faults = new ArrayList<>();

    @GuardedBy("lock")
    private RateMeter videoRate = new RateMeter();

    @GuardedBy("lock")
    private RateMeter audioRate = new RateMeter();

    @GuardedBy("lock")
    private @Nullable Timeline timeline;

    @GuardedBy("lock")
    private @Nullable DecodingRefusedException refusedBefore;

    @GuardedBy("lock")
    private int nextSequence;

    @GuardedBy("lock")
    private boolean afterStandby;

    @GuardedBy("lock")
    private long bytes;

    @GuardedBy("lock")
    private long lastFrameUs;

    @GuardedBy("lock")
    private long frameUs = DEFAULT_FRAME_US;

    @GuardedBy("lock")
    private long endUs;

    /**
     * @param onWarning called once for each code, under a lock: must return at once
     */
    IngestMonitor(InstantSource clock, Consumer<IngestReport.Warning> onWarning) {
        this.doctor = new IngestDoctor(clock, onWarning);
        this.timelines = new TimelineLimit(clock);
        this.health = new IngestHealth(clock, doctor.lag());
    }

    /** Continues the media time of a session. */
    IngestMonitor(
            InstantSource clock,
            Consumer<IngestReport.Warning> onWarning,
            InterruptedSession before) {
        this(clock, onWarning);
        this.nextSequence = before.timelines();
        this.endUs = before.mediaEndUs();
    }

    /**
     * An item in media time, as readers get it.
     *
     * @return false if it is one timeline too many: the caller drops it and cuts the publisher
     */
    @CanIgnoreReturnValue
    boolean observe(FeedItem item) {
        lock.lock();
        try {
            switch (item) {
                case Timeline _ when !afterStandby && !timelines.tryBegin() -> {
                    doctor.refusedForJumps();
                    return false;
                }
                case Timeline started -> {
                    timeline = started;
                    if (afterStandby) {
                        // The time of the standby is none of the publisher's.
                        videoRate = new RateMeter();
                        audioRate = new RateMeter();
                        afterStandby = false;
                    }
                    nextSequence = started.sequence() + 1;
                    lastFrameUs = Long.MIN_VALUE;
                    doctor.begin(started);
                    health.begin();
                    if (refusedBefore != null) {
                        doctor.refused(refusedBefore);
                        refusedBefore = null;
                    }
                }
                case AccessUnit unit -> observe(unit);
                case Interruption _ -> {}
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * An item of the standby in media time. It is no measurement of a publisher. The publisher's
     * next timeline is one that the standby causes, not the publisher.
     */
    void observeStandby(FeedItem item) {
        lock.lock();
        try {
            switch (item) {
                case Timeline started -> {
                    nextSequence = started.sequence() + 1;
                    afterStandby = true;
                }
                case AccessUnit unit ->
                        endUs =
                                Math.max(
                                        endUs,
                                        Math.max(unit.dtsUs(), unit.ptsUs()) + durationUs(unit));
                case Interruption _ -> {}
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * A unit in media time that is no measurement of the publisher.
     *
     * @return true
     */
    boolean observeUnmeasured(FeedItem item) {
        observeStandby(item);
        return true;
    }

    /** The next timeline is that of another publisher, and not caused by its timestamps. */
    void switched() {
        lock.lock();
        try {
            afterStandby = true;
        } finally {
            lock.unlock();
        }
    }

    /** A warning about the backup beside the primary. */
    void ofBackup(String code, String message) {
        lock.lock();
        try {
            doctor.ofBackup(code, message);
        } finally {
            lock.unlock();
        }
    }

    /** The publisher's timestamps jumped by this much. */
    void jumped(long byUs) {
        lock.lock();
        try {
            doctor.jumped(byUs);
        } finally {
            lock.unlock();
        }
    }

    /** Audio has waited this long for the first frame, and goes on alone. */
    void withoutVideo(long waitedUs) {
        lock.lock();
        try {
            doctor.withoutVideo(waitedUs);
        } finally {
            lock.unlock();
        }
    }

    /** Total shift of a timeline's audio, to follow the publisher's timestamps. */
    void shifted(long totalUs) {
        lock.lock();
        try {
            doctor.shifted(totalUs);
        } finally {
            lock.unlock();
        }
    }

    /** The server does not decode this. Before the first media it is kept until then. */
    void refused(DecodingRefusedException cause) {
        lock.lock();
        try {
            if (timeline == null) {
                refusedBefore = cause;
            } else {
                doctor.refused(cause);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Adds an occurrence, or replaces it when it has ended. */
    void fault(IngestReport.Warning occurrence) {
        lock.lock();
        try {
            faults.removeIf(
                    each ->
                            each.code().equals(occurrence.code())
                                    && each.at().equals(occurrence.at()));
            if (faults.size() == MAX_FAULTS) {
                faults.removeFirst();
            }
            faults.add(occurrence);
            faults.sort(Comparator.comparing(IngestReport.Warning::at));
        } finally {
            lock.unlock();
        }
    }

    /** What another check has found. */
    void found(String code, String message) {
        lock.lock();
        try {
            doctor.found(code, message);
        } finally {
            lock.unlock();
        }
    }

    /** Media time at which the next timeline may start: the end of all media, in whole ms. */
    long nextStartUs() {
        lock.lock();
        try {
            return Math.ceilDiv(endUs, MS_US) * MS_US;
        } finally {
            lock.unlock();
        }
    }

    /** Time from unit to unit, where frames without audio are that far apart. */
    long frameIntervalUs() {
        lock.lock();
        try {
            return timeline != null && timeline.audio().isEmpty() ? frameUs : 0;
        } finally {
            lock.unlock();
        }
    }

    /** Number of the next timeline. */
    int nextSequence() {
        lock.lock();
        try {
            return nextSequence;
        } finally {
            lock.unlock();
        }
    }

    /** The complete steps of the last hour that ended after this moment, oldest first. */
    List<HealthSample> health(Instant after) {
        lock.lock();
        try {
            return health.after(after);
        } finally {
            lock.unlock();
        }
    }

    IngestReport report() {
        lock.lock();
        try {
            Optional<Timeline> now = Optional.ofNullable(timeline);
            Size size = now.flatMap(Timeline::video).map(IngestMonitor::size).orElse(Size.UNKNOWN);
            double measured = videoRate.unitsPerSecond();
            boolean nominal =
                    measured == 0 || Math.abs(measured - size.frameRate()) < NOMINAL * measured;
            return new IngestReport(
                    now.map(Timeline::tracks).orElse(List.of()),
                    size.width(),
                    size.height(),
                    nominal ? size.frameRate() : measured,
                    videoRate.bitsPerSecond(),
                    audioRate.bitsPerSecond(),
                    bytes,
                    Math.max(0, nextSequence - 1),
                    Stream.concat(doctor.warnings().stream(), faults.stream()).toList());
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void observe(AccessUnit unit) {
        long payloadBytes = unit.payload().byteSize();
        bytes += payloadBytes;
        if (unit.track().isVideo()) {
            videoRate.add(unit.dtsUs(), payloadBytes);
            long sinceUs = unit.dtsUs() - lastFrameUs;
            if (lastFrameUs != Long.MIN_VALUE && sinceUs <= MAX_FRAME_US) {
                frameUs = sinceUs;
            }
            lastFrameUs = unit.dtsUs();
        } else {
            audioRate.add(unit.dtsUs(), payloadBytes);
        }
        endUs = Math.max(endUs, Math.max(unit.dtsUs(), unit.ptsUs()) + durationUs(unit));
        doctor.observe(unit);
        health.observe(unit);
    }

    @GuardedBy("lock")
    private long durationUs(AccessUnit unit) {
        return unit.track().isVideo()
                ? frameUs
                : unit.track().timescale().toUs(FrameDuration.ticks(unit)) + 1;
    }

    private static Size size(Track video) {
        return switch (video.codec()) {
            case CodecConfig.Avc(var config) ->
                    new Size(config.width(), config.height(), config.frameRate());
            case CodecConfig.Hevc(var config) ->
                    new Size(config.width(), config.height(), config.frameRate());
            case CodecConfig.Av1(var config) ->
                    new Size(config.width(), config.height(), config.frameRate());
            case CodecConfig.Aac _, CodecConfig.Opus _, CodecConfig.Mp3 _ -> Size.UNKNOWN;
        };
    }
}
