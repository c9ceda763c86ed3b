package touchline.media.file;

import java.util.function.Consumer;
import org.bytedeco.ffmpeg.avcodec.AVPacket;
import org.bytedeco.ffmpeg.avformat.AVStream;
import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.bytedeco.ffmpeg.avutil.AVRational;
import org.bytedeco.ffmpeg.global.avcodec;
import org.bytedeco.ffmpeg.global.avutil;
import touchline.media.codec.MalformedMediaException;
import touchline.media.ffmpeg.CodecContext;
import touchline.media.ffmpeg.Ffmpeg;
import touchline.media.ffmpeg.FfmpegException;
import touchline.media.ffmpeg.Malformed;

/** Decodes the packets of one stream; skips and counts damaged packets. One owner thread. */
public final class PacketDecoder implements AutoCloseable {
    /** Maximum failures that are always accepted. */
    private static final int PARDONED_FAILURES = 10;

    /** More than one failure in this many packets means a damaged file. */
    private static final int PARDONED_SHARE = 10;

    private static final int OUT_OF_MEMORY = -12; // Linux errno, negated as AVERROR does

    private final CodecContext decoder;
    private long packets;
    private long failures;
    private long frames;

    private PacketDecoder(CodecContext decoder) {
        this.decoder = decoder;
    }

    /**
     * The caller closes it.
     *
     * @throws MalformedMediaException the stream's configuration is invalid
     */
    public static PacketDecoder open(AVStream stream, int threads) {
        var codec = avcodec.avcodec_find_decoder(stream.codecpar().codec_id());
        CodecContext decoder = CodecContext.decoder(codec.name().getString());
        try {
            Ffmpeg.check(
                    avcodec.avcodec_parameters_to_context(decoder.context(), stream.codecpar()),
                    "avcodec_parameters_to_context");
            try (AVRational base = new AVRational(stream.time_base())) {
                decoder.context().pkt_timebase(base);
            }
            decoder.context().thread_count(threads).max_pixels(StreamFacts.MAX_PIXELS);
            Malformed.run(decoder::open, "decoder configuration");
            return new PacketDecoder(decoder);
        } catch (RuntimeException e) {
            decoder.close();
            throw e;
        }
    }

    /**
     * Decodes a packet and empties it.
     *
     * @param each receives each decoded frame, valid during the call
     */
    public void decode(AVPacket packet, Consumer<AVFrame> each) {
        packets++;
        avcodec.av_packet_move_ref(decoder.packet(), packet);
        int code = decoder.sendPacket();
        if (code < 0 && code != avutil.AVERROR_EOF()) {
            failed(code);
        }
        receive(each);
    }

    /** Passes on the remaining frames. */
    public void finish(Consumer<AVFrame> each) {
        decoder.sendEnd();
        receive(each);
    }

    private void receive(Consumer<AVFrame> each) {
        while (next()) {
            frames++;
            AVFrame frame = decoder.frame();
            boolean concealed =
                    frame.decode_error_flags() != 0
                            || (frame.flags() & AVFrame.AV_FRAME_FLAG_CORRUPT) != 0;
            if (concealed) {
                failures++;
            }
            each.accept(frame);
        }
    }

    private boolean next() {
        while (true) {
            try {
                return decoder.receiveFrame();
            } catch (FfmpegException e) {
                failed(e.code());
            }
        }
    }

    private void failed(int code) {
        failures++;
        if (code == OUT_OF_MEMORY) {
            throw new FfmpegException("decode", code, "out of memory");
        }
    }

    public boolean damaged() {
        return frames == 0 || (failures > PARDONED_FAILURES && failures * PARDONED_SHARE > packets);
    }

    @Override
    public void close() {
        decoder.close();
    }
}
