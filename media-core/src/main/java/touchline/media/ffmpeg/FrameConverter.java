package touchline.media.ffmpeg;

import java.util.List;
import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.bytedeco.ffmpeg.global.avutil;

/**
 * Converts decoded frames of other pixel formats (10 bits, 4:2:2, ...) to YUV 4:2:0, 8 bits. One
 * owner thread.
 */
final class FrameConverter implements AutoCloseable {
    private final FrameFormat format;
    private final int pixelFormat;
    private final SampleConverter converter;

    private FrameConverter(FrameFormat format, int pixelFormat, SampleConverter converter) {
        this.format = format;
        this.pixelFormat = pixelFormat;
        this.converter = converter;
    }

    static FrameConverter open(AVFrame frame) {
        FrameFormat format = new FrameFormat(frame.width(), frame.height(), colourOf(frame));
        SampleConverter.Target target =
                new SampleConverter.Target(format, avutil.AV_PIX_FMT_YUV420P);
        return new FrameConverter(
                format, frame.format(), SampleConverter.open(format, frame.format(), target));
    }

    static Colour colourOf(AVFrame frame) {
        boolean fullRange =
                frame.color_range() == avutil.AVCOL_RANGE_JPEG
                        || frame.format() == avutil.AV_PIX_FMT_YUVJ420P;
        return new Colour(
                frame.color_primaries(), frame.color_trc(), frame.colorspace(), fullRange);
    }

    boolean fits(AVFrame frame) {
        return frame.format() == pixelFormat
                && format.equals(new FrameFormat(frame.width(), frame.height(), colourOf(frame)));
    }

    VideoFrame convert(AVFrame frame, long ptsTicks) {
        VideoFrame videoFrame = VideoFrame.allocate(format);
        AVFrame target = videoFrame.frame();
        try {
            converter.target(
                    List.of(target.data(0), target.data(1), target.data(2)),
                    new int[] {target.linesize(0), target.linesize(1), target.linesize(2)});
            converter.convert(frame);
        } catch (RuntimeException e) {
            videoFrame.close();
            throw e;
        }
        target.sample_aspect_ratio(frame.sample_aspect_ratio());
        videoFrame.ptsTicks(ptsTicks);
        return videoFrame;
    }

    @Override
    public void close() {
        converter.close();
    }
}
