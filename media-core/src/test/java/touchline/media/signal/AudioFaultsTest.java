package touchline.media.signal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import touchline.media.ffmpeg.Pcm;

final class AudioFaultsTest {
    private static final double SILENCE = Double.NEGATIVE_INFINITY;

    private final SignalCounters counters = new SignalCounters();
    private final Listened listened = new Listened();
    private final AudioFaults faults = new AudioFaults(listened.active(counters));
    private final AudioMeter meter = new AudioMeter(48_000, 2, faults::add);
    private final Tone tone = new Tone(48_000, 440);

    private void play(double seconds, double left, double right) {
        for (int i = 0; i < Math.round(seconds * AudioBlock.PER_SECOND); i++) {
            meter.add(tone.block(left, right));
        }
    }

    private void clip(double seconds) {
        for (int i = 0; i < Math.round(seconds * AudioBlock.PER_SECOND); i++) {
            meter.add(tone.clipped(1, 6, 6));
        }
    }

    @Test
    void silence_of8Seconds_beginsOnceAndEndsWithTheFirstAudio() {
        play(2, -20, -20);
        play(7.9, SILENCE, SILENCE);
        assertEquals(List.of(), listened.faults);
        assertEquals(7.9, faults.silentS(), 1e-9);

        play(0.1, SILENCE, SILENCE);
        assertEquals(List.of("+audio_silent"), listened.faults);
        play(20, SILENCE, SILENCE);
        assertEquals(28, faults.silentS(), 1e-9);
        assertEquals(1, counters.active(SignalFault.AUDIO_SILENT));

        play(0.1, -40, SILENCE);
        assertEquals(List.of("+audio_silent", "-audio_silent"), listened.faults);
        assertEquals(0, faults.silentS());
        assertEquals(0, counters.active(SignalFault.AUDIO_SILENT));
        assertEquals(1, counters.begun(SignalFault.AUDIO_SILENT));
    }

    /** A sine of -60 dBFS RMS has a peak of -57. */
    @ParameterizedTest
    @CsvSource({"-57.5, 1", "-56.5, 0"})
    void level_around60DbBelowFullScale_isSilentBelowIt(double peakDb, int expected) {
        play(9, peakDb, peakDb);

        assertEquals(expected, counters.begun(SignalFault.AUDIO_SILENT));
    }

    @Test
    void silence_interrupted_startsAgain() {
        for (int i = 0; i < 5; i++) {
            play(7, SILENCE, SILENCE);
            play(0.1, -50, -50);
        }

        assertEquals(List.of(), listened.faults);
    }

    @ParameterizedTest
    @CsvSource({"-20, -90", "-90, -20", "-20, -51"})
    void oneSide_for8Seconds_beginsAndEnds(double left, double right) {
        play(8, left, right);
        assertEquals(List.of("+audio_one_sided"), listened.faults);
        play(30, left, right);

        play(0.1, -20, -30);
        assertEquals(List.of("+audio_one_sided", "-audio_one_sided"), listened.faults);
    }

    @Test
    void oneSide_withPauses_beginsAllTheSame() {
        for (int i = 0; i < 10; i++) {
            play(1, -20, SILENCE);
            play(2, -70, SILENCE);
        }

        assertEquals(List.of("+audio_one_sided"), listened.faults);
    }

    @Test
    void oneSide_thenSilence_endsWhenSilenceBegins() {
        play(9, -20, SILENCE);
        play(9, SILENCE, SILENCE);

        assertEquals(
                List.of("+audio_one_sided", "+audio_silent", "-audio_one_sided"), listened.faults);
    }

    @Test
    void sides_inTurns_areNoFault() {
        for (int i = 0; i < 10; i++) {
            play(4, -20, SILENCE);
            play(4, SILENCE, -20);
        }
        play(20, -20, -45);

        assertEquals(List.of(), listened.faults);
    }

    @Test
    void clipping_beginsWithinASecondAndEndsWithin2() {
        play(3, -1, -1);
        clip(0.7);
        assertEquals(List.of(), listened.faults);
        clip(0.1);
        assertEquals(List.of("+audio_clipping"), listened.faults);
        clip(60);
        play(1.4, -1, -1);
        assertEquals(List.of("+audio_clipping"), listened.faults);
        play(0.1, -1, -1);
        assertEquals(List.of("+audio_clipping", "-audio_clipping"), listened.faults);
    }

    @Test
    void clipping_singleMoments_areNoFault() {
        for (int i = 0; i < 20; i++) {
            clip(0.1);
            play(1.4, -6, -6);
        }

        assertEquals(List.of(), listened.faults);
    }

    @Test
    void mono_isNeverOneSided() {
        AudioMeter mono = new AudioMeter(44_100, 1, faults::add);
        Tone one = new Tone(44_100, 440);
        for (int i = 0; i < 200; i++) {
            mono.add(one.block(-20));
        }

        assertEquals(List.of(), listened.faults);
    }

    @Test
    void samples_thatAreNoNumbers_countAsZero() {
        AudioMeter meter = new AudioMeter(8_000, 1, block -> assertEquals(0, block.peak(0)));
        float[] bad = new float[800];
        Arrays.fill(bad, Float.NaN);
        bad[7] = Float.POSITIVE_INFINITY;
        meter.add(Pcm.of(8_000, 1, 0, bad));
    }
}
