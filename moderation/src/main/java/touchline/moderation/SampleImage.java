package touchline.moderation;

/** A frame lent for the duration of a call. Called by that call's thread only. */
public interface SampleImage {
    int width();

    int height();

    /**
     * The whole frame as a JPEG file; takes some milliseconds.
     *
     * @param quality 1 to 100
     */
    byte[] toJpeg(int quality);
}
