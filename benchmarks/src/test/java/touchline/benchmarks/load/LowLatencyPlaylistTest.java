package touchline.benchmarks.load;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;

class LowLatencyPlaylistTest {
    private static final URI AT = URI.create("http://host:81/id/session/media.m3u8");

    private static final String HEAD =
            """
            #EXTM3U
            #EXT-X-TARGETDURATION:6
            #EXT-X-PART-INF:PART-TARGET=0.25
            #EXT-X-MEDIA-SEQUENCE:41
            #EXT-X-MAP:URI="init.mp4"
            #EXTINF:2.00000,
            41.m4s
            #EXT-X-PART:DURATION=0.25000,URI="42.0.m4s",INDEPENDENT=YES
            #EXT-X-PART:DURATION=0.20000,URI="42.1.m4s"
            #EXTINF:0.45000,
            42.m4s
            """;

    private static final String OPEN_SEGMENT =
            """
            #EXT-X-PART:DURATION=0.25000,INDEPENDENT=YES,URI="43.0.m4s"
            #EXT-X-PRELOAD-HINT:TYPE=PART,URI="43.1.m4s"
            """;

    @Test
    void parse_segmentsAndParts_haveNumbersDurationsAndAddresses() {
        var playlist = LowLatencyPlaylist.parse(HEAD + OPEN_SEGMENT, AT);

        assertEquals(
                List.of(item(41, 0, 2, "41.m4s"), item(42, 0, 0.45, "42.m4s")),
                playlist.segments());
        assertEquals(
                List.of(
                        item(42, 0, 0.25, "42.0.m4s"),
                        item(42, 1, 0.2, "42.1.m4s"),
                        item(43, 0, 0.25, "43.0.m4s")),
                playlist.parts());
    }

    @Test
    void reloadQuery_insideASegment_asksForItsNextPart() {
        var playlist = LowLatencyPlaylist.parse(HEAD + OPEN_SEGMENT, AT);
        assertEquals("_HLS_msn=43&_HLS_part=1", playlist.reloadQuery());
    }

    @Test
    void reloadQuery_behindAWholeSegment_asksForTheNextOnesFirstPart() {
        var playlist = LowLatencyPlaylist.parse(HEAD, AT);
        assertEquals("_HLS_msn=43&_HLS_part=0", playlist.reloadQuery());
    }

    @Test
    void parse_deltaUpdate_countsWhatIsSkipped() {
        var playlist =
                LowLatencyPlaylist.parse(
                        """
                        #EXTM3U
                        #EXT-X-MEDIA-SEQUENCE:41
                        #EXT-X-SKIP:SKIPPED-SEGMENTS=7
                        #EXTINF:2.00000,
                        48.m4s
                        """,
                        AT);
        assertEquals(List.of(item(48, 0, 2, "48.m4s")), playlist.segments());
    }

    @Test
    void parse_gaps_areCountedAndLeftOut() {
        var playlist =
                LowLatencyPlaylist.parse(
                        """
                        #EXTM3U
                        #EXT-X-MEDIA-SEQUENCE:46
                        #EXT-X-GAP
                        #EXTINF:1.00000,
                        46.m4s
                        #EXT-X-GAP
                        #EXTINF:1.00000,
                        47.m4s
                        #EXTINF:2.00000,
                        48.m4s
                        """,
                        AT);
        assertEquals(List.of(item(48, 0, 2, "48.m4s")), playlist.segments());
    }

    @Test
    void mediaOf_multivariant_isTheFirstRendition() {
        assertEquals(
                AT,
                LowLatencyPlaylist.mediaOf(
                        "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nid/session/media.m3u8\n",
                        URI.create("http://host:81/id.m3u8")));
    }

    private static LowLatencyPlaylist.Item item(
            long number, int part, double seconds, String name) {
        return new LowLatencyPlaylist.Item(
                number, part, seconds, URI.create("http://host:81/id/session/" + name));
    }
}
