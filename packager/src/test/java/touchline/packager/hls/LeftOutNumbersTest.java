package touchline.packager.hls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import touchline.packager.hls.MediaPlaylist.Next;

/** When numbers that no server publishes are listed. */
final class LeftOutNumbersTest {
    private static final Instant DATE = Instant.parse("2026-03-01T12:00:00Z");
    private static final long PART_US = 500_000;
    private static final long START_US = 10_000_000;

    /** Duration of the newest known segment. */
    private static final long NEWEST_US = 1_900_000;

    private static final MediaPlaylist.Head LOW = head(true);
    private static final MediaPlaylist.Head STANDARD = head(false);

    private static MediaPlaylist.Head head(boolean listsParts) {
        return new MediaPlaylist.Head(2, PART_US, listsParts, /* independentSegments= */ false);
    }

    /** Before number 108, whose media starts {@code leftOutUs} behind the newest known segment. */
    private static LeftOutNumbers from(long first, long leftOutUs) {
        return new LeftOutNumbers(
                new StoredWindow.Known(
                        first - 1,
                        START_US - leftOutUs - NEWEST_US,
                        DATE,
                        NEWEST_US,
                        /* listedFrom= */ first - 1),
                108);
    }

    /** Segments of 2 s, from 108 on. */
    private static MediaPlaylist playlist(MediaPlaylist.Head head, int segments) {
        return playlist(head, 108, segments);
    }

    private static MediaPlaylist playlist(MediaPlaylist.Head head, long first, int segments) {
        return new MediaPlaylist(head, segments(first, segments), Next.PART);
    }

    private static List<PlaylistSegment> segments(long first, int segments) {
        List<PlaylistSegment> listed = new ArrayList<>();
        for (int i = 0; i < segments; i++) {
            PlaylistSegment lines =
                    PlaylistSegment.of(
                            new MediaSegment(
                                    first + i,
                                    3,
                                    START_US + 4L * i * PART_US,
                                    DATE.plusSeconds(60 + 2L * i),
                                    List.of(),
                                    /* sealed= */ false));
            for (int part = 0; part < 4; part++) {
                lines = lines.with(new MediaSegment.Part(PART_US, part == 0, 1_000));
            }
            listed.add(lines.seal());
        }
        return listed;
    }

    private static long gaps(String text) {
        return text.lines().filter("#EXT-X-GAP"::equals).count();
    }

    @Test
    void window_thatBeginsWithItsFirstSegment_listsTheLast_inBothForms() {
        MediaPlaylist playlist = playlist(LOW, 6);

        String text = playlist.window(from(105, 1_300_000), "");

        assertTrue(
                text.contains(
                        """
                        #EXT-X-MEDIA-SEQUENCE:107
                        #EXT-X-DISCONTINUITY-SEQUENCE:3
                        #EXT-X-MAP:URI="init3.mp4"
                        #EXT-X-GAP
                        #EXT-X-PROGRAM-DATE-TIME:2026-03-01T12:00:01.800Z
                        #EXTINF:0.010000,
                        s107.m4s
                        #EXT-X-PROGRAM-DATE-TIME:2026-03-01T12:01:00.000Z
                        """),
                text);
        assertEquals(1, gaps(text));
        assertEquals(text, playlist.delta(from(105, 1_300_000), ""));
        assertEquals(1, text.lines().filter(line -> line.startsWith("#EXT-X-MAP")).count());
        assertFalse(text.contains("#EXT-X-DISCONTINUITY\n"), text);
    }

    @Test
    void window_ofWhichSegmentsCanBeSkipped_listsNone() {
        MediaPlaylist playlist = playlist(LOW, 7);

        assertEquals(
                playlist.window(LeftOutNumbers.NONE, ""),
                playlist.window(from(105, 9_000_000), ""));
        assertEquals(
                playlist.delta(LeftOutNumbers.NONE, ""), playlist.delta(from(105, 9_000_000), ""));
        assertTrue(playlist.delta(from(105, 9_000_000), "").contains("SKIPPED-SEGMENTS=1\n"));
        // Numbers never go back, also where the end makes all segments listed again.
        MediaPlaylist ended = new MediaPlaylist(LOW, segments(108, 7), Next.END);
        assertEquals(0, gaps(ended.window(from(105, 9_000_000), "")));
    }

    @Test
    void window_thatHasLostItsFirstSegment_listsNone() {
        String slid = playlist(LOW, 109, 3).window(from(105, 3_000_000), "");

        assertEquals(0, gaps(slid));
        assertTrue(slid.contains("#EXT-X-MEDIA-SEQUENCE:109\n"), slid);
    }

    @Test
    void window_thatListsNoParts_listsIt_inPlaceOfTheNewestKnownSegment() {
        String text = playlist(STANDARD, 3).window(from(105, 50_000), "");

        assertTrue(
                text.contains(
                        """
                        #EXT-X-MEDIA-SEQUENCE:107
                        #EXT-X-DISCONTINUITY-SEQUENCE:3
                        #EXT-X-MAP:URI="init3.mp4"
                        #EXT-X-GAP
                        #EXT-X-PROGRAM-DATE-TIME:2026-03-01T12:00:00.000Z
                        #EXTINF:1.833000,
                        s107.m4s
                        #EXT-X-PROGRAM-DATE-TIME:2026-03-01T12:01:00.000Z
                        """),
                text);
    }

    @Test
    void window_thatListsNothingYet_listsNone() {
        PlaylistSegment growing =
                PlaylistSegment.of(
                        new MediaSegment(108, 3, START_US, DATE, List.of(), /* sealed= */ false));
        MediaPlaylist playlist = new MediaPlaylist(STANDARD, List.of(growing), Next.PART);

        assertEquals(0, gaps(playlist.window(from(105, 3_000_000), "")));
    }

    @Test
    void numbers_thatAreNone_orTakeNoTime_areNotListed() {
        assertEquals(0, gaps(playlist(LOW, 1).window(from(108, 3_000_000), "")));
        assertEquals(1, gaps(playlist(LOW, 1).window(from(107, 3_000_000), "")));
        assertEquals(0, gaps(playlist(STANDARD, 1).window(from(107, 9_999 - NEWEST_US), "")));
        assertEquals(1, gaps(playlist(STANDARD, 1).window(from(107, 10_000 - NEWEST_US), "")));
    }
}
