package touchline.media.rendition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class LoadRulesTest {
    private final AtomicLong nowNs = new AtomicLong(5_000_000_000L);
    private double hostLoad = 0.3;
    private final LoadRules rules = new LoadRules(() -> 2, () -> hostLoad, nowNs::get);

    @Test
    void take_upToTheLimit() {
        assertTrue(rules.take());
        assertTrue(rules.take());
        assertFalse(rules.take());

        rules.release();

        assertTrue(rules.take());
        assertEquals(2, rules.running());
    }

    @Test
    void mayDrop_onceUntilTheDropHasItsEffect() {
        assertTrue(rules.mayDrop());
        assertFalse(rules.mayDrop());

        passMs(700);

        assertTrue(rules.mayDrop());
    }

    @Test
    void mayTakeBack_afterASteadyWhile_oneEachTime() {
        assertTrue(rules.mayDrop());
        passMs(19_999);
        assertFalse(rules.mayTakeBack());
        passMs(1);
        assertTrue(rules.mayTakeBack());
        assertFalse(rules.mayTakeBack());
        passMs(20_000);
        assertTrue(rules.mayTakeBack());
    }

    @Test
    void strain_startsTheWhileAnew() {
        passMs(15_000);
        assertTrue(rules.mayDrop());
        passMs(15_000);
        assertFalse(rules.mayTakeBack());
        passMs(5_000);
        assertTrue(rules.mayTakeBack());
    }

    @Test
    void takenBackTooEarly_waitsTwiceAsLong() {
        assertTrue(rules.mayDrop());
        passMs(20_000);
        assertTrue(rules.mayTakeBack());
        passMs(3_000);
        assertTrue(rules.mayDrop());

        passMs(39_999);
        assertFalse(rules.mayTakeBack());
        passMs(1);
        assertTrue(rules.mayTakeBack());
    }

    @Test
    void longCalm_forgivesAnEarlyReturn() {
        assertTrue(rules.mayDrop());
        passMs(20_000);
        assertTrue(rules.mayTakeBack());
        passMs(3_000);
        assertTrue(rules.mayDrop());
        passMs(40_000);
        assertTrue(rules.mayTakeBack());
        passMs(80_000);
        assertTrue(rules.mayTakeBack());
        passMs(20_000);

        assertTrue(rules.mayTakeBack());
    }

    @Test
    void busyHost_takesNothingBack() {
        passMs(60_000);
        hostLoad = 0.9;
        assertFalse(rules.mayTakeBack());
        hostLoad = -1;
        assertTrue(rules.mayTakeBack());
    }

    @Test
    void hostLimit_countsProcessorsAndCompositors() {
        assertEquals(12, LoadRules.hostLimit(2, 0));
        assertEquals(6, LoadRules.hostLimit(2, 2));
        assertEquals(1, LoadRules.hostLimit(2, 10));
    }

    private void passMs(long ms) {
        nowNs.addAndGet(TimeUnit.MILLISECONDS.toNanos(ms));
    }
}
