package touchline.packager.hls;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

final class SessionZeroTest {
    private final SessionZero zero = new SessionZero();

    @Test
    void newSession_countsFromItsFirstFrame() {
        assertEquals(OptionalLong.empty(), zero.us());
        zero.begin(40_000);
        zero.begin(9_000_000);

        assertEquals(OptionalLong.of(40_000), zero.us());
        zero.clear();
        assertEquals(OptionalLong.empty(), zero.us());
    }

    @Test
    void resumedSession_countsAsBefore() {
        zero.resume(OptionalLong.of(40_000));
        zero.begin(9_000_000);

        assertEquals(OptionalLong.of(40_000), zero.us());
    }

    /** 20 s were recorded, 5 s of media time are lost. */
    @Test
    void recordingOfAnotherServer_leavesTheGapOut_wheneverItIsKnown() {
        zero.resume(OptionalLong.of(40_000));
        zero.begin(25_040_000);
        assertEquals(OptionalLong.of(40_000), zero.us());
        zero.startsAt(20_000_000);
        assertEquals(OptionalLong.of(5_040_000), zero.us());
        zero.begin(60_000_000);
        assertEquals(OptionalLong.of(5_040_000), zero.us(), "a later timeline changes nothing");

        SessionZero early = new SessionZero();
        early.resume(OptionalLong.of(40_000));
        early.startsAt(20_000_000);
        assertEquals(OptionalLong.of(40_000), early.us());
        early.begin(25_040_000);
        assertEquals(OptionalLong.of(5_040_000), early.us());
    }
}
