package touchline.media.rendition;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import touchline.media.FrameView;
import touchline.media.ffmpeg.FrameFormat;
import touchline.media.ffmpeg.FrameScaler;
import touchline.media.ffmpeg.VideoFrame;

/**
 * One rendition of a session: its scaler and frames, and its encoder while it runs. The scaling
 * thread owns it; {@link #status} by any thread.
 */
final class Rung implements AutoCloseable {
    // Written by the scaling thread, read by any.
    private volatile RenditionFormat format;
    private volatile @Nullable RenditionEncoder encoder;

    private @Nullable FramePool pool;
    private @Nullable FrameScaler scaler;
    private @Nullable FrameFormat scaledFrom;

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
     * @return a frame of {@link #pool}
     */
    VideoFrame scale(VideoFrame from, FrameFormat target) {
        FramePool frames = pool;
        if (frames == null || !frames.format().equals(target)) {
            close();
            frames = new FramePool(target);
            pool = frames;
        }
        FrameScaler open = scaler;
        if (open == null || !from.format().equals(scaledFrom)) {
            closeScaler();
            open = FrameScaler.open(from.format(), target);
            scaler = open;
            scaledFrom = from.format();
        }
        VideoFrame scaled = frames.take();
        try {
            FrameView view = from.view();
            open.scale(view, scaled);
            return scaled;
        } catch (RuntimeException e) {
            scaled.close();
            throw e;
        }
    }

    /** The frames of {@link #scale}. */
    FramePool pool() {
        FramePool frames = pool;
        if (frames == null) {
            throw new IllegalStateException("nothing was scaled");
        }
        return frames;
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

    private void closeScaler() {
        FrameScaler open = scaler;
        scaler = null;
        scaledFrom = null;
        if (open != null) {
            open.close();
        }
    }

    @Override
    public void close() {
        closeScaler();
        FramePool frames = pool;
        pool = null;
        if (frames != null) {
            frames.close();
        }
    }
}
