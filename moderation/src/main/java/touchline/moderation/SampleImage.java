package touchline.moderation;

/** A frame borrowed for the duration of a call. Used by the thread of that call only. */
public interface SampleImage {
    int width();

    int height();

    /**
     * Encodes the frame as a JPEG file; takes some milliseconds.
     *
     * @param quality 1 to 100
     */
    byte[] toJpeg(int quality);
}
