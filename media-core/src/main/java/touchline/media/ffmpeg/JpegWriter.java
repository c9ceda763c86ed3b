package touchline.media.ffmpeg;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.bytedeco.ffmpeg.avcodec.AVCodecContext;
import org.bytedeco.ffmpeg.global.avcodec;
import org.bytedeco.ffmpeg.global.avutil;

/** Writes one frame as one JPEG file (JFIF: BT.601 in full range) with FFmpeg's MJPEG encoder. */
final class JpegWriter {
    /** FFmpeg's scale of quantisers: 1 is finest, 31 coarsest. */
    private static final int COARSEST = 31;

    private static final int FINEST = 2;

    private JpegWriter() {}

    static byte[] write(VideoFrame videoFrame, int quality) {
        if (quality < 1 || quality > 100) {
            throw new IllegalArgumentException("quality: " + quality + " (1..100)");
        }
        FrameFormat source = videoFrame.format();
        FrameFormat target = new FrameFormat(source.width(), source.height(), Colour.JPEG);
        try (FrameScaler scaler = FrameScaler.open(source, target);
                VideoFrame converted = VideoFrame.allocate(target);
                CodecContext encoder = CodecContext.encoder("mjpeg")) {
            scaler.scale(videoFrame.view(), converted);
            open(encoder, target, quality);
            converted.frame().quality(encoder.context().global_quality());
            encoder.send(converted.frame());
            encoder.send(null);
            if (!encoder.receivePacket()) {
                throw new IllegalStateException("the JPEG encoder returned no data");
            }
            MemorySegment file =
                    NativeMemory.copyOf(encoder.packet().data(), encoder.packet().size());
            return file.toArray(ValueLayout.JAVA_BYTE);
        }
    }

    private static void open(CodecContext encoder, FrameFormat format, int quality) {
        encoder.timeBase(25);
        AVCodecContext context = encoder.context();
        context.width(format.width()).height(format.height());
        context.pix_fmt(avutil.AV_PIX_FMT_YUV420P).color_range(avutil.AVCOL_RANGE_JPEG);
        context.colorspace(format.colour().matrix()).thread_count(1);
        int quantiser = COARSEST - (quality - 1) * (COARSEST - FINEST) / 99;
        context.flags(context.flags() | avcodec.AV_CODEC_FLAG_QSCALE);
        context.global_quality(quantiser * avutil.FF_QP2LAMBDA);
        context.qmin(FINEST).qmax(COARSEST);
        encoder.open();
    }
}
