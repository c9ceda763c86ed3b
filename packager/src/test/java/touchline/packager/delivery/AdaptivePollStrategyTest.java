package touchline.packager.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static touchline.packager.delivery.AdaptivePollStrategy.CLOSE_NS;
import static touchline.packager.delivery.AdaptivePollStrategy.MANY;
import static touchline.packager.delivery.AdaptivePollStrategy.SLEEP_NS;
import static touchline.packager.delivery.AdaptivePollStrategy.WORTH_EVENTS;

import io.netty.channel.SelectStrategy;
import org.junit.jupiter.api.Test;

final class AdaptivePollStrategyTest {
    private long nowNs = 1;
    private long nappedNs;
    private int ready;

    private final AdaptivePollStrategy moderation =
            new AdaptivePollStrategy(
                    () -> nowNs,
                    ns -> {
                        nappedNs += ns;
                        nowNs += ns;
                    });

    @Test
    void loop_thatIsWokenNowAndThen_waitsAsAlways() throws Exception {
        for (int i = 0; i < 10 * MANY; i++) {
            assertEquals(SelectStrategy.SELECT, turn(CLOSE_NS));
        }

        assertEquals(0, nappedNs);
    }

    @Test
    void loop_thatIsWokenAllTheTime_pollsAndTakesWhatHasCome() throws Exception {
        wakeOften();
        ready = WORTH_EVENTS + 7;

        assertEquals(WORTH_EVENTS + 7, turn(CLOSE_NS - 1));
        assertEquals(SLEEP_NS, nappedNs);
        assertEquals(WORTH_EVENTS + 7, turn(CLOSE_NS * 3));
        assertEquals(2 * SLEEP_NS, nappedNs);
    }

    @Test
    void nap_thatBroughtLittle_isTheLast() throws Exception {
        wakeOften();
        ready = WORTH_EVENTS - 1;
        assertEquals(WORTH_EVENTS - 1, turn(0));

        assertEquals(SelectStrategy.SELECT, turn(0));
        assertEquals(SLEEP_NS, nappedNs);
    }

    @Test
    void nap_thatBroughtNothing_blocks() throws Exception {
        wakeOften();
        ready = 0;

        assertEquals(SelectStrategy.SELECT, turn(0));
    }

    @Test
    void loop_withTasks_neverSleeps() throws Exception {
        wakeOften();
        ready = 2;

        assertEquals(2, moderation.calculateStrategy(() -> ready, /* hasTasks= */ true));
        assertEquals(0, nappedNs);
    }

    private void wakeOften() throws Exception {
        for (int i = 0; i < MANY; i++) {
            assertEquals(SelectStrategy.SELECT, turn(CLOSE_NS - 1));
        }
    }

    private int turn(long afterNs) throws Exception {
        nowNs += afterNs;
        return moderation.calculateStrategy(() -> ready, /* hasTasks= */ false);
    }
}
