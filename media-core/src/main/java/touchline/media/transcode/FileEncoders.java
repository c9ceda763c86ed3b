package touchline.media.transcode;

import org.bytedeco.ffmpeg.avcodec.AVCodecContext;
import org.bytedeco.ffmpeg.avutil.AVRational;
import org.bytedeco.ffmpeg.global.avcodec;
import org.bytedeco.ffmpeg.global.avutil;
import touchline.media.Timescale;
import touchline.media.ffmpeg.CodecContext;
import touchline.media.ffmpeg.Colour;
import touchline.media.ffmpeg.FrameRate;
import touchline.media.ffmpeg.H264Encoder;
import touchline.media.file.SourceVideo;

/**
 * Opens encoders for files. Files need no low latency, so encoders use look-ahead and a variable
 * bit rate. Key frames are inserted only on request. Stateless; the caller closes the encoders.
 */
final class FileEncoders {
    /** Without a requested bit rate: constant quality, limited by the rendition's bit rate. */
    private static final int CONSTANT_QUALITY = 22;

    private static final int B_FRAMES = 2;

    /** Far above the interval of requested key frames. */
    private static final int GOP_FRAMES = 1_200;

    private FileEncoders() {}

    /**
     * @param source source of the frame rate and, unless HDR, of the colours
     * @param reorder whether B-frames are allowed
     */
    static CodecContext video(
            SourceVideo source,
            TranscodePlan.RenditionSettings settings,
            FileEncoding encoding,
            boolean reorder) {
        CodecContext encoder = CodecContext.encoder(encoding.encoder().codecName());
        try {
            encoder.timeBase(Timescale.VIDEO.ticksPerSecond());
            AVCodecContext context = encoder.context();
            context.width(settings.width()).height(settings.height());
            context.pix_fmt(avutil.AV_PIX_FMT_YUV420P);
            context.thread_count(encoding.threads());
            FrameRate rate = source.frameRate();
            try (AVRational ratio = new AVRational()) {
                context.framerate(ratio.num(rate.numerator()).den(rate.denominator()));
                context.sample_aspect_ratio(ratio.num(1).den(1));
            }
            context.gop_size(GOP_FRAMES);
            boolean reorders = reorder && encoding.encoder() != H264Encoder.OPENH264;
            context.max_b_frames(reorders ? B_FRAMES : 0);
            context.flags(
                    context.flags()
                            | avcodec.AV_CODEC_FLAG_GLOBAL_HEADER
                            | avcodec.AV_CODEC_FLAG_FRAME_DURATION);
            colours(source, context);
            switch (encoding.encoder()) {
                case X264 -> x264(encoder, settings, encoding);
                case NVENC -> nvenc(encoder, settings, encoding);
                case OPENH264 -> openH264(encoder, settings);
            }
            encoder.open();
            return encoder;
        } catch (RuntimeException e) {
            encoder.close();
            throw e;
        }
    }

    private static void colours(SourceVideo source, AVCodecContext context) {
        Colour colour =
                source.transfer() == SourceVideo.Transfer.SDR ? source.colour() : Colour.BT709;
        context.color_primaries(colour.primaries());
        context.color_trc(colour.transfer());
        // RGB has no matrix, but the scaler's output has one.
        context.colorspace(colour.matrix() == 0 ? avutil.AVCOL_SPC_UNSPECIFIED : colour.matrix());
        context.color_range(avutil.AVCOL_RANGE_MPEG);
    }

    private static void x264(
            CodecContext encoder, TranscodePlan.RenditionSettings settings, FileEncoding encoding) {
        encoder.option("preset", encoding.speed().x264Preset());
        encoder.option("profile", "high");
        encoder.option("forced-idr", "1");
        encoder.option("x264-params", "scenecut=0:open-gop=0");
        if (settings.constantQuality()) {
            encoder.option("crf", Integer.toString(CONSTANT_QUALITY));
        } else {
            encoder.context().bit_rate(settings.bitrateBps());
        }
        bound(encoder, settings);
    }

    private static void nvenc(
            CodecContext encoder, TranscodePlan.RenditionSettings settings, FileEncoding encoding) {
        encoder.option("preset", encoding.speed().nvencPreset());
        encoder.option("tune", "hq");
        encoder.option("profile", "high");
        encoder.option("rc", "vbr");
        encoder.option("forced-idr", "1");
        encoder.option("no-scenecut", "1");
        if (settings.constantQuality()) {
            encoder.option("cq", Integer.toString(CONSTANT_QUALITY));
        } else {
            encoder.context().bit_rate(settings.bitrateBps());
        }
        bound(encoder, settings);
    }

    private static void openH264(CodecContext encoder, TranscodePlan.RenditionSettings settings) {
        encoder.option("rc_mode", "bitrate");
        encoder.option("profile", "high");
        encoder.context().bit_rate(settings.bitrateBps());
    }

    /** A player's buffer holds two seconds; the rate may slightly exceed the requested one. */
    private static void bound(CodecContext encoder, TranscodePlan.RenditionSettings settings) {
        int max =
                settings.constantQuality()
                        ? settings.bitrateBps()
                        : Math.ceilDiv(settings.bitrateBps() * 5, 4);
        encoder.context().rc_max_rate(max);
        encoder.context().rc_buffer_size((int) Math.min(Integer.MAX_VALUE, 2L * max));
    }

    static CodecContext audio(TranscodePlan.Audio.Encode plan) {
        CodecContext encoder = CodecContext.encoder("aac");
        try {
            encoder.timeBase(plan.sampleRateHz());
            AVCodecContext context = encoder.context();
            context.sample_rate(plan.sampleRateHz());
            context.sample_fmt(avutil.AV_SAMPLE_FMT_FLTP);
            avutil.av_channel_layout_default(context.ch_layout(), plan.channels());
            context.bit_rate(plan.bitrateBps());
            context.flags(context.flags() | avcodec.AV_CODEC_FLAG_GLOBAL_HEADER);
            encoder.open();
            return encoder;
        } catch (RuntimeException e) {
            encoder.close();
            throw e;
        }
    }
}
