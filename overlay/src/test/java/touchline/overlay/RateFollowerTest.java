package touchline.overlay;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

final class RateFollowerTest {
    private static final long FRAME_US = 40_000;

    private final RateFollower rates = new RateFollower(1280, 720);
    private long dtsUs;

    @Test
    void beforeAWindow_goesByTheSize() {
        assertEquals(2_764_800, rates.rateBps());
        send(3, 10_000_000);
        assertEquals(2_764_800, rates.rateBps());
    }

    @Test
    void afterAWindow_isALittleMoreThanWhatComesIn() {
        send(5, 4_000_000);

        assertEquals(4_600_000, rates.rateBps(), 50_000);
    }

    @Test
    void smallChange_isNotFollowed() {
        send(5, 4_000_000);
        int before = rates.rateBps();
        send(5, 4_300_000);

        assertEquals(before, rates.rateBps());
    }

    @Test
    void extremes_areBounded() {
        send(5, 10_000);
        assertEquals(RateFollower.MIN_BPS, rates.rateBps());
        send(9, 200_000_000);
        assertEquals(RateFollower.MAX_BPS, rates.rateBps());
    }

    private void send(int seconds, long bps) {
        for (int i = 0; i < seconds * 25; i++) {
            rates.add(dtsUs, bps / 8 / 25);
            dtsUs += FRAME_US;
        }
    }
}
