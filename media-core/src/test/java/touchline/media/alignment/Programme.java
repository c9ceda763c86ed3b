package touchline.media.alignment;

import java.util.function.DoubleUnaryOperator;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import touchline.media.ffmpeg.Pcm;

/** Audio of a programme as a function of its time, and the envelopes that publishers send of it. */
final class Programme {
    private static final int SECONDS = 120;

    private Programme() {}

    /**
     * Bursts of noise and notes of random length and loudness, like speech and play; the same in
     * every run.
     */
    static DoubleUnaryOperator match(long seed) {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        float[] samples = new float[SECONDS * Envelope.RATE_HZ];
        int at = 0;
        while (at < samples.length) {
            int length = 400 + random.nextInt(2_400);
            double loud = Math.pow(10, -2 * random.nextDouble());
            double hz = 100 + random.nextInt(900);
            boolean noise = random.nextBoolean();
            for (int i = 0; i < length && at < samples.length; i++, at++) {
                samples[at] =
                        (float)
                                (loud
                                        * (noise
                                                ? random.nextDouble(-1, 1)
                                                : Math.sin(
                                                        2 * Math.PI * hz * i / Envelope.RATE_HZ)));
            }
        }
        return of(samples);
    }

    /** A bar of four beats of half a second, again and again. */
    static DoubleUnaryOperator loop() {
        DoubleUnaryOperator bar = match(3);
        return seconds -> bar.applyAsDouble(seconds % 0.5);
    }

    static DoubleUnaryOperator noise(long seed, double loud) {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        float[] samples = new float[SECONDS * Envelope.RATE_HZ];
        for (int i = 0; i < samples.length; i++) {
            samples[i] = (float) (loud * random.nextDouble(-1, 1));
        }
        return of(samples);
    }

    private static DoubleUnaryOperator of(float[] samples) {
        return seconds -> {
            double place = seconds * Envelope.RATE_HZ;
            int before = (int) Math.floor(place);
            if (before < 0 || before + 1 >= samples.length) {
                return 0;
            }
            double part = place - before;
            return samples[before] * (1 - part) + samples[before + 1] * part;
        };
    }

    /**
     * What a publisher sends of the programme.
     *
     * @param fromSeconds first moment of the programme
     * @param seconds length
     * @param startSeconds of the publisher's clock at that moment
     * @param ppm by how much the publisher's clock is faster
     */
    static Envelope sent(
            DoubleUnaryOperator programme,
            double fromSeconds,
            double seconds,
            double startSeconds,
            double ppm) {
        Envelope envelope = new Envelope();
        int buffer = 1_024 / 6;
        double rate = Envelope.RATE_HZ * (1 + ppm / 1e6);
        long count = (long) (seconds * rate / buffer);
        for (long each = 0; each < count; each++) {
            float[] samples = new float[buffer];
            for (int i = 0; i < buffer; i++) {
                samples[i] =
                        (float) programme.applyAsDouble(fromSeconds + (each * buffer + i) / rate);
            }
            double time = startSeconds + (double) each * buffer / Envelope.RATE_HZ;
            // RTMP rounds to milliseconds.
            long ms = Math.round(time * 1_000);
            envelope.add(Pcm.of(Envelope.RATE_HZ, 1, ms * Envelope.RATE_HZ / 1_000, samples));
        }
        return envelope;
    }
}
