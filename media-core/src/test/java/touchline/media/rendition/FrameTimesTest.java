package touchline.media.rendition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import touchline.media.rendition.FrameTimes.Times;

final class FrameTimesTest {
    private final FrameTimes times = new FrameTimes();

    @Test
    void bFrames_getDecodeTimesInPresentationOrder() {
        times.add(0, 20, true);
        times.add(10, 50, false);
        times.add(20, 30, false);
        times.add(30, 40, false);

        List<Times> out = new ArrayList<>();
        for (long pts : List.of(20L, 30L, 40L, 50L)) {
            out.addAll(times.upTo(pts));
        }

        assertEquals(
                List.of(
                        new Times(0, 20, true),
                        new Times(10, 30, false),
                        new Times(20, 40, false),
                        new Times(30, 50, false)),
                out);
        assertTrue(out.stream().allMatch(each -> each.ptsTicks() >= each.dtsTicks()));
    }

    @Test
    void missingFrames_areDueWithTheNextOne() {
        times.add(0, 0, true);
        times.add(10, 10, false);
        times.add(20, 20, true);

        assertEquals(
                List.of(new Times(0, 0, true), new Times(10, 10, false), new Times(20, 20, true)),
                times.upTo(20));
        assertTrue(times.isEmpty());
    }

    @Test
    void sameOrEarlierPresentation_isIgnoredWithItsDecodeTime() {
        times.add(0, 0, true);
        times.add(5, 0, false);
        assertEquals(List.of(new Times(0, 0, true)), times.upTo(0));
        times.add(8, 0, false);
        times.add(10, 10, false);

        assertEquals(List.of(new Times(10, 10, false)), times.upTo(10));
        assertFalse(times.isFull());
    }

    @Test
    void framesBeforeAnOpenKeyFrame_getItsDecodeTime() {
        times.add(100, 130, true);
        times.add(110, 110, false);
        times.add(120, 120, false);

        assertEquals(
                List.of(
                        new Times(100, 110, false),
                        new Times(110, 120, false),
                        new Times(120, 130, true)),
                times.upTo(130));
    }
}
