package touchline.api.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import touchline.media.ffmpeg.Pcm;

final class MatchAudioTest {
    @Test
    void next_threeSeconds_beepsAtEachSecondOnly() {
        Pcm pcm = new MatchAudio(5).next(3 * MatchAudio.RATE_HZ);
        for (int second = 0; second < 3; second++) {
            int start = second * MatchAudio.RATE_HZ;
            assertTrue(tone(pcm, start, 4_800) > 0.25, "beep of second " + second);
            assertTrue(tone(pcm, start + 4_800, 4_800) < 0.05, "silence after it");
            assertTrue(tone(pcm, start + 43_200, 4_800) < 0.05, "silence before the next");
        }
    }

    @Test
    void next_anyBlockSize_isTheSameAudio() {
        MatchAudio whole = new MatchAudio(9);
        MatchAudio parts = new MatchAudio(9);
        Pcm expected = whole.next(3_200);
        Pcm first = parts.next(1_600);
        Pcm second = parts.next(1_600);

        assertEquals(0, first.startFrame());
        assertEquals(1_600, second.startFrame());
        for (int i = 0; i < 1_600; i++) {
            assertEquals(expected.sample(i, 0), first.sample(i, 0));
            assertEquals(expected.sample(1_600 + i, 1), second.sample(i, 1));
        }
    }

    @Test
    void next_minute_neverClips() {
        Pcm pcm = new MatchAudio(3).next(60 * MatchAudio.RATE_HZ);
        double loudest = 0;
        for (int i = 0; i < pcm.frames(); i++) {
            loudest = Math.max(loudest, Math.abs(pcm.sample(i, i % 2)));
        }
        assertTrue(loudest < 0.95, "loudest: " + loudest);
    }

    /** Amplitude of the beep's frequency. */
    private static double tone(Pcm pcm, int from, int count) {
        double sine = 0;
        double cosine = 0;
        for (int i = 0; i < count; i++) {
            double phase = 2 * Math.PI * MatchAudio.BEEP_HZ * i / MatchAudio.RATE_HZ;
            sine += pcm.sample(from + i, 0) * Math.sin(phase);
            cosine += pcm.sample(from + i, 0) * Math.cos(phase);
        }
        return 2 * Math.hypot(sine, cosine) / count;
    }
}
