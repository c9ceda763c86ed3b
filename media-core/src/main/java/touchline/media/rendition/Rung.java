package touchline.media.rendition;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import touchline.media.ffmpeg.FrameFormat;
import touchline.media.ffmpeg.FrameResizer;
import touchline.media.ffmpeg.VideoFrame;

/**
 * One rendition of a session: its scaler, and its encoder while it runs. The scaling thread owns
 * it; {@link #status} by any thread.
 */
final class Rung implements AutoCloseable {
    // Written by the scaling thread, read by any.
    private volatile RenditionFormat format;
    private volatile @Nullable RenditionEncoder encoder;

    private @Nullable FrameResizer resizer;

    /** Frames before this time are before its first key frame. */
    private long startPtsTicks = Long.MIN_VALUE;

    private boolean begun;

    Rung(RenditionFormat format) {
        this.format = format;
    }

    RenditionFormat format() {
        return format;
    }

    void format(RenditionFormat changed) {
        format = changed;
    }

    /** Null while it is dropped. */
    @Nullable RenditionEncoder encoder() {
        return encoder;
    }

    boolean isRunning() {
        return encoder != null;
    }

    /**
     * @param fromPtsTicks presentation time of the key frame that it begins with
     */
    void run(RenditionEncoder fresh, long fromPtsTicks) {
        encoder = fresh;
        startPtsTicks = fromPtsTicks;
        begun = false;
    }

    /** The next frame begins a timeline. */
    void newTimeline() {
        begun = false;
    }

    /** Whether its encoder must get the timeline before this frame. */
    boolean mustBegin() {
        return !begun;
    }

    void begin() {
        begun = true;
    }

    /** Whether it has a frame at this time. */
    boolean isDue(FrameTimes.Times times) {
        RenditionEncoder running = encoder;
        return running != null && times.ptsTicks() >= startPtsTicks && running.isDue(times);
    }

    /**
     * Scales a frame.
     *
     * @param from borrowed
     * @param target format of this rendition's frames
     * @return for the caller to close
     */
    VideoFrame scale(VideoFrame from, FrameFormat target) {
        FrameResizer open = resizer;
        if (open == null || !open.fits(from, target)) {
            close();
            open = FrameResizer.open(from, target);
            resizer = open;
        }
        return open.resize(from);
    }

    /** Ends its encoder at once. */
    void stop() {
        RenditionEncoder running = encoder;
        encoder = null;
        if (running != null) {
            running.close();
        }
        close();
    }

    RenditionStatus status() {
        RenditionEncoder running = encoder;
        return new RenditionStatus(
                format, running == null ? Optional.empty() : running.codecs(), running != null);
    }

    @Override
    public void close() {
        FrameResizer open = resizer;
        resizer = null;
        if (open != null) {
            open.close();
        }
    }
}
