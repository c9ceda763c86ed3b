package touchline.packager.audience;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import org.jspecify.annotations.Nullable;
import touchline.packager.audience.CmcdReader.ObjectType;

/**
 * One player, or the players of one address with one user agent. Event loops write, the clock's
 * thread reads. Any thread.
 */
public final class ViewerSession {
    private static final int UNKNOWN = -1;

    /** Has not asked for media yet. */
    private static final int NEVER = -1;

    private final StreamViewers stream;
    private final boolean bySid;
    private final long subscriber;
    private final int madeSeconds;

    /**
     * The last request for media. Volatile, since connections of several event loops write it; each
     * value at most once, so most requests only read.
     */
    private volatile int seenSeconds = NEVER;

    /** Removed: the next request makes another one. Volatile, set once by the clock's thread. */
    private volatile boolean gone;

    @GuardedBy("this")
    private @Nullable RepeatedMedia repeated;

    @GuardedBy("this")
    private long startedMs = UNKNOWN;

    @GuardedBy("this")
    private int startupMs = UNKNOWN;

    @GuardedBy("this")
    private boolean showsVideo;

    @GuardedBy("this")
    private long objectMs = UNKNOWN;

    @GuardedBy("this")
    private int kbps;

    /**
     * @param bySid named by its player, else by its address
     * @param subscriber hash of the address whose share it takes; 0 for none
     */
    ViewerSession(StreamViewers stream, boolean bySid, long subscriber) {
        this.stream = stream;
        this.bySid = bySid;
        this.subscriber = subscriber;
        this.madeSeconds = stream.seconds();
    }

    /** Whether its player names it; else it may stand for several players. */
    public boolean isOnePlayer() {
        return bySid;
    }

    /** A session beyond the limits: the next request looks for a place again. */
    static ViewerSession notCounted(StreamViewers stream, boolean bySid) {
        ViewerSession made = new ViewerSession(stream, bySid, /* subscriber= */ 0);
        made.gone = true;
        return made;
    }

    /**
     * A request for media came.
     *
     * @return false if this session was removed before
     */
    public boolean asked() {
        int nowSeconds = stream.seconds();
        if (seenSeconds != nowSeconds) {
            seenSeconds = nowSeconds;
        }
        return !gone;
    }

    /**
     * A segment, or the first part of one, was sent to one of its players.
     *
     * @param media hash of its name: all 64 bits vary
     */
    public synchronized void sent(long media) {
        RepeatedMedia all = repeated;
        if (all == null) {
            all = new RepeatedMedia();
            repeated = all;
        }
        all.sent(media, stream.seconds());
    }

    /** The player begins: it requests the multivariant playlist. */
    synchronized void began(long nowMs) {
        if (startedMs == UNKNOWN && seenSeconds == NEVER) {
            startedMs = nowMs;
        }
    }

    /** The player requests a segment or part and reports this. */
    public void reported(CmcdReader report) {
        if (!gone) {
            reported(report, stream.quality(), stream.nowMs());
        }
        stream.reported(report);
    }

    private synchronized void reported(CmcdReader report, PlaybackQuality quality, long nowMs) {
        ObjectType type = report.objectType();
        showsVideo |= type == ObjectType.VIDEO;
        if (type == ObjectType.NO_MEDIA || (type == ObjectType.AUDIO && showsVideo)) {
            return;
        }
        if (report.kbps() > 0) {
            kbps = report.kbps();
        }
        if (!report.isUrgent() && startedMs != UNKNOWN && startupMs == UNKNOWN) {
            startupMs = (int) Math.min(nowMs - startedMs, Integer.MAX_VALUE);
        }
        if (objectMs != UNKNOWN) {
            quality.played(
                    Math.clamp(nowMs - objectMs, 0, Audience.WINDOW_SECONDS * 1_000L),
                    report.isStarved());
        }
        objectMs = nowMs;
    }

    /** Players in the window; 0 where none has asked for media. */
    int players(int nowSeconds) {
        if (!isSeen(nowSeconds)) {
            return 0;
        }
        if (bySid) {
            return 1;
        }
        synchronized (this) {
            return repeated == null
                    ? 1
                    : Math.max(1, repeated.players(nowSeconds, Audience.WINDOW_SECONDS));
        }
    }

    /** Whether it was made, or has asked for media, within the window. */
    boolean isFresh(int nowSeconds) {
        return isSeen(nowSeconds) || nowSeconds - madeSeconds <= Audience.WINDOW_SECONDS;
    }

    private boolean isSeen(int nowSeconds) {
        int seen = seenSeconds;
        return seen != NEVER && nowSeconds - seen <= Audience.WINDOW_SECONDS;
    }

    boolean isGone() {
        return gone;
    }

    long subscriber() {
        return subscriber;
    }

    /** Adds the startup time, once in its life. */
    synchronized void collect(PlaybackQuality quality) {
        if (startupMs >= 0) {
            quality.started(startupMs);
            startedMs = UNKNOWN;
            startupMs = UNKNOWN;
        }
    }

    /** Removed: adds what it has reported last. */
    synchronized void leave(PlaybackQuality quality) {
        gone = true;
        collect(quality);
        if (kbps > 0) {
            quality.left(kbps);
        }
    }

    /** The bitrate of the rendition it plays, in kbit/s; 0 if not reported. */
    synchronized int kbps() {
        return kbps;
    }
}
