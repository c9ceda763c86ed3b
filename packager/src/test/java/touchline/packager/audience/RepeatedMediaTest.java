package touchline.packager.audience;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RepeatedMediaTest {
    private static final int WINDOW = 30;

    private final RepeatedMedia media = new RepeatedMedia();
    private final SplittableRandom names = new SplittableRandom(7);

    /** Each of the players gets the next segment. */
    private void segment(int players, int second) {
        long name = names.nextLong();
        for (int i = 0; i < players; i++) {
            media.sent(name, second);
        }
    }

    @Test
    void players_areThoseOfTheSegmentSentMostOften() {
        assertEquals(0, media.players(0, WINDOW));
        segment(1, 0);
        assertEquals(1, media.players(0, WINDOW));
        segment(3, 4);
        segment(2, 8);
        assertEquals(3, media.players(8, WINDOW));
    }

    @Test
    void players_thatLeft_areForgottenAfterTheWindow() {
        segment(5, 100);
        for (int second = 104; second <= 130; second += 4) {
            segment(2, second);
        }
        assertEquals(5, media.players(130, WINDOW));
        assertEquals(2, media.players(131, WINDOW));
        assertEquals(0, media.players(200, WINDOW));
    }

    @Test
    void players_withManySegmentsAtOnce_areStillFound() {
        int exact = 0;
        for (int round = 0; round < 100; round++) {
            RepeatedMedia ofRound = new RepeatedMedia();
            // Five players, one second apart, with video and audio in segments of two seconds.
            long[] all = names.longs(60).toArray();
            for (int second = 0; second < 30; second++) {
                for (int player = 0; player < 5; player++) {
                    int segment = (second - player) / 2;
                    if (second >= player && (second - player) % 2 == 0) {
                        ofRound.sent(all[segment * 2], second);
                        ofRound.sent(all[segment * 2 + 1], second);
                    }
                }
            }
            exact += ofRound.players(30, WINDOW) == 5 ? 1 : 0;
        }
        assertEquals(100, exact);
    }

    @Test
    void sent_veryOften_isBounded() {
        for (int i = 0; i < 10_000; i++) {
            media.sent(42, 5);
        }
        assertEquals(4095, media.players(5, WINDOW));
    }
}
