package touchline.packager.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each rule has a playlist that breaks it, and it alone. */
final class ConformanceCheckerTest {
    /**
     * @param rule that must be the only one to speak
     * @param playlists in the order a client reads them
     */
    record Bad(Rule rule, List<String> playlists) {
        @Override
        public String toString() {
            return rule + " " + Integer.toHexString(playlists.hashCode());
        }
    }

    static Stream<List<String>> good() {
        return Stream.of(
                List.of(Texts.LOW),
                List.of(Texts.LOW, Texts.LOW_NEXT),
                List.of(Texts.LOW_WITH_GAP),
                List.of(Texts.standard(1, 5), Texts.standard(3, 5), Texts.standard(900, 3)),
                List.of(Texts.low(1, 9, 0), Texts.low(2, 9, 0)),
                List.of(
                        Texts.standard(1, 3),
                        ended(Texts.standard(1, 4)),
                        ended(Texts.standard(1, 4))));
    }

    static Stream<Bad> bad() {
        List<Bad> cases = new ArrayList<>();
        syntax(cases);
        alone(cases);
        inARow(cases);
        return cases.stream();
    }

    private static void syntax(List<Bad> cases) {
        low(cases, Rule.SYNTAX, "#EXTM3U\n", "");
        low(cases, Rule.SYNTAX, "#EXTINF:2.0,\ns10", "#EXT-X-FANCY\n#EXTINF:2.0,\ns10");
        low(cases, Rule.SYNTAX, "#EXT-X-VERSION:9\n", "#EXT-X-VERSION:9\n#EXT-X-VERSION:9\n");
        low(cases, Rule.SYNTAX, "#EXT-X-TARGETDURATION:2\n", "");
        low(cases, Rule.SYNTAX, "TARGETDURATION:2", "TARGETDURATION:2.0");
        low(cases, Rule.SYNTAX, "URI=\"i3.mp4\"", "URI=i3.mp4");
        low(cases, Rule.SYNTAX, "INDEPENDENT=YES", "INDEPENDENT=\"YES\"");
        low(cases, Rule.SYNTAX, "DURATION=1.0,URI", "DURATION=1.0, URI");
        low(cases, Rule.SYNTAX, "DURATION=1.0,URI", "DURATION=1.0,LENGTH=7,URI");
        low(cases, Rule.SYNTAX, "DURATION=1.0,URI", "DURATION=1.0,DURATION=1.0,URI");
        low(cases, Rule.SYNTAX, "TYPE=PART,URI", "TYPE=PIECE,URI");
        low(cases, Rule.SYNTAX, "#EXTINF:2.0,\ns10.m4s\n", "#EXTINF:2.0,\n");
        low(cases, Rule.SYNTAX, "#EXTINF:2.0,\ns10.m4s\n", "s10.m4s\n");
        low(cases, Rule.SYNTAX, "#EXTINF:2.0,\n", "#EXTINF:2.0\n");
        low(cases, Rule.SYNTAX, "12:00:00.000Z", "noon");
        low(cases, Rule.SYNTAX, "s10.m4s\n", "s10.m4s\n#EXT-X-DISCONTINUITY-SEQUENCE:3\n");
        low(cases, Rule.SYNTAX, "\"s14.1.m4s\"\n", "\"s14.1.m4s\"");
        low(cases, Rule.SYNTAX, "s10.m4s", "s\u000710.m4s");
        low(
                cases,
                Rule.SYNTAX,
                "#EXT-X-PART:DURATION=1.0,URI=\"s13.1",
                "#EXT-X-DISCONTINUITY\n#EXT-X-PART:DURATION=1.0,URI=\"s13.1");
    }

    private static void alone(List<Bad> cases) {
        low(cases, Rule.VERSION, "VERSION:9", "VERSION:5");
        low(cases, Rule.PART_INF, "#EXT-X-PART-INF:PART-TARGET=1.0\n", "");
        low(cases, Rule.CAN_SKIP_UNTIL, "SKIP-UNTIL=12.0", "SKIP-UNTIL=11.999999");
        low(cases, Rule.HOLD_BACK, ",HOLD-BACK=6.0", ",HOLD-BACK=5.9");
        low(cases, Rule.PART_HOLD_BACK, "PART-HOLD-BACK=3.0", "PART-HOLD-BACK=2.9");
        low(cases, Rule.PART_HOLD_BACK, "PART-HOLD-BACK=3.0,", "");
        low(cases, Rule.DATE_TIME, "12:01:01.500Z", "12:01:01.501Z");
        low(cases, Rule.DATE_TIME, "12:01:01.500Z", "12:01:01.499Z");
        low(cases, Rule.DATE_TIME, "#EXT-X-PROGRAM-DATE-TIME:2026-11-20T12:00:02.000Z\n", "");
        low(cases, Rule.MAP, "#EXT-X-MAP:URI=\"i3.mp4\"\n", "");
        low(cases, Rule.MAP, "#EXT-X-MAP:URI=\"i4.mp4\"\n", "");
        low(cases, Rule.PRELOAD_HINT, "#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"s14.1.m4s\"\n", "");
        low(cases, Rule.PRELOAD_HINT, "TYPE=PART,URI=\"s14.1", "TYPE=PART,URI=\"s14.0");
        low(cases, Rule.PART_SUM, "#EXTINF:2.0,\ns11", "#EXTINF:1.999999,\ns11");
        low(
                cases,
                Rule.PARTS_RECENT,
                "#EXTINF:2.0,\ns10",
                """
                #EXT-X-PART:DURATION=1.0,URI="s10.0.m4s"
                #EXT-X-PART:DURATION=1.0,URI="s10.1.m4s"
                #EXTINF:2.0,
                s10""");
        low(
                cases,
                Rule.PARTS_RECENT,
                """
                #EXT-X-PART:DURATION=1.0,URI="s13.0.m4s",INDEPENDENT=YES
                #EXT-X-PART:DURATION=1.0,URI="s13.1.m4s"
                """,
                "");
        String first =
                Texts.LOW_WITH_GAP.replace("#EXTINF:2.0,\ns10", "#EXT-X-GAP\n#EXTINF:2.0,\ns10");
        cases.add(new Bad(Rule.GAP, List.of(first)));
        String longer = Texts.LOW.replace("#EXTINF:2.0,\ns10", "#EXTINF:2.5,\ns10");
        cases.add(new Bad(Rule.TARGET_DURATION, List.of(longer.replace("00:02.0", "00:02.5"))));
        String uneven = Texts.LOW.replace("1.0,URI=\"s11.0", "1.1,URI=\"s11.0");
        cases.add(
                new Bad(
                        Rule.PART_TOO_LONG,
                        List.of(uneven.replace("1.0,URI=\"s11.1", "0.9,URI=\"s11.1"))));
        String shorter = Texts.LOW.replace("1.0,URI=\"s11.0", "0.84,URI=\"s11.0");
        cases.add(
                new Bad(
                        Rule.PART_TOO_SHORT,
                        List.of(shorter.replace("#EXTINF:2.0,\ns11", "#EXTINF:1.84,\ns11"))));
    }

    private static void inARow(List<Bad> cases) {
        next(cases, Rule.SEQUENCE_BACK, "SEQUENCE:11", "SEQUENCE:9");
        next(cases, Rule.SEGMENT_CHANGED, "s13.m4s", "other.m4s");
        next(cases, Rule.SEGMENT_CHANGED, "12:00:02.000Z", "12:00:02.001Z");
        next(cases, Rule.PART_CHANGED, "s13.1.m4s", "other.m4s");
        next(cases, Rule.PART_CHANGED, "s14.0.m4s\",INDEPENDENT=YES", "s14.0.m4s\"");
        next(cases, Rule.HEAD_CHANGED, "VERSION:9", "VERSION:10");
        next(cases, Rule.DISCONTINUITY_SEQUENCE, "SEQUENCE:3", "SEQUENCE:4");
        next(cases, Rule.DISCONTINUITY_SEQUENCE, "SEQUENCE:3", "SEQUENCE:2");
        String other = Texts.standard(1, 5).replace("DURATION:2", "DURATION:3");
        cases.add(new Bad(Rule.HEAD_CHANGED, List.of(Texts.standard(1, 5), other)));
        cases.add(new Bad(Rule.SEQUENCE_BACK, List.of(Texts.standard(1, 5), Texts.standard(1, 4))));
        cases.add(new Bad(Rule.TOO_SHORT, List.of(Texts.standard(1, 5), Texts.standard(4, 2))));
        cases.add(
                new Bad(
                        Rule.EVENT_SHRINKS,
                        List.of(event(Texts.standard(1, 5)), event(Texts.standard(2, 5)))));
        cases.add(
                new Bad(
                        Rule.ENDLIST_FINAL,
                        List.of(ended(Texts.standard(1, 4)), ended(Texts.standard(1, 5)))));
        cases.add(
                new Bad(
                        Rule.ENDLIST_FINAL,
                        List.of(ended(Texts.standard(1, 4)), Texts.standard(1, 4))));
    }

    @ParameterizedTest
    @MethodSource("good")
    void goodPlaylists_haveNoFindings(List<String> playlists) {
        ConformanceChecker client = new ConformanceChecker();
        playlists.forEach(client::whole);

        assertEquals(List.of(), client.findings());
        assertEquals(playlists.size(), client.playlists());
    }

    @ParameterizedTest
    @MethodSource("bad")
    void badPlaylist_isFoundByItsRuleAlone(Bad bad) {
        ConformanceChecker client = new ConformanceChecker();
        bad.playlists().forEach(client::whole);

        assertEquals(Set.of(bad.rule()), rules(client.findings()), client.findings()::toString);
        assertFalse(client.findings().getFirst().excerpt().isEmpty());
    }

    @Test
    void rules_allHaveACase() {
        Set<Rule> covered = EnumSet.noneOf(Rule.class);
        bad().forEach(bad -> covered.add(bad.rule()));
        DeltaUpdateTest.bad().forEach(bad -> covered.add(bad.rule()));
        MediaCheckerTest.bad().forEach(bad -> covered.add(bad.rule()));
        RenditionRulesTest.bad().forEach(bad -> covered.add(bad.rule()));

        assertEquals(EnumSet.allOf(Rule.class), covered);
    }

    @Test
    void hintedPart_thatDidNotCome_isCounted() {
        ConformanceChecker client = new ConformanceChecker();
        client.whole(Texts.LOW.replace("s14.1.m4s", "s14.7.m4s"));
        client.whole(Texts.LOW_NEXT);

        assertEquals(1, client.hints());
        assertEquals(1, client.wrongHints());
        assertEquals(List.of(), client.findings());
    }

    @Test
    void hintedPart_thatCame_isNotWrong() {
        ConformanceChecker client = new ConformanceChecker();
        client.whole(Texts.LOW);
        client.whole(Texts.LOW_NEXT);

        assertEquals(1, client.hints());
        assertEquals(0, client.wrongHints());
    }

    @Test
    void finding_namesClauseAndExcerpt() {
        ConformanceChecker client = new ConformanceChecker();
        client.whole(Texts.LOW.replace("PART-HOLD-BACK=3.0", "PART-HOLD-BACK=0.5"));

        String text = client.findings().getFirst().toString();
        assertTrue(text.contains("4.4.3.8"), text);
        assertTrue(text.contains("PART-HOLD-BACK=0.5"), text);
    }

    static Set<Rule> rules(List<Finding> findings) {
        return findings.stream().map(Finding::rule).collect(Collectors.toSet());
    }

    private static void low(List<Bad> cases, Rule rule, String from, String to) {
        cases.add(new Bad(rule, List.of(spoilt(Texts.LOW, from, to))));
    }

    private static void next(List<Bad> cases, Rule rule, String from, String to) {
        cases.add(new Bad(rule, List.of(Texts.LOW, spoilt(Texts.LOW_NEXT, from, to))));
    }

    private static String spoilt(String text, String from, String to) {
        int at = text.indexOf(from);
        if (at < 0) {
            throw new IllegalArgumentException(from);
        }
        return text.substring(0, at) + to + text.substring(at + from.length());
    }

    private static String ended(String text) {
        return text + "#EXT-X-ENDLIST\n";
    }

    private static String event(String text) {
        return text.replace("VERSION:7\n", "VERSION:7\n#EXT-X-PLAYLIST-TYPE:EVENT\n");
    }
}
