package touchline.benchmarks.failover;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.List;
import touchline.benchmarks.load.Command;

/**
 * Decoded audio, and how loud it clicks: the largest sample of what it has above 6 kHz, in dB of
 * full scale. The notes of {@link Encoders} have nothing there, a step of the waveform does.
 * Immutable.
 */
final class RecordedAudio {
    static final int SAMPLES_PER_SECOND = 48_000;

    private static final double HIGH_PASS_HZ = 6_000;
    private static final int HALF = 128;
    private static final double[] HIGH_PASS = highPass();

    private final FloatBuffer samples;

    private RecordedAudio(FloatBuffer samples) {
        this.samples = samples;
    }

    /**
     * As a player plays it: silence where the recording has no audio.
     *
     * @param input of ffmpeg
     */
    static RecordedAudio played(String input) throws IOException, InterruptedException {
        return decode(
                Command.words(
                        "ffmpeg -v error -i %s -map 0:a -af"
                                + " aresample=48000:async=1:min_hard_comp=0.001:first_pts=0 -ac 1 -f"
                                + " f32le pipe:",
                        input));
    }

    /** The notes themselves, from a second on. */
    static RecordedAudio clean(double fromSecond, double seconds)
            throws IOException, InterruptedException {
        return decode(
                List.of(
                        "ffmpeg",
                        "-v",
                        "error",
                        "-f",
                        "lavfi",
                        "-i",
                        Encoders.notes(fromSecond),
                        "-t",
                        String.valueOf(seconds),
                        "-f",
                        "f32le",
                        "pipe:"));
    }

    private static RecordedAudio decode(List<String> command)
            throws IOException, InterruptedException {
        byte[] bytes = Command.require(command).output();
        return new RecordedAudio(
                ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer());
    }

    /** The loudest click of a stretch, in dB of full scale. */
    double clickDb(double fromSecond, double toSecond) {
        int from = Math.max(HALF, (int) (fromSecond * SAMPLES_PER_SECOND));
        int to = Math.min(samples.limit() - HALF, (int) (toSecond * SAMPLES_PER_SECOND));
        double loudest = 1e-6;
        for (int i = from; i < to; i++) {
            double sum = 0;
            for (int tap = -HALF; tap <= HALF; tap++) {
                sum += samples.get(i + tap) * HIGH_PASS[tap + HALF];
            }
            loudest = Math.max(loudest, Math.abs(sum));
        }
        return 20 * Math.log10(loudest);
    }

    double seconds() {
        return (double) samples.limit() / SAMPLES_PER_SECOND;
    }

    /** A windowed sinc (Blackman), minus a low-pass from one. */
    private static double[] highPass() {
        double[] taps = new double[2 * HALF + 1];
        double cut = HIGH_PASS_HZ / SAMPLES_PER_SECOND;
        for (int i = -HALF; i <= HALF; i++) {
            double sinc = i == 0 ? 2 * cut : Math.sin(2 * Math.PI * cut * i) / (Math.PI * i);
            double phase = Math.PI * (i + HALF) / HALF;
            double window = 0.42 - 0.5 * Math.cos(phase) + 0.08 * Math.cos(2 * phase);
            taps[i + HALF] = (i == 0 ? 1 : 0) - sinc * window;
        }
        return taps;
    }
}
