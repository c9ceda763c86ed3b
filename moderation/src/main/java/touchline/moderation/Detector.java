package touchline.moderation;

import java.util.List;
import touchline.media.ffmpeg.VideoFrame;

/**
 * One loaded model: frames in, detections out. Called and closed by one thread at a time, a
 * platform thread; nothing native leaves.
 */
public interface Detector extends AutoCloseable {
    /**
     * Analyses a batch.
     *
     * @param frames lent for the call, of any size, at least one
     * @return for each frame in the same order: one detection or more for each alert type that the
     *     model serves
     * @throws DetectorException the model cannot, for a reason that a person can read
     */
    List<List<Detection>> detect(List<VideoFrame> frames);

    @Override
    void close();
}
