package touchline.overlay.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

final class PresenceTest {
    private static final long FRAME_US = 40_000;

    private final Presence presence = new Presence();
    private long ptsUs = 5_000_000;

    @Test
    void nothing_beforeTheFirstFrame_isSeen() {
        assertEquals(0, presence.at(ptsUs));
    }

    @Test
    void frames_thatCome_fadeInAndStay() {
        assertEquals(0, play(FRAME_US), 0.1);
        assertEquals(0.5, play(250_000), 0.1);
        assertEquals(1, play(300_000));
        assertEquals(1, play(60_000_000));
    }

    @Test
    void frames_thatStop_freezeForTwoSecondsThenFadeOut() {
        play(1_000_000);

        assertEquals(1, pause(1_960_000));
        assertEquals(0.5, pause(290_000), 0.1);
        assertEquals(0, pause(300_000), 1e-9);
        assertEquals(0, pause(10_000_000));
        assertEquals(0.5, play(250_000), 0.1);
        assertEquals(1, play(300_000), 1e-9);
    }

    private double play(long durationUs) {
        double shown = 0;
        for (long endUs = ptsUs + durationUs; ptsUs < endUs; ptsUs += FRAME_US) {
            presence.newFrame(ptsUs);
            shown = presence.at(ptsUs);
        }
        return shown;
    }

    private double pause(long durationUs) {
        double shown = 0;
        for (long endUs = ptsUs + durationUs; ptsUs < endUs; ptsUs += FRAME_US) {
            shown = presence.at(ptsUs);
        }
        return shown;
    }
}
