package touchline.packager.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import touchline.media.codec.MalformedMediaException;
import touchline.packager.record.AssetClock.Range;
import touchline.packager.record.AssetClock.Span;

final class AssetClockTest {
    /** Two segments, a jump of media time, one segment of audio alone, another jump, and one. */
    private static final List<Span> SEGMENTS =
            List.of(
                    new Span(0, 4_000_000),
                    new Span(0, 2_500_000),
                    new Span(1, 3_000_000),
                    new Span(2, 1_000_000));

    /** Media time of the first frame of each segment. */
    private static final List<Long> FIRST_US = List.of(66_666L, 0L, 20_000_000L, 90_000_123L);

    private final AssetClock clock = AssetClock.of(SEGMENTS, index -> FIRST_US.get(index));

    @Test
    void ranges_areSegmentsWithoutADiscontinuity_oneBehindTheOther() {
        assertEquals(
                List.of(
                        new Range(0, 0, 2, 0, 6_500_000),
                        new Range(1, 2, 3, 6_500_000, 9_500_000),
                        new Range(2, 3, 4, 9_500_000, 10_500_000)),
                clock.ranges());
        assertEquals(10_500_000, clock.durationUs());
    }

    @Test
    void mediaUs_ofATime_countsFromTheFirstFrameOfItsRange() throws IOException {
        assertEquals(66_666, clock.mediaUs(0));
        assertEquals(66_666 + 6_499_999, clock.mediaUs(6_499_999));
        assertEquals(20_000_000, clock.mediaUs(6_500_000));
        assertEquals(90_000_123 + 999_999, clock.mediaUs(10_499_999));
        assertEquals(90_000_123 + 5_000_000, clock.mediaUs(14_500_000), "behind the end");
    }

    @Test
    void shiftUs_ofARange_isMediaTimeMinusAssetTime() throws IOException {
        assertEquals(20_000_000 - 6_500_000, clock.shiftUs(clock.at(7_000_000)));
    }

    @Test
    void of_noSegments_isNoRecording() {
        assertThrows(MalformedMediaException.class, () -> AssetClock.of(List.of(), _ -> 0));
    }
}
