package touchline.benchmarks.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Each fault that the judge looks for, and the playlists of a clean takeover. */
class JudgeTest {
    private static final URI ADDRESS = URI.create("http://127.0.0.1/id/session/media.m3u8");
    private static final String BEFORE =
            """
            #EXTM3U
            #EXT-X-TARGETDURATION:4
            #EXT-X-MEDIA-SEQUENCE:7
            #EXT-X-DISCONTINUITY-SEQUENCE:0
            #EXT-X-MAP:URI="init0.mp4"
            #EXT-X-PROGRAM-DATE-TIME:2026-11-23T12:00:00.000Z
            #EXTINF:4.000000,
            s7.m4s
            #EXT-X-PROGRAM-DATE-TIME:2026-11-23T12:00:04.000Z
            #EXTINF:4.000000,
            s8.m4s
            """;

    /** Of the next owner: 9 to 11 are left out. */
    private static final String BEHIND =
            """
            #EXTM3U
            #EXT-X-TARGETDURATION:4
            #EXT-X-MEDIA-SEQUENCE:12
            #EXT-X-DISCONTINUITY-SEQUENCE:1
            #EXT-X-MAP:URI="init8.mp4"
            #EXT-X-PROGRAM-DATE-TIME:2026-11-23T12:00:14.000Z
            #EXTINF:4.000000,
            s12.m4s
            """;

    private final Judge judge = new Judge();

    private void see(String text, String node) {
        judge.window("session/", ViewedWindow.parse(text, ADDRESS), node);
    }

    @Test
    void windowsOfBothOwners_areClean() {
        see(BEFORE, "node-1");
        see(BEFORE, "node-2");
        see(BEHIND, "node-2");

        assertEquals(0, judge.findings());
    }

    @Test
    void gaps_ofNumbersThatWereLeftOut_areNoSegments() {
        see(BEFORE, "node-1");
        see(
                BEHIND.replace(
                        "#EXT-X-MEDIA-SEQUENCE:12\n#EXT-X-DISCONTINUITY-SEQUENCE:1\n",
                        """
                        #EXT-X-MEDIA-SEQUENCE:8
                        #EXT-X-DISCONTINUITY-SEQUENCE:1
                        #EXT-X-GAP
                        #EXT-X-PROGRAM-DATE-TIME:2026-11-23T12:00:04.000Z
                        #EXTINF:1.000000,
                        s8.m4s
                        #EXT-X-GAP
                        #EXTINF:1.000000,
                        s9.m4s
                        #EXT-X-GAP
                        #EXTINF:1.000000,
                        s10.m4s
                        #EXT-X-GAP
                        #EXTINF:1.000000,
                        s11.m4s
                        """),
                "node-2");
        see(BEHIND, "node-2");

        assertEquals(0, judge.findings());
    }

    @Test
    void holeInsideAWindow_isFound_unlessADiscontinuityMarksIt() {
        String late = BEFORE.replace("12:00:04.000Z", "12:00:06.000Z");
        see(late, "node-1");
        assertEquals(1, judge.findings());

        Judge other = new Judge();
        String marked = late.replace("s7.m4s\n", "s7.m4s\n#EXT-X-DISCONTINUITY\n");
        other.window("session/", ViewedWindow.parse(marked, ADDRESS), "node-1");
        assertEquals(0, other.findings());
    }

    @Test
    void segmentAboveTheTargetDuration_isFound() {
        see(BEFORE.replace("TARGETDURATION:4", "TARGETDURATION:3"), "node-1");

        assertEquals(2, judge.findings());
    }

    @Test
    void numberWithTwoEntries_isFound() {
        see(BEFORE, "node-1");
        see(BEFORE.replace("4.000000,\ns8", "3.900000,\ns8"), "node-2");

        assertEquals(1, judge.findings());
    }

    @Test
    void addressWithTwoContents_isFound() {
        judge.content("/id/session/s7.m4s", new byte[] {1}, "node-1");
        judge.content("/id/session/s7.m4s", new byte[] {1}, "node-2");
        assertEquals(0, judge.findings());

        judge.content("/id/session/s7.m4s", new byte[] {2}, "node-2");
        assertEquals(1, judge.findings());
    }

    @Test
    void streamWithTwoSessions_isFound() {
        judge.session("stream", "one", "node-1");
        judge.session("stream", "one", "node-2");
        judge.session("stream", "two", "node-2");

        assertEquals(1, judge.findings());
    }

    private static OwnerChange change(long epoch, String owner) {
        return new OwnerChange("stream", epoch, Optional.of(owner), Optional.of("session"), 3);
    }

    @Test
    void epochWithTwoOwners_orThatGoesBack_isFound() {
        assertEquals(
                List.of(),
                OwnerChange.faults(List.of(change(1, "a#1"), change(1, "a#1"), change(2, "b#1"))));
        assertEquals(1, OwnerChange.faults(List.of(change(1, "a#1"), change(1, "b#1"))).size());
        assertEquals(1, OwnerChange.faults(List.of(change(2, "a#1"), change(1, "b#1"))).size());
    }

    @Test
    void longestGap_isWithoutTheMediaOfASegment_andNamesWhatWasNotListed() {
        Arrivals arrivals = new Arrivals();
        arrivals.add(seconds(100), 4);
        arrivals.add(seconds(104), 4);
        // Killed at 106: 2 s were sent and not listed. The next segment begins at 109.
        arrivals.add(seconds(113), 4);
        arrivals.add(seconds(117), 4);

        Arrivals.Gap gap = arrivals.longestGap(seconds(106)).orElseThrow();

        assertEquals(new Arrivals.Gap(seconds(5), seconds(2), seconds(113)), gap);
        assertEquals(Optional.empty(), arrivals.longestGap(seconds(118)));
    }

    private static long seconds(long value) {
        return value * 1_000_000_000;
    }
}
