package touchline.benchmarks.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Which rules of the deployed file the benchmark uses. */
final class BalancerTest {
    private static final List<String> FILE =
            List.of(
                    "# about it",
                    "defaults",
                    "    retries 2",
                    "",
                    "backend api",
                    "    mode http",
                    "# Viewers",
                    "backend playback",
                    "    balance hash",
                    "    server node-1 node-1:8081 check");

    @Test
    void section_isTakenWithItsHeading() {
        assertEquals(List.of("defaults", "    retries 2"), Balancer.section(FILE, "defaults"));
        assertEquals(
                List.of("backend api", "    mode http"), Balancer.section(FILE, "backend api"));
        assertEquals(FILE.subList(7, 10), Balancer.section(FILE, "backend playback"));
    }

    @Test
    void sectionThatIsMissing_isAnError() {
        assertThrows(IllegalArgumentException.class, () -> Balancer.section(FILE, "backend other"));
    }
}
