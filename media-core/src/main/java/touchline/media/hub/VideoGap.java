package touchline.media.hub;

/**
 * Detects that the frames of a timeline have stopped while its audio goes on. Counts the audio that
 * has come since the last frame, so a constant offset between both tracks does not matter. Media
 * microseconds. One thread.
 */
public final class VideoGap {
    /** Audio waits this long for the next frame. */
    static final long MIN_PATIENCE_US = 2_000_000;

    /** The same before two frames have come, and for frames that are this far apart. */
    static final long MAX_PATIENCE_US = 4_000_000;

    private static final long NEVER = Long.MIN_VALUE;

    private long frameUs = NEVER;
    private long intervalUs;
    private long audioUs = NEVER;

    /** The newest audio when the last frame came. */
    private long sinceUs = NEVER;

    /** A frame has come. */
    public void frame(long dtsUs) {
        if (frameUs != NEVER) {
            intervalUs = dtsUs - frameUs;
        }
        frameUs = dtsUs;
        sinceUs = audioUs;
    }

    /** Audio has come. */
    public void audio(long dtsUs) {
        audioUs = Math.max(audioUs, dtsUs);
        if (sinceUs == NEVER) {
            sinceUs = dtsUs;
        }
    }

    /** Newest audio. */
    public long audioUs() {
        return audioUs;
    }

    /** Audio since the last frame, or since the first audio. */
    public long lengthUs() {
        return audioUs == NEVER ? 0 : audioUs - sinceUs;
    }

    /** How much of the audio that came since the last frame lies behind that frame. */
    public long behindUs() {
        return audioUs == NEVER || frameUs == NEVER
                ? 0
                : Math.min(lengthUs(), audioUs - frameUs) - intervalUs;
    }

    /** Whether the frames have stopped: no longer an interval between two of them. */
    public boolean isOpen() {
        return lengthUs() > patienceUs();
    }

    /** A new timeline. */
    public void clear() {
        frameUs = NEVER;
        intervalUs = 0;
        audioUs = NEVER;
        sinceUs = NEVER;
    }

    private long patienceUs() {
        return intervalUs <= 0
                ? MAX_PATIENCE_US
                : Math.clamp(2 * intervalUs, MIN_PATIENCE_US, MAX_PATIENCE_US);
    }
}
