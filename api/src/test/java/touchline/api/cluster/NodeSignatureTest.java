package touchline.api.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import touchline.api.access.MasterKeys;

final class NodeSignatureTest {
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final String KEY = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
    private static final String OTHER_KEY = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAE=";
    private static final String PATH = "/internal/v1/state?a=b";

    @TempDir private Path folder;

    private NodeSignature at(String node, String key, Instant time) {
        return new NodeSignature(MasterKeys.load(Optional.of(key), folder), node, () -> time);
    }

    private Optional<String> verified(String signature, Instant time) {
        return at("node-b", KEY, time).verify(signature, "GET", PATH);
    }

    @Test
    void signature_ofAnotherNode_namesIt() {
        String signature = at("node.a-1", KEY, NOW).sign("GET", PATH);

        assertEquals(Optional.of("node.a-1"), verified(signature, NOW));
    }

    @Test
    void signature_isGoodForHalfAMinute() {
        String signature = at("node-a", KEY, NOW).sign("GET", PATH);

        for (int s : new int[] {-30, 30}) {
            assertEquals(Optional.of("node-a"), verified(signature, NOW.plusSeconds(s)));
        }
        for (int s : new int[] {-31, 31}) {
            assertEquals(Optional.empty(), verified(signature, NOW.plusSeconds(s)));
        }
    }

    @Test
    void signature_isForOneCall() {
        String signature = at("node-a", KEY, NOW).sign("GET", PATH);
        NodeSignature other = at("node-b", KEY, NOW);

        assertEquals(Optional.empty(), other.verify(signature, "PUT", PATH));
        assertEquals(Optional.empty(), other.verify(signature, "GET", PATH + "c"));
        assertEquals(
                Optional.empty(), other.verify(signature.replace("node-a", "node-c"), "GET", PATH));
        assertEquals(Optional.empty(), at("node-b", OTHER_KEY, NOW).verify(signature, "GET", PATH));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ".",
                "..",
                "a.b.c",
                "node-a.1.",
                "node-a..AAAA",
                "node-a.9223372036854775807.AAAA",
                "node-a.1.###",
                ".1772366400000.AAAA"
            })
    void text_thatIsNoSignature_isRefused(String text) {
        assertEquals(Optional.empty(), verified(text, NOW));
    }

    @Test
    void time_goesOnByTheMonotonicClock_betweenReadings() {
        long[] nanos = {5};
        DatabaseClock clock = new DatabaseClock(NOW, () -> nanos[0]);

        nanos[0] += Duration.ofSeconds(2).toNanos();
        assertEquals(NOW.plusSeconds(2), clock.instant());
        clock.read(NOW.plusSeconds(90));
        assertEquals(NOW.plusSeconds(90), clock.instant());
        assertNotEquals(NOW, clock.newest());
    }
}
