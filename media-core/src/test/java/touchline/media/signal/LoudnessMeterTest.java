package touchline.media.signal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class LoudnessMeterTest {
    private static final double SILENCE = Double.NEGATIVE_INFINITY;

    private static double loudness(int sampleRateHz, double hz, int seconds, double... peaksDb) {
        LoudnessMeter loudness = new LoudnessMeter();
        AudioMeter meter =
                new AudioMeter(
                        sampleRateHz, peaksDb.length, block -> loudness.add(block.weighted()));
        Tone tone = new Tone(sampleRateHz, hz);
        for (int i = 0; i < seconds * AudioBlock.PER_SECOND; i++) {
            meter.add(tone.block(peaksDb));
        }
        return loudness.shortTerm();
    }

    @Test
    void weighting_at48kHz_hasTheCoefficientsOfTheRecommendation() {
        KWeighting weighting = new KWeighting(48_000);

        assertEquals(1.53512485958697, weighting.b0, 1e-9);
        assertEquals(-2.69169618940638, weighting.b1, 1e-9);
        assertEquals(1.19839281085285, weighting.b2, 1e-9);
        assertEquals(-1.69065929318241, weighting.a1, 1e-9);
        assertEquals(0.73248077421585, weighting.a2, 1e-9);
        assertEquals(-1.99004745483398, weighting.passA1, 1e-9);
        assertEquals(0.99007225036621, weighting.passA2, 1e-9);
    }

    @ParameterizedTest
    @ValueSource(ints = {22_050, 32_000, 44_100, 48_000, 96_000})
    void shortTerm_stereoSineAtMinus20_isMinus20(int sampleRateHz) {
        assertEquals(-20.0, loudness(sampleRateHz, 997, 4, -20, -20), 0.05);
    }

    @Test
    void shortTerm_sineInOneChannel_is3LuLess() {
        assertEquals(-23.0, loudness(48_000, 997, 4, -20, SILENCE), 0.05);
        assertEquals(-23.0, loudness(48_000, 997, 4, -20), 0.05);
    }

    /** BS.1770-5, table 3: 1.41, that is 1.5 dB. */
    @ParameterizedTest
    @CsvSource({"2, -23.0", "3, -120", "4, -21.5", "5, -21.5"})
    void shortTerm_channelOf51_hasItsWeight(int channel, double expected) {
        double[] peaks = new double[6];
        Arrays.fill(peaks, SILENCE);
        peaks[channel] = -20;

        assertEquals(expected, loudness(48_000, 997, 4, peaks), 0.05);
    }

    @Test
    void shortTerm_bassAndTreble_areWeighted() {
        // Values of ffmpeg's ebur128 for the same sines.
        assertEquals(-31.1, loudness(48_000, 25, 5, -20, -20), 0.2);
        assertEquals(-16.7, loudness(48_000, 8_000, 4, -20, -20), 0.1);
    }

    @Test
    void shortTerm_silence_isTheFloor() {
        assertEquals(SignalSample.FLOOR_DB, loudness(48_000, 997, 4, SILENCE, SILENCE));
        assertEquals(SignalSample.FLOOR_DB, new LoudnessMeter().shortTerm());
    }

    @Test
    void shortTerm_afterAChange_followsWithin3Seconds() {
        LoudnessMeter meter = new LoudnessMeter();
        for (int i = 0; i < 100; i++) {
            meter.add(1);
        }
        for (int i = 0; i < 29; i++) {
            meter.add(0.01);
        }
        assertEquals(-0.691 + 10 * Math.log10((1 + 0.29) / 30), meter.shortTerm(), 1e-9);
        meter.add(0.01);
        assertEquals(-20.691, meter.shortTerm(), 1e-9);
    }
}
