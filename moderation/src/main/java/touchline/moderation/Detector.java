package touchline.moderation;

import java.util.List;
import touchline.media.ffmpeg.VideoFrame;

/**
 * One loaded model. Called and closed by one platform thread at a time. No native memory leaves it.
 */
public interface Detector extends AutoCloseable {
    /**
     * Analyses a batch.
     *
     * @param frames borrowed for the call, of any size, at least one
     * @return for each frame, in the same order: at least one detection of each served alert type
     * @throws DetectorException inference fails; the reason is one line
     */
    List<List<Detection>> detect(List<VideoFrame> frames);

    @Override
    void close();
}
