package touchline.media.transcode;

import java.nio.file.Path;
import java.util.Map;
import org.bytedeco.ffmpeg.avcodec.AVPacket;
import org.bytedeco.ffmpeg.avformat.AVFormatContext;
import org.bytedeco.ffmpeg.avformat.AVIOContext;
import org.bytedeco.ffmpeg.avformat.AVOutputFormat;
import org.bytedeco.ffmpeg.avformat.AVStream;
import org.bytedeco.ffmpeg.avutil.AVDictionary;
import org.bytedeco.ffmpeg.avutil.AVRational;
import org.bytedeco.ffmpeg.global.avcodec;
import org.bytedeco.ffmpeg.global.avformat;
import org.bytedeco.ffmpeg.global.avutil;
import org.jspecify.annotations.Nullable;
import touchline.media.ffmpeg.CodecContext;
import touchline.media.ffmpeg.Ffmpeg;

/**
 * One muxer that writes into a folder. Call order: add streams, start, write packets, finish.
 * Closing without finish leaves an invalid file. One owner thread.
 */
final class OutputMux implements AutoCloseable {
    private final AVFormatContext context;
    private final Path file;
    private @Nullable AVIOContext io;
    private boolean closed;

    private OutputMux(AVFormatContext context, Path file) {
        this.context = context;
        this.file = file;
    }

    /**
     * @param muxer FFmpeg's name
     * @param file output file, or the playlist or manifest; its folder exists
     */
    static OutputMux open(String muxer, Path file) {
        Ffmpeg.load();
        AVFormatContext context = new AVFormatContext(null);
        Ffmpeg.check(
                avformat.avformat_alloc_output_context2(
                        context, (AVOutputFormat) null, muxer, file.toAbsolutePath().toString()),
                "avformat_alloc_output_context2 " + muxer);
        return new OutputMux(context, file);
    }

    /** Adds a stream for the packets of an open encoder. */
    int addEncoded(CodecContext encoder) {
        AVStream stream = add();
        Ffmpeg.check(
                avcodec.avcodec_parameters_from_context(stream.codecpar(), encoder.context()),
                "avcodec_parameters_from_context");
        stream.time_base(encoder.context().time_base());
        try (AVRational rate = new AVRational(encoder.context().framerate())) {
            stream.avg_frame_rate(rate);
        }
        return stream.index();
    }

    /** Adds a stream for copied packets. */
    int addCopied(AVStream source) {
        AVStream stream = add();
        Ffmpeg.check(
                avcodec.avcodec_parameters_copy(stream.codecpar(), source.codecpar()),
                "avcodec_parameters_copy");
        // The tag belongs to the source container.
        stream.codecpar().codec_tag(0);
        stream.time_base(source.time_base());
        stream.avg_frame_rate(source.avg_frame_rate());
        return stream.index();
    }

    private AVStream add() {
        AVStream stream = avformat.avformat_new_stream(context, null);
        if (stream == null) {
            throw Ffmpeg.missing("avformat_new_stream");
        }
        return stream;
    }

    AVStream stream(int index) {
        return context.streams(index);
    }

    /**
     * Starts the output after all streams are added.
     *
     * @param options of the muxer; an unknown name is an exception
     */
    void start(Map<String, String> options) {
        if ((context.oformat().flags() & avformat.AVFMT_NOFILE) == 0) {
            AVIOContext opened = new AVIOContext(null);
            Ffmpeg.check(
                    avformat.avio_open2(
                            opened,
                            "file:" + file.toAbsolutePath(),
                            avformat.AVIO_FLAG_WRITE,
                            null,
                            (AVDictionary) null),
                    "avio_open2");
            io = opened;
            context.pb(opened);
        }
        try (AVDictionary given = new AVDictionary(null)) {
            options.forEach((name, value) -> avutil.av_dict_set(given, name, value, 0));
            avutil.av_dict_set(given, "protocol_whitelist", "file", 0);
            int code = avformat.avformat_write_header(context, given);
            int unknown = avutil.av_dict_count(given);
            avutil.av_dict_free(given);
            Ffmpeg.check(code, "avformat_write_header");
            if (unknown > 0) {
                throw new IllegalStateException("the muxer does not support all of " + options);
            }
        }
    }

    /**
     * Writes a packet and empties it.
     *
     * @param base time base of the packet
     */
    void write(AVPacket packet, int stream, AVRational base) {
        packet.stream_index(stream).pos(-1);
        avcodec.av_packet_rescale_ts(packet, base, context.streams(stream).time_base());
        Ffmpeg.check(
                avformat.av_interleaved_write_frame(context, packet), "av_interleaved_write_frame");
    }

    /** Writes remaining data and updates the file header. */
    void finish() {
        Ffmpeg.check(avformat.av_write_trailer(context), "av_write_trailer");
        AVIOContext opened = io;
        if (opened != null) {
            avformat.avio_flush(opened);
            int error = opened.error();
            io = null;
            int code = avformat.avio_close(opened);
            context.pb((AVIOContext) null);
            Ffmpeg.check(error, "avio_flush");
            Ffmpeg.check(code, "avio_close");
        }
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (io != null) {
            avformat.avio_close(io);
            io = null;
            context.pb((AVIOContext) null);
        }
        avformat.avformat_free_context(context);
    }
}
