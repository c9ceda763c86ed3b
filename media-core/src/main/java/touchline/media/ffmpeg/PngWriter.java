package touchline.media.ffmpeg;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.bytedeco.ffmpeg.global.avutil;

/** Writes one frame as one PNG file (ISO/IEC 15948), 8 bits per colour, with FFmpeg's encoder. */
final class PngWriter {
    private static final int COLOURS = 3;

    private PngWriter() {}

    static byte[] write(VideoFrame videoFrame) {
        FrameFormat format = videoFrame.format();
        int width = format.width();
        int height = format.height();
        AVFrame frame = avutil.av_frame_alloc();
        try (RgbScaler scaler = RgbScaler.open(format, width, height, RgbScaler.Layout.PACKED);
                CodecContext encoder = CodecContext.encoder("png")) {
            byte[] pixels = new byte[scaler.sizeBytes()];
            scaler.scale(videoFrame.view(), MemorySegment.ofArray(pixels));
            frame.format(avutil.AV_PIX_FMT_RGB24).width(width).height(height);
            Ffmpeg.check(avutil.av_frame_get_buffer(frame, /* align= */ 0), "av_frame_get_buffer");
            fill(frame, pixels, COLOURS * width);
            encoder.timeBase(25);
            encoder.context().width(width).height(height).thread_count(1);
            encoder.context().pix_fmt(avutil.AV_PIX_FMT_RGB24);
            encoder.open();
            encoder.send(frame);
            encoder.send(null);
            if (!encoder.receivePacket()) {
                throw new IllegalStateException("the PNG encoder returned no data");
            }
            return NativeMemory.copyOf(encoder.packet().data(), encoder.packet().size())
                    .toArray(ValueLayout.JAVA_BYTE);
        } finally {
            avutil.av_frame_free(frame);
        }
    }

    private static void fill(AVFrame frame, byte[] pixels, int rowBytes) {
        int stride = frame.linesize(0);
        int rows = frame.height();
        MemorySegment plane = NativeMemory.at(frame.data(0), (long) stride * rows);
        for (int row = 0; row < rows; row++) {
            MemorySegment.copy(
                    pixels,
                    row * rowBytes,
                    plane,
                    ValueLayout.JAVA_BYTE,
                    (long) row * stride,
                    rowBytes);
        }
    }
}
