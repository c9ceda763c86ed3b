package touchline.media.ffmpeg;

import org.bytedeco.ffmpeg.avcodec.AVCodec;
import org.bytedeco.ffmpeg.avcodec.AVCodecContext;
import org.bytedeco.ffmpeg.avcodec.AVPacket;
import org.bytedeco.ffmpeg.avutil.AVDictionary;
import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.bytedeco.ffmpeg.avutil.AVRational;
import org.bytedeco.ffmpeg.global.avcodec;
import org.bytedeco.ffmpeg.global.avutil;
import org.jspecify.annotations.Nullable;

/**
 * An open encoder or decoder with its packet and frame. One owner thread. Close frees in reverse
 * order and may be called twice.
 */
public final class CodecContext implements AutoCloseable {
    private final AVCodec codec;
    private final AVCodecContext context;
    private final AVPacket packet;
    private final AVFrame frame;
    private boolean closed;

    private CodecContext(AVCodec codec, AVCodecContext context, AVPacket packet, AVFrame frame) {
        this.codec = codec;
        this.context = context;
        this.packet = packet;
        this.frame = frame;
    }

    public static CodecContext encoder(String name) {
        Ffmpeg.load();
        return allocate(avcodec.avcodec_find_encoder_by_name(name), "avcodec_find_encoder " + name);
    }

    public static CodecContext decoder(String name) {
        Ffmpeg.load();
        return allocate(avcodec.avcodec_find_decoder_by_name(name), "avcodec_find_decoder " + name);
    }

    private static CodecContext allocate(@Nullable AVCodec codec, String search) {
        if (codec == null) {
            throw Ffmpeg.missing(search);
        }
        AVCodecContext context = avcodec.avcodec_alloc_context3(codec);
        AVPacket packet = avcodec.av_packet_alloc();
        AVFrame frame = avutil.av_frame_alloc();
        return new CodecContext(codec, context, packet, frame);
    }

    /**
     * Returns the native context, for settings before {@link #open} and for values chosen by open.
     */
    public AVCodecContext context() {
        return context;
    }

    /** Reused for every exchange; its content belongs to the current call. */
    public AVPacket packet() {
        return packet;
    }

    /** Reused for every exchange; its content belongs to the current call. */
    public AVFrame frame() {
        return frame;
    }

    public void timeBase(int ticksPerSecond) {
        try (AVRational base = new AVRational()) {
            context.time_base(base.num(1).den(ticksPerSecond));
            context.pkt_timebase(base);
        }
    }

    /** Sets width / height of a sample, of an encoder. */
    void sampleAspect(double ratio) {
        context.sample_aspect_ratio(avutil.av_d2q(ratio, VideoFrame.MAX_ASPECT_TERM));
    }

    /** Sets a private option of this codec; an unknown name is an exception. */
    public void option(String name, String value) {
        Ffmpeg.check(avutil.av_opt_set(context.priv_data(), name, value, 0), "av_opt_set " + name);
    }

    public void open() {
        String name = codec.name().getString();
        Ffmpeg.check(
                avcodec.avcodec_open2(context, codec, (AVDictionary) null),
                "avcodec_open2 " + name);
    }

    /** Sends a frame, which is borrowed; null starts the drain. */
    public void send(@Nullable AVFrame videoFrame) {
        Ffmpeg.check(avcodec.avcodec_send_frame(context, videoFrame), "avcodec_send_frame");
    }

    /** Sends {@link #packet} and empties it; returns FFmpeg's code. */
    public int sendPacket() {
        int code = avcodec.avcodec_send_packet(context, packet);
        avcodec.av_packet_unref(packet);
        return code;
    }

    /** Starts the drain of a decoder. */
    public void sendEnd() {
        Ffmpeg.check(avcodec.avcodec_send_packet(context, null), "avcodec_send_packet");
    }

    /** Fills {@link #packet}; false if none is ready or the drain is complete. */
    public boolean receivePacket() {
        return received(avcodec.avcodec_receive_packet(context, packet), "avcodec_receive_packet");
    }

    /** Fills {@link #frame}; false if none is ready or the drain is complete. */
    public boolean receiveFrame() {
        return received(avcodec.avcodec_receive_frame(context, frame), "avcodec_receive_frame");
    }

    /** Discards buffered data, for a seek or after a drain. */
    void flush() {
        avcodec.avcodec_flush_buffers(context);
    }

    private static boolean received(int code, String call) {
        if (code == Ffmpeg.AGAIN || code == avutil.AVERROR_EOF()) {
            return false;
        }
        Ffmpeg.check(code, call);
        return true;
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        avutil.av_frame_free(frame);
        avcodec.av_packet_free(packet);
        avcodec.avcodec_free_context(context);
    }
}
