package touchline.media.hub;

import touchline.media.FrameView;

/**
 * Port from the decoder of frames (the compositor if one runs, else the sampler's decoder) to their
 * analysis. Called on the decoding thread; must return quickly.
 */
public interface FrameTap {
    /** Needs no frames. */
    FrameTap NONE =
            new FrameTap() {
                @Override
                public boolean isDue(long ptsUs) {
                    return false;
                }

                @Override
                public void offer(FrameView frame) {}
            };

    /** Called before a frame is prepared, so that an unneeded frame costs nothing. */
    boolean isDue(long ptsUs);

    /** The frame is valid during this call; keep a copy, not the view. */
    void offer(FrameView frame);
}
