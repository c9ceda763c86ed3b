package touchline.packager.hls;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Times of a live session since its first frame shown, in microseconds: the time of its recording.
 * Empty before the first frame, and when the window is closed. Stateless, any thread.
 */
public final class LivePosition {
    /** The packager publishes media at most this long after it came in. */
    private static final long MAX_UNPUBLISHED_US = 15_000_000;

    private LivePosition() {}

    /**
     * The time of what the encoder sent at a moment. Media that is not published yet counts by the
     * wall clock.
     *
     * @param at now, or the time at which the encoder disconnected
     */
    public static OptionalLong us(LiveWindow window, Instant at) {
        Optional<MediaSegment> newest = window.startingBy(Long.MAX_VALUE);
        if (newest.isEmpty()) {
            return OptionalLong.empty();
        }
        MediaSegment segment = newest.get();
        long sinceUs = Duration.between(segment.programDateTime(), at).toNanos() / 1_000;
        long endUs = segment.endUs();
        return shown(
                window, Math.clamp(segment.startUs() + sinceUs, endUs, endUs + MAX_UNPUBLISHED_US));
    }

    /** The end of the newest published part. */
    public static OptionalLong publishedUs(LiveWindow window) {
        Optional<MediaSegment> newest = window.startingBy(Long.MAX_VALUE);
        return newest.isEmpty() ? OptionalLong.empty() : shown(window, newest.get().endUs());
    }

    /** Media time of the session's first frame: of time 0. */
    public static OptionalLong mediaStartUs(LiveWindow window) {
        return window.frames().orElse(null) instanceof WindowFrames frames
                ? OptionalLong.of(frames.zeroUs())
                : OptionalLong.empty();
    }

    private static OptionalLong shown(LiveWindow window, long mediaUs) {
        return window.frames().orElse(null) instanceof WindowFrames frames
                ? OptionalLong.of(Math.max(0, mediaUs - frames.zeroUs()))
                : OptionalLong.empty();
    }
}
