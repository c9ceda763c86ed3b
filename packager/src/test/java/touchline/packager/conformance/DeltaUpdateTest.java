package touchline.packager.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class DeltaUpdateTest {
    private static final String FIRST = Texts.low(1, 9, 0);
    private static final String WHOLE = Texts.low(2, 9, 0);
    private static final String DELTA = Texts.low(2, 9, 3);

    /**
     * @param rule that must be the only one to speak
     */
    record Bad(Rule rule, String delta, String whole) {}

    static Stream<Bad> bad() {
        return Stream.of(
                new Bad(Rule.SKIP_BOUNDARY, Texts.low(2, 9, 4), WHOLE),
                new Bad(Rule.SKIP_BOUNDARY, DELTA.replace("CAN-SKIP-UNTIL=12.0,", ""), noSkip()),
                new Bad(Rule.SKIP_BOUNDARY, Texts.low(0, 9, 3), Texts.low(0, 9, 0)),
                new Bad(Rule.VERSION, version8(DELTA), version8(WHOLE)),
                new Bad(Rule.DELTA_DIFFERS, DELTA.replace("s11.0.m4s", "s99.0.m4s"), WHOLE),
                new Bad(Rule.DELTA_DIFFERS, DELTA, Texts.low(2, 10, 0)));
    }

    @Test
    void delta_withWhatTheClientHas_isTheWholePlaylist() {
        ConformanceChecker client = new ConformanceChecker();
        client.whole(FIRST);
        client.delta(DELTA, WHOLE);

        assertEquals(List.of(), client.findings());
        assertEquals(1, client.deltas());
        assertEquals(9, client.latest().orElseThrow().segments().size());
    }

    @Test
    void delta_overADiscontinuity_keepsItsNumbers() {
        ConformanceChecker client = new ConformanceChecker();
        client.whole(broken(Texts.low(1, 9, 0)));
        String whole = broken(Texts.low(2, 9, 0));
        client.delta(Texts.low(2, 9, 3), whole);
        String behind = Texts.low(3, 9, 0).replace("i0.mp4", "i1.mp4");
        String numbered = "SEQUENCE:3\n#EXT-X-DISCONTINUITY-SEQUENCE:1\n";
        client.delta(
                Texts.low(3, 9, 3).replace("SEQUENCE:3\n", numbered),
                behind.replace("SEQUENCE:3\n", numbered));

        assertEquals(List.of(), client.findings());
        assertEquals(2, client.deltas());
    }

    @ParameterizedTest
    @MethodSource("bad")
    void badDelta_isFoundByItsRuleAlone(Bad bad) {
        ConformanceChecker client = new ConformanceChecker();
        client.whole(bad.rule() == Rule.VERSION ? version8(FIRST) : firstFor(bad));
        client.delta(bad.delta(), bad.whole());

        assertEquals(
                Set.of(bad.rule()),
                ConformanceCheckerTest.rules(client.findings()),
                client.findings()::toString);
    }

    @Test
    void delta_withoutAPlaylistBefore_isFound() {
        ConformanceChecker client = new ConformanceChecker();

        assertTrue(client.delta(DELTA).isEmpty());
        assertEquals(Set.of(Rule.SKIP_BOUNDARY), ConformanceCheckerTest.rules(client.findings()));
    }

    @Test
    void delta_notRequested_isFound() {
        ConformanceChecker client = new ConformanceChecker();
        client.whole(DELTA);

        assertEquals(Set.of(Rule.SYNTAX), ConformanceCheckerTest.rules(client.findings()));
    }

    private static String firstFor(Bad bad) {
        return bad.whole().equals(noSkip()) ? FIRST.replace("CAN-SKIP-UNTIL=12.0,", "") : FIRST;
    }

    private static String noSkip() {
        return WHOLE.replace("CAN-SKIP-UNTIL=12.0,", "");
    }

    private static String version8(String text) {
        return text.replace("VERSION:9", "VERSION:8");
    }

    /** A discontinuity before s3. */
    private static String broken(String text) {
        return text.replace(
                "s2.m4s\n", "s2.m4s\n#EXT-X-DISCONTINUITY\n#EXT-X-MAP:URI=\"i1.mp4\"\n");
    }
}
