package touchline.packager.conformance;

import java.time.Instant;
import java.util.Locale;

/** Playlists without a fault, to be spoilt. */
final class Texts {
    private static final int SEGMENT_S = 2;
    private static final Instant START = Instant.parse("2026-11-20T12:00:00Z");

    /** Two timelines with parts; s10 is too old to list its own. */
    static final String LOW =
            lowHead(10)
                    + """
                    #EXT-X-DISCONTINUITY-SEQUENCE:3
                    #EXT-X-MAP:URI="i3.mp4"
                    #EXT-X-PROGRAM-DATE-TIME:2026-11-20T12:00:00.000Z
                    #EXTINF:2.0,
                    s10.m4s
                    #EXT-X-PROGRAM-DATE-TIME:2026-11-20T12:00:02.000Z
                    #EXT-X-PART:DURATION=1.0,URI="s11.0.m4s",INDEPENDENT=YES
                    #EXT-X-PART:DURATION=1.0,URI="s11.1.m4s"
                    #EXTINF:2.0,
                    s11.m4s
                    #EXT-X-DISCONTINUITY
                    #EXT-X-MAP:URI="i4.mp4"
                    #EXT-X-PROGRAM-DATE-TIME:2026-11-20T12:01:00.000Z
                    #EXT-X-PART:DURATION=1.0,URI="s12.0.m4s",INDEPENDENT=YES
                    #EXT-X-PART:DURATION=0.5,URI="s12.1.m4s"
                    #EXTINF:1.5,
                    s12.m4s
                    #EXT-X-PROGRAM-DATE-TIME:2026-11-20T12:01:01.500Z
                    #EXT-X-PART:DURATION=1.0,URI="s13.0.m4s",INDEPENDENT=YES
                    #EXT-X-PART:DURATION=1.0,URI="s13.1.m4s"
                    #EXTINF:2.0,
                    s13.m4s
                    #EXT-X-PROGRAM-DATE-TIME:2026-11-20T12:01:03.500Z
                    #EXT-X-PART:DURATION=1.0,URI="s14.0.m4s",INDEPENDENT=YES
                    #EXT-X-PRELOAD-HINT:TYPE=PART,URI="s14.1.m4s"
                    """;

    /** {@link #LOW} two parts later: s10 and the parts of s11 are gone. */
    static final String LOW_NEXT =
            lowHead(11)
                    + """
                    #EXT-X-DISCONTINUITY-SEQUENCE:3
                    #EXT-X-MAP:URI="i3.mp4"
                    #EXT-X-PROGRAM-DATE-TIME:2026-11-20T12:00:02.000Z
                    #EXTINF:2.0,
                    s11.m4s
                    #EXT-X-DISCONTINUITY
                    #EXT-X-MAP:URI="i4.mp4"
                    #EXT-X-PROGRAM-DATE-TIME:2026-11-20T12:01:00.000Z
                    #EXT-X-PART:DURATION=1.0,URI="s12.0.m4s",INDEPENDENT=YES
                    #EXT-X-PART:DURATION=0.5,URI="s12.1.m4s"
                    #EXTINF:1.5,
                    s12.m4s
                    #EXT-X-PROGRAM-DATE-TIME:2026-11-20T12:01:01.500Z
                    #EXT-X-PART:DURATION=1.0,URI="s13.0.m4s",INDEPENDENT=YES
                    #EXT-X-PART:DURATION=1.0,URI="s13.1.m4s"
                    #EXTINF:2.0,
                    s13.m4s
                    #EXT-X-PROGRAM-DATE-TIME:2026-11-20T12:01:03.500Z
                    #EXT-X-PART:DURATION=1.0,URI="s14.0.m4s",INDEPENDENT=YES
                    #EXT-X-PART:DURATION=1.0,URI="s14.1.m4s"
                    #EXTINF:2.0,
                    s14.m4s
                    #EXT-X-PROGRAM-DATE-TIME:2026-11-20T12:01:05.500Z
                    #EXT-X-PART:DURATION=1.0,URI="s15.0.m4s"
                    #EXT-X-PRELOAD-HINT:TYPE=PART,URI="s15.1.m4s"
                    """;

    /** {@link #LOW} with a lost segment. */
    static final String LOW_WITH_GAP =
            LOW.replace(
                    """
                    #EXT-X-PART:DURATION=1.0,URI="s11.0.m4s",INDEPENDENT=YES
                    #EXT-X-PART:DURATION=1.0,URI="s11.1.m4s"
                    """,
                    "#EXT-X-GAP\n");

    private Texts() {}

    /** Segments of two seconds without parts. */
    static String standard(int first, int count) {
        StringBuilder text =
                new StringBuilder("#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:2\n");
        text.append("#EXT-X-MEDIA-SEQUENCE:").append(first).append('\n');
        text.append("#EXT-X-MAP:URI=\"i0.mp4\"\n");
        for (int i = first; i < first + count; i++) {
            segment(text, i, false);
        }
        return text.toString();
    }

    /** Segments of two seconds with parts, none growing; the first ones skipped. */
    static String low(int first, int count, int skipped) {
        StringBuilder text = new StringBuilder(lowHead(first));
        if (skipped > 0) {
            text.append("#EXT-X-SKIP:SKIPPED-SEGMENTS=").append(skipped).append('\n');
        } else {
            text.append("#EXT-X-MAP:URI=\"i0.mp4\"\n");
        }
        for (int i = first + skipped; i < first + count; i++) {
            segment(text, i, i >= first + count - 3);
        }
        text.append("#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"s%d.0.m4s\"%n".formatted(first + count));
        return text.toString();
    }

    private static String lowHead(int mediaSequence) {
        return """
        #EXTM3U
        #EXT-X-VERSION:9
        #EXT-X-TARGETDURATION:2
        #EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,CAN-SKIP-UNTIL=12.0,\
        PART-HOLD-BACK=3.0,HOLD-BACK=6.0
        #EXT-X-PART-INF:PART-TARGET=1.0
        #EXT-X-MEDIA-SEQUENCE:%d
        """
                .formatted(mediaSequence);
    }

    private static void segment(StringBuilder text, int number, boolean parts) {
        text.append("#EXT-X-PROGRAM-DATE-TIME:")
                .append(START.plusSeconds((long) SEGMENT_S * number))
                .append('\n');
        for (int part = 0; parts && part < SEGMENT_S; part++) {
            text.append(
                    String.format(
                            Locale.ROOT,
                            "#EXT-X-PART:DURATION=1.0,URI=\"s%d.%d.m4s\"%n",
                            number,
                            part));
        }
        text.append("#EXTINF:2.0,\ns").append(number).append(".m4s\n");
    }
}
