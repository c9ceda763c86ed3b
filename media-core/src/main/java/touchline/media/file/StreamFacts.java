package touchline.media.file;

import org.bytedeco.ffmpeg.avcodec.AVCodecParameters;
import org.bytedeco.ffmpeg.avformat.AVFormatContext;
import org.bytedeco.ffmpeg.avformat.AVStream;
import org.bytedeco.ffmpeg.avutil.AVRational;
import org.bytedeco.ffmpeg.global.avcodec;
import org.bytedeco.ffmpeg.global.avformat;
import org.bytedeco.ffmpeg.global.avutil;
import touchline.media.codec.MalformedMediaException;
import touchline.media.ffmpeg.Colour;
import touchline.media.ffmpeg.FrameRate;

/** Reads the properties of a stream from its libavformat parameters. Stateless. */
final class StreamFacts {
    private static final int MAX_FRAMES_PER_SECOND = 240;
    private static final FrameRate USUAL_RATE = FrameRate.of(30);

    /** Maximum frame size: 8K with a margin. */
    static final long MAX_PIXELS = 8_192L * 4_352;

    private StreamFacts() {}

    static SourceVideo video(AVFormatContext context, AVStream stream) {
        AVCodecParameters parameters = stream.codecpar();
        String codec = codec(parameters, "frames");
        int width = parameters.width();
        int height = parameters.height();
        if (width <= 0 || height <= 0) {
            throw new MalformedMediaException("no frame can be decoded");
        }
        if ((long) width * height > MAX_PIXELS) {
            throw new MalformedMediaException(
                    "frame size: %dx%d (expected: at most 8192x4352)".formatted(width, height));
        }
        int fields = parameters.field_order();
        return new SourceVideo(
                stream.index(),
                codec,
                width,
                height,
                sampleAspect(context, stream),
                MediaProbe.rotationDegrees(parameters) / 90 * 90,
                transfer(parameters.color_trc()),
                parameters.format() == avutil.AV_PIX_FMT_YUV420P
                        && parameters.color_range() != avutil.AVCOL_RANGE_JPEG
                        && parameters.extradata_size() > 0,
                fields != avcodec.AV_FIELD_UNKNOWN && fields != avcodec.AV_FIELD_PROGRESSIVE,
                frameRate(context, stream),
                colour(parameters));
    }

    static SourceAudio audio(AVStream stream) {
        AVCodecParameters parameters = stream.codecpar();
        String codec = codec(parameters, "audio");
        int channels = parameters.ch_layout().nb_channels();
        if (parameters.sample_rate() <= 0 || channels <= 0) {
            throw new MalformedMediaException("no audio can be decoded");
        }
        boolean lowComplexity =
                parameters.codec_id() == avcodec.AV_CODEC_ID_AAC
                        && parameters.profile() == avcodec.AV_PROFILE_AAC_LOW
                        && parameters.extradata_size() >= 2;
        return new SourceAudio(
                stream.index(), codec, lowComplexity, parameters.sample_rate(), channels);
    }

    private static String codec(AVCodecParameters parameters, String what) {
        String name = avcodec.avcodec_get_name(parameters.codec_id()).getString();
        if (parameters.codec_id() == avcodec.AV_CODEC_ID_NONE
                || avcodec.avcodec_find_decoder(parameters.codec_id()) == null) {
            throw new UnsupportedMediaException("codec of the " + what + ": " + name);
        }
        return name;
    }

    private static double sampleAspect(AVFormatContext context, AVStream stream) {
        AVRational ratio = avformat.av_guess_sample_aspect_ratio(context, stream, null);
        if (ratio.num() <= 0 || ratio.den() <= 0) {
            return 1;
        }
        double aspect = (double) ratio.num() / ratio.den();
        // Values outside this range are errors in the file.
        return aspect < 0.1 || aspect > 10 ? 1 : aspect;
    }

    private static SourceVideo.Transfer transfer(int characteristics) {
        if (characteristics == avutil.AVCOL_TRC_SMPTE2084) {
            return SourceVideo.Transfer.PQ;
        }
        return characteristics == avutil.AVCOL_TRC_ARIB_STD_B67
                ? SourceVideo.Transfer.HLG
                : SourceVideo.Transfer.SDR;
    }

    private static FrameRate frameRate(AVFormatContext context, AVStream stream) {
        AVRational rate = avformat.av_guess_frame_rate(context, stream, null);
        if (rate.num() <= 0
                || rate.den() <= 0
                || (double) rate.num() / rate.den() > MAX_FRAMES_PER_SECOND) {
            return USUAL_RATE;
        }
        return new FrameRate(rate.num(), rate.den());
    }

    private static Colour colour(AVCodecParameters parameters) {
        return new Colour(
                parameters.color_primaries(),
                parameters.color_trc(),
                parameters.color_space(),
                /* fullRange= */ false);
    }
}
