package touchline.overlay;

import touchline.media.FeedItem;
import touchline.media.ffmpeg.FrameQueue;
import touchline.media.ffmpeg.VideoFrame;

/** What the decoding thread hands to the compositing thread, in the order of the source. */
sealed interface StageItem extends FrameQueue.Item {
    /**
     * A frame.
     *
     * @param arrivedNs arrival of its access unit at the compositor
     * @param codedBytes coded bytes since the last frame
     */
    record Decoded(VideoFrame frame, long arrivedNs, long codedBytes) implements StageItem {
        @Override
        public VideoFrame held() {
            return frame;
        }
    }

    /** A timeline, an interruption or an audio unit. */
    record Passing(FeedItem item) implements StageItem {}

    /** The source has ended. */
    record End() implements StageItem {}
}
