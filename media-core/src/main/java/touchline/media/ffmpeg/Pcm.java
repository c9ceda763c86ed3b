package touchline.media.ffmpeg;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * An audio buffer: 32-bit floats, nominally -1 to 1, channels interleaved. Immutable as long as the
 * memory behind the segment is not modified.
 *
 * @param sampleRateHz sample frames per second
 * @param channels 1 to 8, in FFmpeg's default order (left, right, ...)
 * @param startFrame time of the first sample frame, counted in sample frames
 * @param samples read-only, {@code 4 * channels} bytes per sample frame, native byte order
 */
public record Pcm(int sampleRateHz, int channels, long startFrame, MemorySegment samples) {
    static final int MAX_CHANNELS = 8;

    public Pcm {
        if (sampleRateHz < 8_000 || sampleRateHz > 192_000) {
            throw new IllegalArgumentException("sampleRateHz: " + sampleRateHz + " (8000..192000)");
        }
        if (channels < 1 || channels > MAX_CHANNELS) {
            throw new IllegalArgumentException("channels: " + channels + " (1..8)");
        }
        if (samples.byteSize() % ((long) Float.BYTES * channels) != 0) {
            throw new IllegalArgumentException(
                    "samples: " + samples.byteSize() + " bytes (whole sample frames)");
        }
        samples = samples.asReadOnly();
    }

    /** Copies {@code interleaved}. */
    public static Pcm of(int sampleRateHz, int channels, long startFrame, float[] interleaved) {
        return new Pcm(
                sampleRateHz, channels, startFrame, MemorySegment.ofArray(interleaved.clone()));
    }

    /** Sample frames of zeros. */
    public static Pcm silence(int sampleRateHz, int channels, long startFrame, int frames) {
        MemorySegment zeros = MemorySegment.ofArray(new float[frames * channels]);
        return new Pcm(sampleRateHz, channels, startFrame, zeros);
    }

    /** The same memory without its first sample frames. */
    public Pcm without(int first) {
        return new Pcm(
                sampleRateHz,
                channels,
                startFrame + first,
                samples.asSlice((long) first * channels * Float.BYTES));
    }

    /** Returns the number of sample frames; each has one sample per channel. */
    public int frames() {
        return Math.toIntExact(samples.byteSize() / ((long) Float.BYTES * channels));
    }

    public float sample(int frame, int channel) {
        return samples.getAtIndex(
                ValueLayout.JAVA_FLOAT_UNALIGNED, (long) frame * channels + channel);
    }
}
