package touchline.media.hub;

import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import touchline.media.AccessUnit;
import touchline.media.Interruption;
import touchline.media.Timeline;
import touchline.media.Track;

/**
 * One further track of a multitrack publisher, in one configuration: a feed of its own, whose
 * timelines have the sequence, start and wall clock of the source's. Video whose key frames do not
 * fall together with the source's ends its feed. Written under the lock of {@link FurtherTracks},
 * read by any thread.
 */
public final class FurtherTrack {
    /** A larger GOP is not kept for late subscriptions. */
    private static final long MAX_GOP_BYTES = 8L << 20;

    /** Payload that may wait for a reader. */
    private static final long QUEUE_BYTES = 8L << 20;

    /** A unit further back is no rounding: it is dropped. */
    private static final long MAX_BACK_US = 500_000;

    private static final long STEP_TICKS = 90;
    private static final String READER = "further-track";

    private final TrackNumber number;
    private final Track track;
    private final ReentrantLock lock;
    private final Feed feed = new Feed(MAX_GOP_BYTES);

    /** From its first unit on, so that the first reader misses nothing. */
    private @Nullable Subscription early = feed.subscribe(READER, QUEUE_BYTES);

    private final RateMeter rate = new RateMeter();
    private final KeyFrameAlignment alignment = new KeyFrameAlignment();
    private @Nullable Timeline timeline;
    private long lastDtsTicks;
    private boolean aligned = true;

    FurtherTrack(TrackNumber number, Track track, ReentrantLock lock) {
        this.number = number;
        this.track = track;
        this.lock = lock;
    }

    public TrackNumber number() {
        return number;
    }

    /** Its configuration; one with another configuration is another object. */
    public Track track() {
        return track;
    }

    /** False once a key frame of the source had none here: the feed has ended. */
    public boolean isAligned() {
        lock.lock();
        try {
            return aligned;
        } finally {
            lock.unlock();
        }
    }

    /** Mean over the last seconds of media. */
    public long bitsPerSecond() {
        lock.lock();
        try {
            return rate.bitsPerSecond();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Its units: from the first one on for the first reader, from the newest key frame on for
     * others. Closed by the caller.
     */
    public FeedReader subscribe() {
        lock.lock();
        try {
            Subscription first = early;
            early = null;
            return first == null ? feed.subscribe(READER, QUEUE_BYTES) : first;
        } finally {
            lock.unlock();
        }
    }

    /** Whether its units belong to this timeline of the source. */
    boolean isIn(@Nullable Timeline of) {
        return timeline != null && timeline.equals(of);
    }

    /** Key frames together since the last one that was not. */
    int alignedInARow() {
        return alignment.alignedInARow();
    }

    /**
     * A unit in media time.
     *
     * @param of timeline of the source
     * @return false if it shows that the key frames do not fall together
     */
    boolean offer(AccessUnit unit, Timeline of) {
        if (!isIn(of)) {
            if (!unit.idr()) {
                return true;
            }
            begin(of);
        }
        AccessUnit placed = inOrder(unit);
        if (placed == null) {
            return true;
        }
        lastDtsTicks = placed.dtsTicks();
        rate.add(placed.dtsUs(), placed.payload().byteSize());
        boolean together = !number.video() || alignment.track(placed);
        if (aligned && together) {
            feed.offer(placed);
        }
        return together;
    }

    /**
     * A key frame of the source.
     *
     * @return false if it shows that the key frames do not fall together
     */
    boolean sourceKeyFrame(long ptsTicks, Timeline of) {
        return !number.video() || !isIn(of) || alignment.source(ptsTicks);
    }

    private void begin(Timeline of) {
        timeline = of;
        lastDtsTicks = Long.MIN_VALUE;
        alignment.begin();
        feed.offer(new Timeline(of.sequence(), List.of(track), of.startUs(), of.startedAt()));
    }

    /** Decode times rise; null for a unit far behind. */
    private @Nullable AccessUnit inOrder(AccessUnit unit) {
        if (lastDtsTicks == Long.MIN_VALUE || unit.dtsTicks() > lastDtsTicks) {
            return unit;
        }
        boolean far = unit.track().timescale().toUs(lastDtsTicks - unit.dtsTicks()) > MAX_BACK_US;
        if (far || !number.video()) {
            return null;
        }
        long dtsTicks = lastDtsTicks + STEP_TICKS;
        return unit.at(unit.track(), dtsTicks, Math.toIntExact(unit.ptsTicks() - dtsTicks));
    }

    /** Its key frames do not fall together with the source's. */
    void misaligned() {
        aligned = false;
        end();
    }

    /** The publisher is gone. */
    void interrupt() {
        if (timeline != null) {
            timeline = null;
            feed.offer(Interruption.PUBLISHER_GONE);
            feed.flush();
        }
    }

    void flush() {
        feed.flush();
    }

    void end() {
        Subscription unread = early;
        early = null;
        if (unread != null) {
            unread.close();
        }
        feed.end();
    }
}
