package touchline.overlay;

import java.util.Optional;

/**
 * A layer over each frame: a page or an overlay stream. Methods are called on the compositing
 * thread and must not block.
 */
public interface OverlayLayer {
    /** Called before the first frame, and again when size or colours change. */
    void canvas(Canvas canvas);

    /**
     * The layer's content for a frame; empty if transparent.
     *
     * @param ptsUs presentation time of the frame; increases with each call
     */
    Optional<BoxFrame> frameAt(long ptsUs);
}
