package touchline.moderation;

/** A picture lent for the duration of a call. Called by that call's thread only. */
public interface FramePicture {
    int width();

    int height();

    /**
     * The whole picture as a JPEG file; takes some milliseconds.
     *
     * @param quality 1 to 100
     */
    byte[] toJpeg(int quality);
}
