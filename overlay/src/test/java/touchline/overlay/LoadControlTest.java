package touchline.overlay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import touchline.media.ffmpeg.VideoSettings.Speed;

final class LoadControlTest {
    private static final long FRAME_US = 40_000;

    private final LoadControl load = new LoadControl(Speed.VERYFAST);
    private long ptsUs;
    private int dropped;
    private int longestGap;

    @Test
    void halfLoad_forMinutes_changesNothing() {
        run(180, 20_000_000, 0);

        assertEquals(Speed.VERYFAST, load.speed());
        assertEquals(0, dropped);
        assertEquals(0.5, load.load(), 0.05);
    }

    @Test
    void fullLoad_firstGivesQuality() {
        run(2, 50_000_000, 0);

        assertEquals(Speed.SUPERFAST, load.speed());
        assertEquals(0, dropped);
    }

    @Test
    void fullLoad_atTheLightest_leavesFramesOutEvenly() {
        run(20, 60_000_000, 0);

        assertEquals(Speed.ULTRAFAST, load.speed());
        assertTrue(load.dropping());
        dropped = 0;
        longestGap = 0;
        run(10, 60_000_000, 0);
        // 60 ms of work per 40 ms: drops a third, never two in a row.
        assertTrue(dropped >= 250 / 3 - 1 && dropped <= 250 / 2 + 1, "dropped: " + dropped);
        assertEquals(1, longestGap);
    }

    @Test
    void growingAge_withoutLoad_givesQualityToo() {
        run(2, 10_000_000, 200_000_000);

        assertEquals(Speed.SUPERFAST, load.speed());
    }

    @Test
    void tooOldFrame_isLeftOutAtOnce() {
        run(1, 10_000_000, 0);

        assertTrue(load.drops(LoadControl.MAX_AGE_NS + 1, ptsUs));
        assertFalse(load.drops(0, ptsUs + FRAME_US));
    }

    @Test
    void relief_bringsFramesBackFirst_thenQuality() {
        run(20, 60_000_000, 0);
        int steps = 0;
        while (load.dropping() && steps++ < 100) {
            run(1, 8_000_000, 0);
            assertEquals(Speed.ULTRAFAST, load.speed());
        }
        assertFalse(load.dropping());

        run(1_000, 8_000_000, 0);

        assertEquals(Speed.VERYFAST, load.speed());
    }

    @Test
    void lowLoad_restoresFullQualityWithinAMinute() {
        run(20, 60_000_000, 0);
        assertTrue(load.dropping());

        run(11, 8_000_000, 0);
        assertFalse(load.dropping());
        run(30, 8_000_000, 0);

        assertEquals(Speed.VERYFAST, load.speed());
    }

    @Test
    void trialThatFails_isRepeatedMoreSeldom() {
        int changes = 0;
        Speed last = load.speed();
        int late = 0;
        for (int second = 0; second < 1_200; second++) {
            // Too much for veryfast, little for superfast.
            run(1, load.speed() == Speed.VERYFAST ? 45_000_000 : 15_000_000, 0);
            if (load.speed() != last) {
                changes++;
                late += second >= 600 ? 1 : 0;
                last = load.speed();
            }
        }
        assertEquals(0, dropped);
        assertTrue(changes >= 3, "changes: " + changes);
        assertTrue(late <= 6, "late changes: " + late);
    }

    @Test
    void gapInTheSource_doesNotCountAsLoad() {
        run(5, 20_000_000, 0);
        ptsUs += 60_000_000;
        run(1, 20_000_000, 0);

        assertEquals(Speed.VERYFAST, load.speed());
    }

    private void run(int seconds, long busyNs, long ageNs) {
        int gap = 0;
        for (int i = 0; i < seconds * 25; i++) {
            ptsUs += FRAME_US;
            if (load.drops(ageNs, ptsUs)) {
                dropped++;
                gap++;
                longestGap = Math.max(longestGap, gap);
            } else {
                gap = 0;
                load.spent(busyNs);
            }
        }
    }
}
