package touchline.media.ffmpeg;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.bytedeco.ffmpeg.avutil.AVChannelLayout;
import org.bytedeco.ffmpeg.global.avutil;
import org.bytedeco.ffmpeg.global.swresample;
import org.bytedeco.ffmpeg.swresample.SwrContext;

/**
 * Converts audio to another rate and channel count, with FFmpeg's default mixing weights.
 * Exception: mono to stereo keeps the level in both channels. Output keeps the input's times, and
 * has no gap while the input has none. One owner thread.
 */
final class AudioResampler implements AutoCloseable {
    /** Tolerance for rounded times, in sample frames: no gap. */
    private static final long SLACK_FRAMES = 16;

    private final int sourceRateHz;
    private final int sourceChannels;
    private final int rateHz;
    private final int channels;

    /** Channels of FFmpeg's output: one if it is duplicated to stereo afterwards. */
    private final int madeChannels;

    private final SwrContext context;

    private ByteBuffer input = direct(0);
    private ByteBuffer output = direct(0);
    private long expectedStart = Long.MIN_VALUE;
    private long nextFrame;
    private boolean closed;

    private AudioResampler(
            int sourceRateHz, int sourceChannels, int rateHz, int channels, SwrContext context) {
        this.sourceRateHz = sourceRateHz;
        this.sourceChannels = sourceChannels;
        this.rateHz = rateHz;
        this.channels = channels;
        this.madeChannels = madeChannels(sourceChannels, channels);
        this.context = context;
    }

    /**
     * Opens a resampler for audio in the format of {@code source}; the caller closes it.
     *
     * @param rateHz of the output
     * @param channels of the output, 1 to 8
     */
    static AudioResampler open(Pcm source, int rateHz, int channels) {
        Ffmpeg.load();
        try (AVChannelLayout from = new AVChannelLayout();
                AVChannelLayout to = new AVChannelLayout()) {
            avutil.av_channel_layout_default(from, source.channels());
            avutil.av_channel_layout_default(to, madeChannels(source.channels(), channels));
            SwrContext context = new SwrContext(null);
            Ffmpeg.check(
                    swresample.swr_alloc_set_opts2(
                            context,
                            to,
                            avutil.AV_SAMPLE_FMT_FLT,
                            rateHz,
                            from,
                            avutil.AV_SAMPLE_FMT_FLT,
                            source.sampleRateHz(),
                            /* log_offset= */ 0,
                            /* log_ctx= */ null),
                    "swr_alloc_set_opts2");
            int code = swresample.swr_init(context);
            if (code < 0) {
                swresample.swr_free(context);
            }
            Ffmpeg.check(code, "swr_init");
            return new AudioResampler(
                    source.sampleRateHz(), source.channels(), rateHz, channels, context);
        }
    }

    /** Whether the resampler accepts audio of this format. */
    boolean takes(Pcm pcm) {
        return pcm.sampleRateHz() == sourceRateHz && pcm.channels() == sourceChannels;
    }

    /** Whether the output has this format. */
    boolean makes(int rateHz, int channels) {
        return this.rateHz == rateHz && this.channels == channels;
    }

    /**
     * Converts audio. A few samples stay buffered until more input arrives. A gap restarts the
     * resampler.
     *
     * @throws IllegalArgumentException audio for which {@link #takes} is false
     */
    Pcm convert(Pcm pcm) {
        if (closed) {
            throw new IllegalStateException("resampler is closed");
        }
        if (!takes(pcm)) {
            throw new IllegalArgumentException(
                    "pcm: %d Hz, %d channels (expected: %d Hz, %d channels)"
                            .formatted(
                                    pcm.sampleRateHz(),
                                    pcm.channels(),
                                    sourceRateHz,
                                    sourceChannels));
        }
        boolean gap = Math.abs(pcm.startFrame() - expectedStart) > SLACK_FRAMES;
        if (expectedStart == Long.MIN_VALUE || gap) {
            begin(pcm.startFrame());
        }
        expectedStart = pcm.startFrame() + pcm.frames();
        return run(pcm);
    }

    private void begin(long startFrame) {
        Ffmpeg.check(swresample.swr_init(context), "swr_init");
        long seconds = Math.floorDiv(startFrame, (long) sourceRateHz);
        long rest = Math.floorMod(startFrame, (long) sourceRateHz);
        nextFrame = seconds * rateHz + Math.round((double) rest * rateHz / sourceRateHz);
    }

    private Pcm run(Pcm pcm) {
        int most =
                Math.toIntExact(
                        swresample.swr_get_delay(context, rateHz)
                                + Math.ceilDiv((long) pcm.frames() * rateHz, sourceRateHz)
                                + 32);
        input = atLeast(input, pcm.frames() * sourceChannels * Float.BYTES);
        output = atLeast(output, most * madeChannels * Float.BYTES);
        MemorySegment.ofBuffer(input).asSlice(0, pcm.samples().byteSize()).copyFrom(pcm.samples());
        int made = swresample.swr_convert(context, output, most, input, pcm.frames());
        Ffmpeg.check(made, "swr_convert");
        float[] samples = new float[made * madeChannels];
        MemorySegment.ofArray(samples)
                .copyFrom(
                        MemorySegment.ofBuffer(output)
                                .asSlice(0, (long) samples.length * Float.BYTES));
        float[] all = madeChannels == channels ? samples : doubled(samples);
        Pcm converted = new Pcm(rateHz, channels, nextFrame, MemorySegment.ofArray(all));
        nextFrame += made;
        return converted;
    }

    private static int madeChannels(int sourceChannels, int channels) {
        return sourceChannels == 1 && channels == 2 ? 1 : channels;
    }

    private static float[] doubled(float[] mono) {
        float[] both = new float[2 * mono.length];
        for (int i = 0; i < mono.length; i++) {
            both[2 * i] = mono[i];
            both[2 * i + 1] = mono[i];
        }
        return both;
    }

    private static ByteBuffer atLeast(ByteBuffer buffer, int bytes) {
        return buffer.capacity() >= bytes ? buffer : direct(2 * bytes);
    }

    private static ByteBuffer direct(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            swresample.swr_free(context);
        }
    }
}
