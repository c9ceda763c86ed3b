package touchline.packager.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Playlists of a source and one rendition; {@link Texts#LOW} ends with the first part of s14. */
final class RenditionRulesTest {
    private static final String SOURCE = Texts.LOW + report("480p/media.m3u8", 14, 0);
    private static final String OWN = Texts.LOW + report("../media.m3u8", 14, 0);

    /**
     * @param rule that must be the only one to speak
     * @param own playlist of the rendition
     */
    record Bad(Rule rule, String source, String own) {}

    static Stream<Bad> bad() {
        return Stream.of(
                differs("#EXTINF:2.0,\ns13", "#EXTINF:1.999999,\ns13"),
                differs("12:01:03.500Z", "12:01:03.501Z"),
                differs("1.0,URI=\"s14.0", "0.9,URI=\"s14.0"),
                differs("s14.0.m4s\",INDEPENDENT=YES", "s14.0.m4s\""),
                differs("#EXT-X-DISCONTINUITY\n", ""),
                differs("DISCONTINUITY-SEQUENCE:3", "DISCONTINUITY-SEQUENCE:2"),
                differs("MEDIA-SEQUENCE:10", "MEDIA-SEQUENCE:11"),
                differs("TARGETDURATION:2", "TARGETDURATION:3"),
                new Bad(Rule.RENDITION_DIFFERS, SOURCE, without10()),
                reports(SOURCE, Texts.LOW),
                reports(Texts.LOW, OWN),
                reports(SOURCE, OWN.replace("../media", "media")),
                reports(SOURCE, OWN + report("../media.m3u8", 14, 0)),
                reports(SOURCE, OWN.replace("LAST-PART=0", "LAST-PART=1")),
                reports(SOURCE.replace("LAST-MSN=14", "LAST-MSN=15"), OWN),
                reports(SOURCE.replace("LAST-MSN=14,LAST-PART=0", "LAST-MSN=13,LAST-PART=0"), OWN));
    }

    private static Bad differs(String from, String to) {
        assertTrue(OWN.contains(from), from);
        return new Bad(Rule.RENDITION_DIFFERS, SOURCE, OWN.replace(from, to));
    }

    /** s10 and s14: two segments less than the source's, at the wrong end too. */
    private static String without10() {
        return Texts.LOW_NEXT + report("../media.m3u8", 14, 0);
    }

    private static Bad reports(String source, String own) {
        return new Bad(Rule.RENDITION_REPORT, source, own);
    }

    private static String report(String uri, int msn, int part) {
        return "#EXT-X-RENDITION-REPORT:URI=\"%s\",LAST-MSN=%d,LAST-PART=%d%n"
                .formatted(uri, msn, part);
    }

    private static List<Finding> check(String source, String own) {
        HlsPlaylist before = read(Texts.LOW);
        return RenditionRules.check(
                read(source), Map.of("480p", read(own)), Map.of("", before, "480p", before));
    }

    private static HlsPlaylist read(String text) {
        return PlaylistParser.read(text, new Report()).orElseThrow();
    }

    @Test
    void sameTimesAndReports_conform() {
        assertEquals(List.of(), check(SOURCE, OWN));
    }

    @Test
    void renditionThatStartedLater_mayListLess() {
        String later =
                OWN.replaceFirst("(?s)#EXT-X-PROGRAM-DATE-TIME:2026-11-20T12:00:00.*?s10.m4s\n", "")
                        .replace("MEDIA-SEQUENCE:10", "MEDIA-SEQUENCE:11");
        assertEquals(List.of(), check(SOURCE, later));
    }

    @Test
    void newRendition_needNotBeReportedYet() {
        HlsPlaylist own = read(OWN);
        assertEquals(
                List.of(),
                RenditionRules.check(read(Texts.LOW), Map.of("480p", own), Map.of("", own)));
    }

    @ParameterizedTest
    @MethodSource("bad")
    void oneFault_isTheOnlyFinding(Bad bad) {
        List<Finding> findings = check(bad.source(), bad.own());

        assertFalse(findings.isEmpty(), bad::own);
        findings.forEach(found -> assertEquals(bad.rule(), found.rule(), found::toString));
    }
}
