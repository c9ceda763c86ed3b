package touchline.media.ffmpeg;

/**
 * Port from the compositor to further encoders of its frames. Called on the compositing thread;
 * must return quickly.
 */
public interface VideoFrameTap {
    /** Needs no frames. */
    VideoFrameTap NONE =
            new VideoFrameTap() {
                @Override
                public boolean isDue(long ptsTicks) {
                    return false;
                }

                @Override
                public void offer(VideoFrame shared) {
                    shared.close();
                }
            };

    /** Called before a frame is shared. */
    boolean isDue(long ptsTicks);

    /**
     * @param shared a reference of its own to samples that nothing changes any more; closed by the
     *     receiver
     */
    void offer(VideoFrame shared);
}
