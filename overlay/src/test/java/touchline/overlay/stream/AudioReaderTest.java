package touchline.overlay.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class AudioReaderTest {
    private static final int RATE_HZ = 48_000;
    private static final int BLOCK = 1_024;
    private static final DoubleUnaryOperator TONE = Tones.sine(1_000, 0.5);

    private final AudioRing ring = new AudioRing(RATE_HZ, 1);
    private final AudioReader reader = new AudioReader(ring);
    private final float[] block = new float[BLOCK];

    @ParameterizedTest
    @ValueSource(doubles = {1, 1.005, 0.995})
    void audio_readAtAnotherPace_staysContinuousAndOnTime(double pace) {
        long written = 0;
        double wanted = 0;
        for (int i = 0; i < 400; i++) {
            while (written < wanted + 3 * BLOCK) {
                ring.write(Tones.pcm(RATE_HZ, 1, written, BLOCK, TONE));
                written += BLOCK;
            }
            reader.read(wanted, BLOCK, block);
            for (int frame = 0; i > 300 && frame < BLOCK; frame++) {
                double at = (wanted + frame * pace) / RATE_HZ;
                assertEquals(TONE.applyAsDouble(at), block[frame], 0.01, "at " + at);
            }
            wanted += BLOCK * pace;
        }
    }

    @Test
    void audio_thatEnds_fallsSilentWithoutAClickAndComesBack() {
        DoubleUnaryOperator steady = _ -> 0.5;
        ring.write(Tones.pcm(RATE_HZ, 1, 0, 10 * BLOCK + 600, steady));
        float last = 0;
        float peak = 0;
        double wanted = 0;
        for (int i = 0; i < 40; i++) {
            if (i == 20) {
                ring.write(Tones.pcm(RATE_HZ, 1, 20L * BLOCK, 21 * BLOCK, steady));
            }
            reader.read(wanted, BLOCK, block);
            for (float sample : block) {
                assertTrue(Math.abs(sample - last) < 0.01, "step " + last + " to " + sample);
                last = sample;
                peak = Math.max(peak, sample);
            }
            if (i == 5 || i == 30) {
                assertEquals(0.5, last, 1e-3);
            }
            if (i == 15) {
                assertEquals(0, last);
            }
            wanted += BLOCK;
        }
        assertTrue(peak < 0.55, "peak " + peak);
    }

    @Test
    void place_thatJumps_doesNotClick() {
        DoubleUnaryOperator steady = _ -> 0.5;
        ring.write(Tones.pcm(RATE_HZ, 1, 0, 100 * BLOCK, steady));
        float last = 0;
        for (int i = 0; i < 30; i++) {
            reader.read(
                    i < 10 ? i * BLOCK : i < 20 ? Double.NaN : (50.0 + i) * BLOCK, BLOCK, block);
            for (float sample : block) {
                assertTrue(Math.abs(sample - last) < 0.01, "step " + last + " to " + sample);
                last = sample;
            }
        }
        assertEquals(0.5, last, 1e-3);
    }

    @Test
    void place_beforeOneWhoseAudioIsNotThereYet_isReadAtOnce() {
        DoubleUnaryOperator steady = _ -> 0.5;
        ring.write(Tones.pcm(RATE_HZ, 1, 0, 100 * BLOCK, steady));
        double wanted = 98.0 * BLOCK;
        reader.read(wanted, BLOCK, block);
        reader.read(wanted + BLOCK, BLOCK, block);

        // A quarter of a second earlier: a glide would take 20 s to come to it.
        reader.read(wanted + 2 * BLOCK - 12_000, BLOCK, block);

        assertEquals(0.5, block[BLOCK - 1], 1e-3);
    }

    @Test
    void place_thatIsUnknown_isSilent() {
        reader.read(Double.NaN, BLOCK, block);

        for (float sample : block) {
            assertEquals(0, sample);
        }
    }
}
