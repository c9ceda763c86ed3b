package touchline.media.ffmpeg;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.ffmpeg.avcodec.AVPacket;
import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.bytedeco.ffmpeg.global.avcodec;
import org.bytedeco.ffmpeg.global.avutil;
import touchline.media.AccessUnit;
import touchline.media.CodecConfig;
import touchline.media.Timescale;
import touchline.media.Track;
import touchline.media.codec.MalformedMediaException;

/**
 * Decodes access units of one audio track to float samples. The first sample of a unit has the
 * unit's time. Encoder priming samples are part of the output, with their early times. One owner
 * thread, a platform thread.
 */
public final class AudioDecoder implements AutoCloseable {
    private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;

    /** Opus always decodes to this rate (RFC 7845, 4.2). */
    private static final int OPUS_RATE_HZ = 48_000;

    private final Track track;
    private final CodecContext decoder;
    private boolean drained;

    private AudioDecoder(Track track, CodecContext decoder) {
        this.track = track;
        this.decoder = decoder;
    }

    /**
     * The caller closes it.
     *
     * @throws MalformedMediaException the track's configuration is invalid
     */
    public static AudioDecoder open(Track track) {
        CodecContext decoder = CodecContext.decoder(decoderName(track.codec()));
        try {
            configure(track.codec(), decoder);
            decoder.timeBase(track.timescale().ticksPerSecond());
            decoder.context().thread_count(1);
            // Priming samples are kept: the caller receives every sample at its time.
            decoder.context().flags2(avcodec.AV_CODEC_FLAG2_SKIP_MANUAL);
            Malformed.run(decoder::open, "decoder configuration");
            return new AudioDecoder(track, decoder);
        } catch (RuntimeException e) {
            decoder.close();
            throw e;
        }
    }

    /**
     * Decodes a unit.
     *
     * @return zero or more audio buffers, usually one
     * @throws MalformedMediaException its bytes are invalid; the next unit may be valid
     */
    public List<Pcm> decode(AccessUnit unit) {
        if (drained) {
            decoder.flush();
            drained = false;
        }
        AVPacket packet = decoder.packet();
        NativeMemory.fill(packet, unit.payload());
        packet.dts(unit.dtsTicks()).pts(unit.ptsTicks()).flags(avcodec.AV_PKT_FLAG_KEY);
        return Malformed.call(
                () -> {
                    Ffmpeg.check(decoder.sendPacket(), "avcodec_send_packet");
                    return received();
                },
                "audio access unit");
    }

    /** Returns the remaining samples. */
    public List<Pcm> drain() {
        if (drained) {
            return List.of();
        }
        drained = true;
        decoder.sendEnd();
        return Malformed.call(this::received, "audio access unit");
    }

    private List<Pcm> received() {
        List<Pcm> decoded = new ArrayList<>(1);
        while (decoder.receiveFrame()) {
            decoded.add(pcm(decoder.frame()));
        }
        return decoded;
    }

    private Pcm pcm(AVFrame frame) {
        int rateHz = frame.sample_rate();
        int channels = frame.ch_layout().nb_channels();
        int frames = frame.nb_samples();
        if (frame.format() != avutil.AV_SAMPLE_FMT_FLTP) {
            throw new IllegalStateException("sample format: " + frame.format() + " (fltp)");
        }
        if (channels < 1 || channels > Pcm.MAX_CHANNELS) {
            throw new MalformedMediaException("channels: " + channels + " (expected: 1..8)");
        }
        float[] interleaved = new float[frames * channels];
        for (int channel = 0; channel < channels; channel++) {
            MemorySegment plane =
                    NativeMemory.at(frame.extended_data(channel), (long) frames * Float.BYTES);
            for (int i = 0; i < frames; i++) {
                interleaved[i * channels + channel] = plane.getAtIndex(FLOAT, i);
            }
        }
        long ticks = frame.best_effort_timestamp();
        Timescale timescale = track.timescale();
        long startFrame =
                timescale.ticksPerSecond() == rateHz
                        ? ticks
                        : new Timescale(rateHz).fromUs(timescale.toUs(ticks));
        return new Pcm(rateHz, channels, startFrame, MemorySegment.ofArray(interleaved));
    }

    private static void configure(CodecConfig codec, CodecContext decoder) {
        switch (codec) {
            case CodecConfig.Aac(var config) ->
                    NativeMemory.setExtradata(decoder.context(), config.bytes());
            case CodecConfig.Opus(var config) -> {
                NativeMemory.setExtradata(decoder.context(), config.bytes());
                decoder.context().sample_rate(OPUS_RATE_HZ);
            }
            case CodecConfig.Mp3 _ -> {}
            case CodecConfig.Avc _, CodecConfig.Hevc _, CodecConfig.Av1 _ -> {}
        }
    }

    private static String decoderName(CodecConfig codec) {
        return switch (codec) {
            case CodecConfig.Aac _ -> "aac";
            case CodecConfig.Opus _ -> "opus";
            // Decodes to planar floats, like the other two decoders.
            case CodecConfig.Mp3 _ -> "mp3float";
            case CodecConfig.Avc _, CodecConfig.Hevc _, CodecConfig.Av1 _ ->
                    throw new IllegalArgumentException("not an audio track: " + codec.rfc6381());
        };
    }

    @Override
    public void close() {
        decoder.close();
    }
}
