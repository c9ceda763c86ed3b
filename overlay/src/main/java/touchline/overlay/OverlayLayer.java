package touchline.overlay;

import java.util.Optional;

/**
 * Something that a compositor puts over each frame: the newest state of a page, or of a second
 * video. Its methods are called on the compositing thread and never wait.
 */
public interface OverlayLayer {
    /** Told before the first frame, and again when its size or colours change. */
    void canvas(Canvas canvas);

    /**
     * What lies over the frame of a time; empty where nothing does.
     *
     * @param ptsUs presentation time in media microseconds, rising from call to call
     */
    Optional<BoxFrame> frameAt(long ptsUs);
}
