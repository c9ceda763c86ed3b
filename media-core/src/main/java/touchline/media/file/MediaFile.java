package touchline.media.file;

import java.time.Duration;
import java.util.Optional;
import org.bytedeco.ffmpeg.avcodec.AVPacket;
import org.bytedeco.ffmpeg.avformat.AVFormatContext;
import org.bytedeco.ffmpeg.avformat.AVStream;
import org.bytedeco.ffmpeg.avutil.AVDictionary;
import org.bytedeco.ffmpeg.avutil.AVRational;
import org.bytedeco.ffmpeg.global.avcodec;
import org.bytedeco.ffmpeg.global.avformat;
import org.bytedeco.ffmpeg.global.avutil;
import touchline.media.codec.MalformedMediaException;
import touchline.media.ffmpeg.Ffmpeg;
import touchline.media.ffmpeg.FfmpegException;
import touchline.media.ffmpeg.FfmpegLog;
import touchline.media.ffmpeg.Interrupt;

/**
 * Reads a media file packet by packet: its best video stream and its best audio stream. Only real
 * containers are probed, and only the given bytes can be opened. One owner thread, a platform
 * thread.
 */
public final class MediaFile implements AutoCloseable {
    private static final Duration OPEN_TIME = Duration.ofSeconds(60);
    private static final int MAX_STREAMS = 64;
    private static final int MAX_BROKEN_READS = 200;
    private static final long US_PER_SECOND = 1_000_000;
    private static final int NONE = -1;

    private final ByteInput input;
    private final long sizeBytes;
    private final Interrupt interrupt;
    private final AVFormatContext context;
    private final AVPacket packet;
    private final int videoStream;
    private final int audioStream;
    private int brokenReads;
    private boolean closed;

    private MediaFile(SeekableBytes bytes, ByteInput input, Interrupt interrupt) {
        this.input = input;
        this.sizeBytes = bytes.sizeBytes();
        this.interrupt = interrupt;
        this.context = avformat.avformat_alloc_context();
        this.packet = avcodec.av_packet_alloc();
        context.pb(input.context());
        context.interrupt_callback().callback(interrupt);
        interrupt.allow(OPEN_TIME);
        openContext();
        try {
            Ffmpeg.check(
                    avformat.avformat_find_stream_info(context, (AVDictionary) null),
                    "avformat_find_stream_info");
            this.videoStream = frames();
            this.audioStream = best(avutil.AVMEDIA_TYPE_AUDIO);
        } catch (RuntimeException e) {
            avformat.avformat_close_input(context);
            avcodec.av_packet_free(packet);
            throw e;
        }
        interrupt.allow(Duration.ofDays(365));
    }

    /**
     * Opens a file; the caller keeps ownership of the bytes.
     *
     * @throws MalformedMediaException the format is unknown, or opening takes too long
     */
    public static MediaFile open(SeekableBytes bytes) {
        Ffmpeg.load();
        ByteInput input = new ByteInput(bytes);
        Interrupt interrupt = new Interrupt();
        try {
            return FfmpegLog.quietly(() -> new MediaFile(bytes, input, interrupt));
        } catch (RuntimeException e) {
            input.close();
            interrupt.close();
            if (e instanceof FfmpegException) {
                throw new MalformedMediaException("not a media file: " + e.getMessage(), e);
            }
            throw e;
        }
    }

    private void openContext() {
        try (AVDictionary options = new AVDictionary(null)) {
            avutil.av_dict_set(options, "format_whitelist", MediaProbe.CONTAINERS, 0);
            // Only the bytes are available: no protocol can be opened.
            avutil.av_dict_set(options, "protocol_whitelist", "none", 0);
            avutil.av_dict_set(options, "max_streams", Integer.toString(MAX_STREAMS), 0);
            int code = avformat.avformat_open_input(context, (String) null, null, options);
            avutil.av_dict_free(options);
            if (code < 0) {
                // On failure FFmpeg frees the context.
                avcodec.av_packet_free(packet);
            }
            Ffmpeg.check(code, "avformat_open_input");
        }
    }

    /** Returns the best video stream, not a cover image. */
    private int frames() {
        int best = best(avutil.AVMEDIA_TYPE_VIDEO);
        boolean cover =
                best != NONE
                        && (context.streams(best).disposition()
                                        & avformat.AV_DISPOSITION_ATTACHED_PIC)
                                != 0;
        return cover ? NONE : best;
    }

    private int best(int type) {
        int found =
                avformat.av_find_best_stream(
                        context, type, -1, -1, (org.bytedeco.ffmpeg.avcodec.AVCodec) null, 0);
        return found < 0 ? NONE : found;
    }

    /**
     * Returns the video.
     *
     * @throws UnsupportedMediaException no decoder is available
     */
    public Optional<SourceVideo> video() {
        return videoStream == NONE
                ? Optional.empty()
                : Optional.of(StreamFacts.video(context, context.streams(videoStream)));
    }

    /**
     * Returns the audio.
     *
     * @throws UnsupportedMediaException no decoder is available
     */
    public Optional<SourceAudio> audio() {
        return audioStream == NONE
                ? Optional.empty()
                : Optional.of(StreamFacts.audio(context.streams(audioStream)));
    }

    public AVStream stream(int index) {
        return context.streams(index);
    }

    /** Returns the start time of the chosen streams, which becomes time 0. */
    public long startUs() {
        long start = Math.min(startUs(videoStream), startUs(audioStream));
        return start == Long.MAX_VALUE ? 0 : start;
    }

    private long startUs(int index) {
        if (index == NONE) {
            return Long.MAX_VALUE;
        }
        AVStream stream = context.streams(index);
        return stream.start_time() == avutil.AV_NOPTS_VALUE
                ? Long.MAX_VALUE
                : toUs(stream.start_time(), stream.time_base());
    }

    /** Returns the container's duration of the chosen streams; 0 if absent or only estimated. */
    public long durationUs() {
        long longest = Math.max(durationUs(videoStream), durationUs(audioStream));
        if (longest > 0) {
            return longest;
        }
        boolean said = context.duration_estimation_method() == avformat.AVFMT_DURATION_FROM_STREAM;
        boolean alone = context.nb_streams() == chosen();
        return said && alone && context.duration() > 0
                ? context.duration() / (avutil.AV_TIME_BASE / US_PER_SECOND)
                : 0;
    }

    /** Returns the duration, or an estimate if absent, for progress reports. */
    public long guessedDurationUs() {
        long said = durationUs();
        return said > 0 ? said : Math.max(0, context.duration());
    }

    private int chosen() {
        return (videoStream == NONE ? 0 : 1) + (audioStream == NONE ? 0 : 1);
    }

    private long durationUs(int index) {
        if (index == NONE) {
            return 0;
        }
        AVStream stream = context.streams(index);
        // libavformat fills in an estimate if the stream has no duration.
        return context.duration_estimation_method() == avformat.AVFMT_DURATION_FROM_BITRATE
                        || stream.duration() == avutil.AV_NOPTS_VALUE
                ? 0
                : toUs(stream.duration(), stream.time_base());
    }

    /** Whether an index of the file lists a packet beyond the file's end: the file is truncated. */
    public boolean isCutOff() {
        return (videoStream != NONE && isCutOff(videoStream))
                || (audioStream != NONE && isCutOff(audioStream));
    }

    private boolean isCutOff(int index) {
        AVStream stream = context.streams(index);
        int entries = avformat.avformat_index_get_entries_count(stream);
        if (entries == 0) {
            return false;
        }
        var last = avformat.avformat_index_get_entry(stream, entries - 1);
        return last != null && last.pos() + last.size() > sizeBytes;
    }

    /** Returns the packet filled by {@link #read}. */
    public AVPacket packet() {
        return packet;
    }

    /**
     * Reads the next packet of any stream; false at the end.
     *
     * @throws MalformedMediaException the file cannot be read any further
     */
    public boolean read() {
        while (true) {
            avcodec.av_packet_unref(packet);
            int code = avformat.av_read_frame(context, packet);
            if (code >= 0) {
                brokenReads = 0;
                return true;
            }
            if (code == avutil.AVERROR_EOF()) {
                return false;
            }
            if (input.failure().isPresent() || ++brokenReads > MAX_BROKEN_READS) {
                throw new MalformedMediaException(
                        "the file cannot be read any further (" + code + ")");
            }
        }
    }

    public static long toUs(long ticks, AVRational base) {
        try (AVRational us = new AVRational()) {
            return avutil.av_rescale_q(ticks, base, us.num(1).den((int) US_PER_SECOND));
        }
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        avcodec.av_packet_free(packet);
        // libavformat does not free the context of the bytes.
        avformat.avformat_close_input(context);
        input.close();
        interrupt.close();
    }
}
