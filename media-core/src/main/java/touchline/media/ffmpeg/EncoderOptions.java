package touchline.media.ffmpeg;

import org.bytedeco.ffmpeg.avcodec.AVCodecContext;
import org.bytedeco.ffmpeg.avutil.AVRational;
import org.bytedeco.ffmpeg.global.avcodec;
import org.bytedeco.ffmpeg.global.avutil;
import touchline.media.Timescale;

/** Translates {@link VideoSettings} to the options of each encoder. */
final class EncoderOptions {
    private EncoderOptions() {}

    static void apply(VideoSettings settings, CodecContext encoder) {
        applyCommon(settings, encoder);
        switch (settings.encoder()) {
            case NVENC -> applyNvenc(settings, encoder);
            case X264 -> applyX264(settings, encoder);
            case OPENH264 -> applyOpenH264(encoder);
        }
    }

    private static void applyCommon(VideoSettings settings, CodecContext encoder) {
        encoder.timeBase(Timescale.VIDEO.ticksPerSecond());
        AVCodecContext context = encoder.context();
        FrameFormat format = settings.format();
        context.width(format.width()).height(format.height());
        context.pix_fmt(avutil.AV_PIX_FMT_YUV420P);
        context.color_primaries(format.colour().primaries());
        context.color_trc(format.colour().transfer());
        context.colorspace(format.colour().matrix());
        context.color_range(
                format.colour().fullRange() ? avutil.AVCOL_RANGE_JPEG : avutil.AVCOL_RANGE_MPEG);
        FrameRate rate = settings.frameRate();
        try (AVRational framerate = new AVRational()) {
            context.framerate(framerate.num(rate.numerator()).den(rate.denominator()));
        }
        applyRate(settings, context);
        context.gop_size(settings.gop().frames());
        boolean reorders = settings.encoder() != H264Encoder.OPENH264;
        context.max_b_frames(reorders ? settings.gop().bFrames() : 0);
        context.thread_count(settings.tuning().threads());
        // Parameter sets go into the configuration, not in front of each key frame.
        context.flags(context.flags() | avcodec.AV_CODEC_FLAG_GLOBAL_HEADER);
    }

    /** Sets the bit rate, also during encoding. */
    static void applyRate(VideoSettings settings, AVCodecContext context) {
        context.bit_rate(settings.bitrateBps());
        context.rc_max_rate(settings.bitrateBps());
        context.rc_buffer_size(settings.bitrateBps());
    }

    private static void applyX264(VideoSettings settings, CodecContext encoder) {
        VideoSettings.Tuning tuning = settings.tuning();
        encoder.option("preset", tuning.speed().x264Preset());
        encoder.option("profile", "high");
        encoder.option("forced-idr", "1");
        int frames = settings.gop().frames();
        StringBuilder parameters = new StringBuilder("scenecut=0:open-gop=0");
        parameters.append(":keyint=").append(frames).append(":min-keyint=").append(frames);
        if (tuning.speed() == VideoSettings.Speed.ULTRAFAST) {
            // Values of the next slower presets: parameter sets stay the same when the speed
            // changes
            // during the stream. None of these options makes this preset fast.
            parameters.append(":cabac=1:8x8dct=1:weightp=1:ref=1");
        }
        if (settings.parameterSetId() > 0) {
            // The id of the picture parameter set follows.
            parameters.append(":sps-id=").append(settings.parameterSetId());
        }
        if (tuning.lowDelay()) {
            encoder.option("tune", "zerolatency");
            // The zerolatency tune disables B-frames; a request for B-frames overrides it.
            parameters.append(":bframes=").append(settings.gop().bFrames());
        }
        encoder.option("x264-params", parameters.toString());
    }

    private static void applyNvenc(VideoSettings settings, CodecContext encoder) {
        VideoSettings.Tuning tuning = settings.tuning();
        encoder.option("preset", tuning.speed().nvencPreset());
        encoder.option("profile", "high");
        encoder.option("rc", "cbr");
        encoder.option("forced-idr", "1");
        encoder.option("no-scenecut", "1");
        encoder.option("tune", tuning.lowDelay() ? "ll" : "hq");
        if (tuning.lowDelay()) {
            encoder.option("zerolatency", "1");
            encoder.option("delay", "0");
        }
    }

    private static void applyOpenH264(CodecContext encoder) {
        encoder.option("rc_mode", "bitrate");
        // Without it fast scenes exceed the bit rate; a skipped frame counts as a late frame here.
        encoder.option("allow_skip_frames", "1");
    }
}
