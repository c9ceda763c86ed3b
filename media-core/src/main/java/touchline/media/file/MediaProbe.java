package touchline.media.file;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.bytedeco.ffmpeg.avcodec.AVCodecParameters;
import org.bytedeco.ffmpeg.avcodec.AVPacketSideData;
import org.bytedeco.ffmpeg.avformat.AVFormatContext;
import org.bytedeco.ffmpeg.avformat.AVStream;
import org.bytedeco.ffmpeg.avutil.AVDictionary;
import org.bytedeco.ffmpeg.avutil.AVRational;
import org.bytedeco.ffmpeg.global.avcodec;
import org.bytedeco.ffmpeg.global.avformat;
import org.bytedeco.ffmpeg.global.avutil;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.IntPointer;
import touchline.media.codec.MalformedMediaException;
import touchline.media.ffmpeg.Ffmpeg;
import touchline.media.ffmpeg.FfmpegException;
import touchline.media.ffmpeg.FfmpegLog;
import touchline.media.ffmpeg.Interrupt;

/**
 * Reads the properties of a local media file. Files are untrusted: run this in the worker process,
 * never in the live JVM. Only real containers are probed, not playlists, which refer to other files
 * and addresses. Only the file itself is opened, and reading stops at the limits. Any thread.
 */
public final class MediaProbe {
    /** Real containers only: playlists refer to other files and addresses. */
    static final String CONTAINERS =
            "mov,matroska,flv,mpegts,mpeg,avi,asf,ogg,wav,flac,mp3,aac,h264,hevc,ivf";

    private static final long US_PER_SECOND = 1_000_000;

    private MediaProbe() {}

    /**
     * @param readBytes maximum bytes read to find the streams, 64 KiB to 1 GiB
     * @param analysedUs maximum media time analysed to find the streams
     * @param streams maximum; a file with more streams is malformed
     * @param time maximum duration of the probe
     */
    public record Limits(long readBytes, long analysedUs, int streams, Duration time) {
        /** 16 MiB, 10 s of media, 32 streams, 20 s. */
        public static final Limits DEFAULT =
                new Limits(16L << 20, 10_000_000, 32, Duration.ofSeconds(20));

        public Limits {
            if (readBytes < 1 << 16 || readBytes > 1 << 30) {
                throw new IllegalArgumentException("readBytes: " + readBytes + " (64 KiB..1 GiB)");
            }
            if (analysedUs < 1 || streams < 1 || !time.isPositive()) {
                throw new IllegalArgumentException("limits must be positive");
            }
        }
    }

    /**
     * @throws MalformedMediaException the format is unknown, or the file exceeds the limits
     * @throws UncheckedIOException the file cannot be read
     */
    public static MediaInfo probe(Path file, Limits limits) {
        long sizeBytes = sizeOf(file);
        Ffmpeg.load();
        try (Interrupt interrupt = new Interrupt()) {
            interrupt.allow(limits.time());
            try {
                return FfmpegLog.quietly(() -> probe(file, sizeBytes, limits, interrupt));
            } catch (FfmpegException e) {
                if (interrupt.isExpired()) {
                    throw new MalformedMediaException(
                            "probe took longer than " + limits.time().toMillis() + " ms", e);
                }
                throw new MalformedMediaException("not a media file: " + e.getMessage(), e);
            }
        }
    }

    private static MediaInfo probe(Path file, long size, Limits limits, Interrupt interrupt) {
        AVFormatContext context = avformat.avformat_alloc_context();
        context.interrupt_callback().callback(interrupt);
        try (AVDictionary options = new AVDictionary(null)) {
            avutil.av_dict_set(options, "protocol_whitelist", "file", 0);
            avutil.av_dict_set(options, "format_whitelist", CONTAINERS, 0);
            avutil.av_dict_set(options, "max_streams", Integer.toString(limits.streams()), 0);
            avutil.av_dict_set(options, "probesize", Long.toString(limits.readBytes()), 0);
            avutil.av_dict_set(options, "analyzeduration", Long.toString(limits.analysedUs()), 0);
            int code =
                    avformat.avformat_open_input(
                            context, "file:" + file.toAbsolutePath(), null, options);
            avutil.av_dict_free(options);
            // On failure FFmpeg frees the context.
            Ffmpeg.check(code, "avformat_open_input");
        }
        try {
            Ffmpeg.check(
                    avformat.avformat_find_stream_info(context, (AVDictionary) null),
                    "avformat_find_stream_info");
            return describe(context, size, limits);
        } finally {
            avformat.avformat_close_input(context);
        }
    }

    private static MediaInfo describe(AVFormatContext context, long sizeBytes, Limits limits) {
        int count = context.nb_streams();
        if (count == 0 || count > limits.streams()) {
            throw new MalformedMediaException(
                    "streams: " + count + " (expected: 1.." + limits.streams() + ")");
        }
        List<MediaInfo.Stream> streams = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            streams.add(describe(context, context.streams(i)));
        }
        long duration = context.duration();
        return new MediaInfo(
                context.iformat().name().getString(),
                duration > 0
                        ? OptionalLong.of(duration / (avutil.AV_TIME_BASE / US_PER_SECOND))
                        : OptionalLong.empty(),
                sizeBytes,
                streams);
    }

    private static MediaInfo.Stream describe(AVFormatContext context, AVStream stream) {
        AVCodecParameters parameters = stream.codecpar();
        String codec = avcodec.avcodec_get_name(parameters.codec_id()).getString();
        boolean isCover = (stream.disposition() & avformat.AV_DISPOSITION_ATTACHED_PIC) != 0;
        int type = parameters.codec_type();
        if (type == avutil.AVMEDIA_TYPE_VIDEO && !isCover) {
            if (parameters.width() <= 0 || parameters.height() <= 0) {
                throw new MalformedMediaException(
                        "frame size: " + parameters.width() + "x" + parameters.height());
            }
            return new MediaInfo.Video(
                    codec,
                    parameters.width(),
                    parameters.height(),
                    pixelFormat(parameters.format()),
                    framesPerSecond(context, stream),
                    rotationDegrees(parameters),
                    parameters.bit_rate());
        }
        if (type == avutil.AVMEDIA_TYPE_AUDIO) {
            return new MediaInfo.Audio(
                    codec,
                    parameters.sample_rate(),
                    parameters.ch_layout().nb_channels(),
                    parameters.bit_rate());
        }
        return new MediaInfo.Other(codec);
    }

    private static String pixelFormat(int format) {
        BytePointer name = avutil.av_get_pix_fmt_name(format);
        return name == null ? "unknown" : name.getString();
    }

    private static double framesPerSecond(AVFormatContext context, AVStream stream) {
        AVRational average = stream.avg_frame_rate();
        AVRational rate =
                average.num() > 0 && average.den() > 0
                        ? average
                        : avformat.av_guess_frame_rate(context, stream, null);
        return rate.den() == 0 ? 0 : (double) rate.num() / rate.den();
    }

    /** A positive angle of the matrix is counter-clockwise (libavutil/display.h). */
    static int rotationDegrees(AVCodecParameters parameters) {
        AVPacketSideData matrix =
                avcodec.av_packet_side_data_get(
                        parameters.coded_side_data(),
                        parameters.nb_coded_side_data(),
                        avcodec.AV_PKT_DATA_DISPLAYMATRIX);
        if (matrix == null) {
            return 0;
        }
        double degrees = avutil.av_display_rotation_get(new IntPointer(matrix.data()));
        return Double.isNaN(degrees) ? 0 : Math.floorMod(-Math.round(degrees), 360);
    }

    private static long sizeOf(Path file) {
        try {
            if (!Files.isRegularFile(file)) {
                throw new IOException("not a regular file");
            }
            return Files.size(file);
        } catch (IOException e) {
            throw new UncheckedIOException("probe: " + e.getMessage(), e);
        }
    }
}
