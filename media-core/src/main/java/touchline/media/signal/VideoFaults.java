package touchline.media.signal;

import org.jspecify.annotations.Nullable;

/**
 * Finds black and frozen video in key frames. What lies between two key frames is not seen: a fault
 * counts from the last key frame without it on, but from 2 s before the first one with it at most.
 * So it is reported within 8 s where key frames are 2 s apart, and later by what they are further
 * apart. A black frame is not frozen. One thread; times are media time.
 */
final class VideoFaults {
    /** 8 s; encoders do not place key frames to the millisecond. */
    private static final long LONG_US = 7_900_000;

    private static final long MAX_ASSUMED_US = 2_000_000;
    private static final long NEVER = Long.MIN_VALUE;

    private final ActiveFaults faults;

    /** The first key frame of those that look alike. */
    private @Nullable LumaCells reference;

    private @Nullable LumaCells newest;

    private long newestUs = NEVER;
    private long blackFromUs = NEVER;

    /** From when on key frames look like the reference. */
    private long stillFromUs = NEVER;

    private boolean still;
    private boolean frozen;

    VideoFaults(ActiveFaults faults) {
        this.faults = faults;
    }

    void keyFrame(LumaCells luma, long ptsUs) {
        long since = newestUs == NEVER ? ptsUs : Math.max(newestUs, ptsUs - MAX_ASSUMED_US);
        boolean black = luma.isBlack();
        blackFromUs = black ? (blackFromUs == NEVER ? since : blackFromUs) : NEVER;
        still = !black && isStill(luma);
        if (!still) {
            reference = black ? null : luma;
            stillFromUs = since;
        }
        newest = luma;
        newestUs = ptsUs;
        frozen = still && ptsUs - stillFromUs >= LONG_US;
        faults.set(SignalFault.VIDEO_BLACK, black && ptsUs - blackFromUs >= LONG_US);
        faults.set(SignalFault.VIDEO_FROZEN, frozen);
    }

    /** Light that changes slowly begins no frozen video, and does not end it either. */
    private boolean isStill(LumaCells luma) {
        LumaCells first = reference;
        if (first != null && luma.isLike(first)) {
            return true;
        }
        LumaCells before = newest;
        if (frozen && before != null && luma.isLike(before)) {
            reference = luma;
            return true;
        }
        return false;
    }

    /** Returns how long the video has been black, in microseconds. */
    long blackUs(long nowUs) {
        return blackFromUs == NEVER ? 0 : Math.max(0, nowUs - blackFromUs);
    }

    /** Returns how long the video has not changed, in microseconds. */
    long frozenUs(long nowUs) {
        return still ? Math.max(0, nowUs - stillFromUs) : 0;
    }
}
