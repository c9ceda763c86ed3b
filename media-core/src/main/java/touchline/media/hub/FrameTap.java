package touchline.media.hub;

import touchline.media.FrameView;

/**
 * Port between whoever decodes frames (a compositor where one runs, else the sampler's own decoder)
 * and whoever looks at them. Called on the decoding thread; must return quickly.
 */
public interface FrameTap {
    /** Wants nothing. */
    FrameTap NONE =
            new FrameTap() {
                @Override
                public boolean wants(long ptsUs) {
                    return false;
                }

                @Override
                public void offer(FrameView frame) {}
            };

    /** Asked before a frame is prepared, so that an unwanted one costs nothing. */
    boolean wants(long ptsUs);

    /** The frame is lent for this call; keep a copy, not the view. */
    void offer(FrameView frame);
}
