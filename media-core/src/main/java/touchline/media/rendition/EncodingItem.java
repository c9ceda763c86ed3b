package touchline.media.rendition;

import touchline.media.Timeline;
import touchline.media.ffmpeg.FrameQueue;
import touchline.media.ffmpeg.VideoFrame;

/** What the scaling thread hands to the encoder of one rendition, in order. */
sealed interface EncodingItem extends FrameQueue.Item {
    /**
     * A scaled frame.
     *
     * @param times of the unit that it becomes
     */
    record Frame(VideoFrame frame, FrameTimes.Times times) implements EncodingItem {
        @Override
        public VideoFrame held() {
            return frame;
        }
    }

    /**
     * A timeline of the program begins.
     *
     * @param stream how its frames are encoded
     */
    record Begin(Timeline program, EncodedStream stream) implements EncodingItem {}

    /** The publisher is gone. */
    record Gap() implements EncodingItem {}

    /** The program has ended. */
    record End() implements EncodingItem {}
}
