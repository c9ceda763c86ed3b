package touchline.benchmarks.home;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Where clips are cut. */
final class ClipPlacesTest {
    @Test
    void anHour_hasAPlaceForEachRound() {
        List<Double> starts = ClipPlaces.of(3_600, 60, 5);
        assertEquals(List.of(352.7, 1060.7, 1768.7, 2476.7, 3184.7), starts);
    }

    @Test
    void shortRecording_hasAsManyPlacesAsDoNotMeet() {
        List<Double> starts = ClipPlaces.of(720, 60, 5);
        assertEquals(2, starts.size());
        assertTrue(starts.getLast() - starts.getFirst() >= 240);
        assertTrue(starts.getLast() + 60 < 720);
    }

    @Test
    void shortestRecording_hasOnePlace() {
        assertEquals(List.of(28.7), ClipPlaces.of(120, 60, 5));
    }
}
