package touchline.media.ffmpeg;

import java.util.List;
import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.bytedeco.ffmpeg.global.avutil;
import touchline.media.FrameView;

/** Changes size and colours of frames in YUV 4:2:0. One owner thread. */
public final class FrameScaler implements AutoCloseable {
    private final FrameFormat source;
    private final FrameFormat target;
    private final SampleConverter converter;

    private FrameScaler(FrameFormat source, FrameFormat target, SampleConverter converter) {
        this.source = source;
        this.target = target;
        this.converter = converter;
    }

    /** Opens a scaler; if both formats are equal, scaling copies. */
    public static FrameScaler open(FrameFormat source, FrameFormat target) {
        SampleConverter converter =
                SampleConverter.open(
                        source, new SampleConverter.Target(target, avutil.AV_PIX_FMT_YUV420P));
        return new FrameScaler(source, target, converter);
    }

    /**
     * Fills {@code videoFrame}, including its time.
     *
     * @param view of the source's size, valid during this call
     * @param videoFrame of the target's format, borrowed
     */
    public void scale(FrameView view, VideoFrame videoFrame) {
        converter.checkSource(source, view);
        if (!videoFrame.format().equals(target)) {
            throw new IllegalArgumentException(
                    "frame: " + videoFrame.format() + " (expected: " + target + ")");
        }
        AVFrame frame = videoFrame.frame();
        converter.target(
                List.of(frame.data(0), frame.data(1), frame.data(2)),
                new int[] {frame.linesize(0), frame.linesize(1), frame.linesize(2)});
        converter.convert(view);
        videoFrame.ptsTicks(touchline.media.Timescale.VIDEO.fromUs(view.ptsUs()));
    }

    @Override
    public void close() {
        converter.close();
    }
}
