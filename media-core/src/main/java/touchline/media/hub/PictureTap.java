package touchline.media.hub;

import touchline.media.PictureView;

/**
 * Port between whoever decodes pictures (a compositor where one runs, else the sampler's own
 * decoder) and whoever looks at them. Called on the decoding thread; must return quickly.
 */
public interface PictureTap {
    /** Wants nothing. */
    PictureTap NONE =
            new PictureTap() {
                @Override
                public boolean wants(long ptsUs) {
                    return false;
                }

                @Override
                public void offer(PictureView picture) {}
            };

    /** Asked before a picture is prepared, so that an unwanted one costs nothing. */
    boolean wants(long ptsUs);

    /** The picture is lent for this call; keep a copy, not the view. */
    void offer(PictureView picture);
}
