package touchline.packager.hls;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Parts of 1 s; the session starts at {@link TestMedia#START}. */
final class LivePositionTest extends WindowCase {
    private static final Instant START = TestMedia.START;

    @Test
    void position_beforeTheFirstPartAndBehindClose_isEmpty() {
        assertEquals(OptionalLong.empty(), LivePosition.us(window, START));
        begin();
        assertEquals(OptionalLong.empty(), LivePosition.us(window, START));
        segment(4);
        window.close();

        assertEquals(OptionalLong.empty(), LivePosition.us(window, START));
        assertEquals(OptionalLong.empty(), LivePosition.publishedUs(window));
    }

    @Test
    void position_countsUnpublishedMediaByTheWallClock() {
        begin();
        segment(4);
        long publishedUs = LivePosition.publishedUs(window).orElseThrow();

        assertEquals(
                OptionalLong.of(publishedUs + 1_500_000),
                LivePosition.us(window, START.plusNanos((publishedUs + 1_500_000) * 1_000)));
    }

    @Test
    void position_isNeverBeforeWhatIsPublished_norFarBehindIt() {
        begin();
        segment(4);
        long publishedUs = LivePosition.publishedUs(window).orElseThrow();

        assertEquals(OptionalLong.of(publishedUs), LivePosition.us(window, START));
        assertEquals(
                OptionalLong.of(publishedUs + 15_000_000),
                LivePosition.us(window, START.plusSeconds(3_600)));
    }
}
