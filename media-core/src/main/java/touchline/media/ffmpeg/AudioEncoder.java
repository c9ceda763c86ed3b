package touchline.media.ffmpeg;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.ffmpeg.avcodec.AVCodecContext;
import org.bytedeco.ffmpeg.avcodec.AVPacket;
import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.bytedeco.ffmpeg.global.avcodec;
import org.bytedeco.ffmpeg.global.avutil;
import touchline.media.AccessUnit;
import touchline.media.CodecConfig;
import touchline.media.Timescale;
import touchline.media.Track;
import touchline.media.codec.AudioSpecificConfig;

/**
 * Encodes audio to AAC-LC: raw frames without ADTS header, times in sample frames. AAC needs one
 * priming frame, so the first unit's time is 1024 sample frames before the first sample. A decoder
 * then returns each input sample at its input time. One owner thread, a platform thread.
 */
public final class AudioEncoder implements AutoCloseable {
    private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;

    private final AudioSettings settings;
    private final CodecContext encoder;
    private final Track track;
    private final int frameSize;

    // The frame being filled, and its fill position; owner thread.
    private final AVFrame frame;
    private int filled;
    private long nextSample = Long.MIN_VALUE;
    private boolean finished;
    private boolean closed;

    private AudioEncoder(AudioSettings settings, CodecContext encoder) {
        this.settings = settings;
        this.encoder = encoder;
        AVCodecContext context = encoder.context();
        this.frameSize = context.frame_size();
        AudioSpecificConfig config =
                AudioSpecificConfig.parse(
                        NativeMemory.copyOf(context.extradata(), context.extradata_size()));
        this.track =
                new Track(
                        Track.AUDIO_ID,
                        new Timescale(settings.sampleRateHz()),
                        new CodecConfig.Aac(config));
        this.frame = avutil.av_frame_alloc();
    }

    /**
     * The caller closes it.
     *
     * @throws FfmpegException the encoder rejects the settings
     */
    public static AudioEncoder open(AudioSettings settings) {
        CodecContext encoder = CodecContext.encoder("aac");
        try {
            AVCodecContext context = encoder.context();
            encoder.timeBase(settings.sampleRateHz());
            context.sample_rate(settings.sampleRateHz());
            avutil.av_channel_layout_default(context.ch_layout(), settings.channels());
            context.sample_fmt(avutil.AV_SAMPLE_FMT_FLTP);
            context.bit_rate(settings.bitrateBps());
            context.thread_count(1);
            context.flags(context.flags() | avcodec.AV_CODEC_FLAG_GLOBAL_HEADER);
            encoder.open();
            return new AudioEncoder(settings, encoder);
        } catch (RuntimeException e) {
            encoder.close();
            throw e;
        }
    }

    /** Returns the track, valid from the start; its timescale is the sample rate. */
    public Track track() {
        return track;
    }

    /**
     * Encodes any number of samples.
     *
     * @param pcm starts at the end of the previous one; the first may start anywhere
     * @return zero or more units in decode order
     * @throws IllegalArgumentException different rate or channel count, or a gap
     */
    public List<AccessUnit> encode(Pcm pcm) {
        if (finished) {
            throw new IllegalStateException("encoder is finished");
        }
        check(pcm);
        List<AccessUnit> units = new ArrayList<>(2);
        int done = 0;
        while (done < pcm.frames()) {
            if (filled == 0) {
                prepare(pcm.startFrame() + done);
            }
            int count = Math.min(frameSize - filled, pcm.frames() - done);
            deinterleave(pcm, done, count);
            filled += count;
            done += count;
            if (filled == frameSize) {
                sendFrame();
                receive(units);
            }
        }
        nextSample = pcm.startFrame() + pcm.frames();
        return units;
    }

    /** Returns the remaining units; after this the encoder accepts no more audio. */
    public List<AccessUnit> finish() {
        if (finished) {
            return List.of();
        }
        finished = true;
        List<AccessUnit> units = new ArrayList<>(2);
        if (filled > 0) {
            frame.nb_samples(filled);
            sendFrame();
        }
        encoder.send(null);
        receive(units);
        return units;
    }

    private void check(Pcm pcm) {
        if (pcm.sampleRateHz() != settings.sampleRateHz()
                || pcm.channels() != settings.channels()) {
            throw new IllegalArgumentException(
                    "pcm: %d Hz, %d channels (expected: %d Hz, %d channels)"
                            .formatted(
                                    pcm.sampleRateHz(),
                                    pcm.channels(),
                                    settings.sampleRateHz(),
                                    settings.channels()));
        }
        if (nextSample != Long.MIN_VALUE && pcm.startFrame() != nextSample) {
            throw new IllegalArgumentException(
                    "pcm starts at " + pcm.startFrame() + " (expected: " + nextSample + ")");
        }
    }

    private void prepare(long startFrame) {
        frame.format(avutil.AV_SAMPLE_FMT_FLTP);
        frame.nb_samples(frameSize).sample_rate(settings.sampleRateHz());
        avutil.av_channel_layout_default(frame.ch_layout(), settings.channels());
        Ffmpeg.check(avutil.av_frame_get_buffer(frame, /* align= */ 0), "av_frame_get_buffer");
        frame.pts(startFrame);
    }

    private void deinterleave(Pcm pcm, int from, int count) {
        int channels = settings.channels();
        for (int channel = 0; channel < channels; channel++) {
            MemorySegment plane =
                    NativeMemory.at(frame.extended_data(channel), (long) frameSize * Float.BYTES);
            for (int i = 0; i < count; i++) {
                plane.setAtIndex(FLOAT, filled + (long) i, pcm.sample(from + i, channel));
            }
        }
    }

    /** The encoder keeps a reference, so each frame has its own memory. */
    private void sendFrame() {
        encoder.send(frame);
        avutil.av_frame_unref(frame);
        filled = 0;
    }

    private void receive(List<AccessUnit> units) {
        while (encoder.receivePacket()) {
            AVPacket packet = encoder.packet();
            MemorySegment payload = NativeMemory.copyOf(packet.data(), packet.size());
            units.add(
                    new AccessUnit(
                            track,
                            packet.pts(),
                            /* compositionTimeOffsetTicks= */ 0,
                            /* idr= */ true,
                            payload));
        }
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        avutil.av_frame_free(frame);
        encoder.close();
    }
}
