package touchline.ingest.rtmp;

import touchline.media.AccessUnit;

/**
 * The timestamps of one publish to another server: milliseconds since its first unit, which rise in
 * each track. Media time has gaps where nothing was sent; they stay. Where media time goes back,
 * because the media comes from elsewhere, the timestamps continue behind the newest one. One
 * thread.
 */
final class PushClock {
    private static final int US_PER_MS = 1_000;

    private long zeroMs;
    private long newestMs = -1;
    private long newestVideoMs = -1;
    private long newestAudioMs = -1;
    private boolean anchored;

    /** The next unit may be at any media time. */
    void discontinuity() {
        anchored = false;
    }

    /** The newest timestamp; 0 before the first. */
    long newestMs() {
        return Math.max(0, newestMs);
    }

    /** The timestamp of the message that holds this unit: its decode time. */
    long timestampMs(AccessUnit unit) {
        long mediaMs = roundedMs(unit.dtsUs());
        if (!anchored) {
            anchored = true;
            boolean first = newestMs < 0;
            if (first || mediaMs - zeroMs <= newestMs) {
                zeroMs = mediaMs - newestMs - 1;
            }
        }
        boolean video = unit.track().isVideo();
        long before = video ? newestVideoMs : newestAudioMs;
        long timestampMs = Math.max(mediaMs - zeroMs, before + 1);
        if (video) {
            newestVideoMs = timestampMs;
        } else {
            newestAudioMs = timestampMs;
        }
        newestMs = Math.max(newestMs, timestampMs);
        return timestampMs;
    }

    /** Presentation time minus decode time, so that the presentation time is rounded once. */
    static int compositionTimeMs(AccessUnit unit) {
        return (int) (roundedMs(unit.ptsUs()) - roundedMs(unit.dtsUs()));
    }

    private static long roundedMs(long us) {
        return Math.floorDiv(us + US_PER_MS / 2, US_PER_MS);
    }
}
