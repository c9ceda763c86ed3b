package touchline.packager.hls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import touchline.packager.hls.LivePlayback.PlaylistKind;

final class LiveWindowTest extends WindowCase {
    @Test
    void window_ofSixtySeconds_slidesAndKeepsOneMore() {
        begin();
        for (int i = 0; i < 40; i++) {
            segment(4);
            window.stored(msn - 1, Path.of("s" + (msn - 1)), 0);
        }

        String text = text(PlaylistKind.WINDOW);
        assertTrue(text.contains("#EXT-X-MEDIA-SEQUENCE:125\n"), text);
        assertEquals(15, text.split("#EXTINF:4.000000", -1).length - 1);
        assertTrue(window.segment(124).isPresent());
        assertEquals(110, window.oldestKept());
        assertEquals(Optional.empty(), window.segment(109));
        assertEquals(140, window.nextMediaSequence());
    }

    @Test
    void discontinuity_thatHasLeftTheWindow_isCounted() {
        begin();
        segment(4);
        init = 1;
        begin();
        for (int i = 0; i < 15; i++) {
            segment(4);
        }

        String text = text(PlaylistKind.WINDOW);
        assertTrue(text.contains("#EXT-X-DISCONTINUITY-SEQUENCE:1\n"), text);
        assertTrue(text.contains("#EXT-X-MAP:URI=\"init1.mp4\"\n"), text);
        assertFalse(text.contains("#EXT-X-DISCONTINUITY\n"), text);
        assertEquals(Optional.empty(), window.initSegment(0));
    }

    @Test
    void stored_segments_leaveMemoryButTheNewestTwoWithListedParts() {
        window = window(LOW, false, 1 << 20);
        begin();
        for (int i = 0; i < 5; i++) {
            segment(4);
            window.stored(msn - 1, Path.of("s" + (msn - 1)), 0);
        }

        assertEquals(
                new MediaBody.FileRange(Path.of("s102"), 0, 40), window.segment(102).orElseThrow());
        assertEquals(
                new MediaBody.FileRange(Path.of("s102"), 10, 10),
                window.part(102, 1).orElseThrow());
        try (MediaBody newest = window.part(103, 1).orElseThrow()) {
            assertInstanceOf(MediaBody.Blocks.class, newest);
            assertEquals(10, newest.sizeBytes());
        }
        assertEquals(
                new MediaBody.FileRange(Path.of("s103"), 0, 40),
                window.segment(103).orElseThrow(),
                "a whole segment comes from its file as soon as there is one");
    }

    @Test
    void stored_parts_leaveMemoryOneByOneWhereTheyAreNotListed() {
        Path file = Path.of("s100");
        begin();
        part();
        part();
        part();
        window.partStored(100, 1, file, 7);
        assertEquals(4, memory.liveBlocks(), "not behind the stored ones");
        window.partStored(100, 0, file, 7);
        window.partStored(100, 0, file, 7);
        window.partStored(101, 0, file, 7);
        assertEquals(3, memory.liveBlocks());
        assertEquals(new MediaBody.FileRange(file, 7, 10), window.part(100, 0).orElseThrow());
        seal();
        try (MediaBody body = window.segment(100).orElseThrow()) {
            MediaBody.PartlyStored both = assertInstanceOf(MediaBody.PartlyStored.class, body);
            assertEquals(new MediaBody.FileRange(file, 7, 10), both.stored());
            assertEquals(2, both.rest().blocks().size());
            assertEquals(30, body.sizeBytes());
        }
        try (MediaBody last = window.part(100, 2).orElseThrow()) {
            assertInstanceOf(MediaBody.Blocks.class, last);
        }
        window.partStored(100, 1, file, 7);
        window.partStored(100, 2, file, 7);
        assertEquals(new MediaBody.FileRange(file, 7, 30), window.segment(100).orElseThrow());
        window.stored(100, file, 7);
        assertEquals(new MediaBody.FileRange(file, 7, 30), window.segment(100).orElseThrow());
        assertEquals(3, memory.liveBlocks(), "the init segment, and the playlist in two forms");
    }

    @Test
    void body_heldByAViewer_outlivesTheWindow() {
        begin();
        segment(4);
        MediaBody held = window.segment(100).orElseThrow();
        window.close();

        assertEquals(4, memory.liveBlocks());
        held.close();
        assertEquals(0, memory.liveBlocks());
    }

    @Test
    void memory_withoutADisk_shortensTheWindow() {
        window = window(LatencyProfile.standard(), false, 200);
        begin();
        for (int i = 0; i < 12; i++) {
            segment(4);
        }

        assertTrue(text(PlaylistKind.WINDOW).contains("#EXT-X-MEDIA-SEQUENCE:107\n"));
        assertEquals(Optional.empty(), window.segment(106));
    }

    @Test
    void memory_ofStoredSegments_doesNotShortenTheWindow() {
        window = window(LatencyProfile.standard(), false, 50);
        begin();
        for (int i = 0; i < 12; i++) {
            segment(4);
            window.stored(msn - 1, Path.of("s" + (msn - 1)), 0);
        }

        assertTrue(text(PlaylistKind.WINDOW).contains("#EXT-X-MEDIA-SEQUENCE:100\n"));
    }

    @Test
    void full_ofARecordedSession_holdsEverything() {
        window = window(LatencyProfile.standard(), true, 1 << 20);
        begin();
        for (int i = 0; i < 40; i++) {
            segment(4);
            window.stored(msn - 1, Path.of("s" + (msn - 1)), 0);
        }

        String text = text(PlaylistKind.FULL);
        assertTrue(text.contains("#EXT-X-PLAYLIST-TYPE:EVENT\n"), text);
        assertTrue(text.contains("#EXT-X-MEDIA-SEQUENCE:100\n"), text);
        assertEquals(40, text.split("#EXTINF", -1).length - 1);
        assertEquals(text, text(PlaylistKind.FULL));
        assertTrue(window.segment(100).isPresent());
    }

    @Test
    void full_ofASessionThatIsNotRecorded_isEmpty() {
        begin();
        segment(4);
        assertEquals(Optional.empty(), playlist(PlaylistKind.FULL));
    }

    @Test
    void playlists_beforeTheFirstSegment_areEmpty() {
        begin();
        part();
        assertEquals(Optional.empty(), playlist(PlaylistKind.WINDOW));
        assertEquals(Optional.empty(), window.multivariant("p/"));
        assertEquals(Optional.empty(), window.segment(100));
    }

    @Test
    void multivariant_runningAndEnded() {
        begin();
        segment(4);
        assertEquals(
                """
                #EXTM3U
                #EXT-X-VERSION:7
                #EXT-X-STREAM-INF:BANDWIDTH=80,AVERAGE-BANDWIDTH=80,\
                CODECS="avc1.64001f,mp4a.40.2",RESOLUTION=1280x720,FRAME-RATE=30.000,\
                CLOSED-CAPTIONS=NONE
                id/~grant/session-1/media.m3u8
                """,
                window.multivariant("id/~grant/").orElseThrow());
        window.end();
        assertEquals(Optional.empty(), window.multivariant("id/"));
        assertTrue(text(PlaylistKind.WINDOW).endsWith("#EXT-X-ENDLIST\n"));
    }

    @Test
    void low_growingSegment_hintsTheNextPartAndDeltaSkips() {
        window = window(LOW, false, 1 << 20);
        begin();
        for (int i = 0; i < 30; i++) {
            segment(4);
        }
        part();

        String whole = text(PlaylistKind.WINDOW);
        assertTrue(
                whole.endsWith(
                        """
                        #EXT-X-PROGRAM-DATE-TIME:2026-11-20T12:01:00.000Z
                        #EXT-X-PART:DURATION=0.500000,URI="s130.0.m4s",INDEPENDENT=YES
                        #EXT-X-PRELOAD-HINT:TYPE=PART,URI="s130.1.m4s"
                        """),
                whole);
        String delta = text(PlaylistKind.WINDOW_DELTA);
        assertTrue(delta.contains("#EXT-X-SKIP:SKIPPED-SEGMENTS=12\n"), delta);
        assertEquals(
                whole.substring(whole.indexOf("#EXT-X-PROGRAM-DATE-TIME:2026-11-20T12:00:24")),
                delta.substring(delta.indexOf("#EXT-X-PROGRAM-DATE-TIME")));
    }

    @Test
    void low_segmentThatIsDue_isHintedUntilItIsKnownBetter() {
        window = window(LOW, false, 1 << 20);
        begin();
        segment(4);
        due = true;
        part();
        assertTrue(text(PlaylistKind.WINDOW).endsWith("URI=\"s102.0.m4s\"\n"));
        due = false;
        part();
        assertTrue(text(PlaylistKind.WINDOW).endsWith("URI=\"s101.2.m4s\"\n"));
        due = true;
        part();
        seal();
        assertTrue(text(PlaylistKind.WINDOW).endsWith("URI=\"s102.0.m4s\"\n"));
        window.end();
        assertTrue(text(PlaylistKind.WINDOW).endsWith("s101.m4s\n#EXT-X-ENDLIST\n"));
    }

    @Test
    void multivariant_captionsInTheVideo_areDeclared() {
        begin();
        segment(4);
        window.captionsSeen();

        String text = window.multivariant("id/").orElseThrow();

        assertTrue(
                text.contains(
                        """
                        #EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID="cc",NAME="CC1",INSTREAM-ID="CC1"
                        #EXT-X-STREAM-INF:"""),
                text);
        assertTrue(text.contains(",CLOSED-CAPTIONS=\"cc\"\nid/"), text);
    }

    @Test
    void low_discontinuity_hintsNothingUntilItsFirstPartIsThere() {
        window = window(LOW, false, 1 << 20);
        begin();
        segment(4);
        CompletableFuture<Boolean> hinted = whenPart(101, 0);

        window.discontinuity();

        assertTrue(
                text(PlaylistKind.WINDOW)
                        .endsWith("\ns100.m4s\n# the next part follows a discontinuity\n"),
                "hls.js needs a line behind the last segment");
        assertFalse(hinted.join(), "it was hinted with the init segment before");
        assertFalse(whenPart(101, 0).join());
        CompletableFuture<Boolean> first = whenPart(101, 1);
        CompletableFuture<Boolean> reload = when(101, OptionalInt.of(0));
        assertFalse(first.isDone());
        init = 1;
        begin();
        part();
        assertTrue(first.join());
        assertTrue(reload.join());
        assertTrue(
                text(PlaylistKind.WINDOW)
                        .endsWith(
                                """
                                #EXT-X-DISCONTINUITY
                                #EXT-X-MAP:URI="init1.mp4"
                                #EXT-X-PROGRAM-DATE-TIME:2026-11-20T12:00:02.000Z
                                #EXT-X-PART:DURATION=0.500000,URI="s101.1.m4s",INDEPENDENT=YES
                                #EXT-X-PRELOAD-HINT:TYPE=PART,URI="s101.2.m4s"
                                """),
                () -> text(PlaylistKind.WINDOW));
        assertFalse(whenPart(101, 0).join());
        assertEquals(Optional.empty(), window.part(101, 0));
        window.part(101, 1).orElseThrow().close();
        seal();
        part();
        assertTrue(text(PlaylistKind.WINDOW).contains("URI=\"s102.0.m4s\",INDEPENDENT=YES\n"));
    }

    @Test
    void delta_behindADiscontinuity_namesItsMap() {
        window = window(LOW, false, 1 << 20);
        begin();
        for (int i = 0; i < 12; i++) {
            segment(4);
        }
        init = 1;
        begin();
        for (int i = 0; i < 18; i++) {
            segment(4);
        }

        String delta = text(PlaylistKind.WINDOW_DELTA);
        assertTrue(
                delta.contains(
                        """
                        #EXT-X-MEDIA-SEQUENCE:100
                        #EXT-X-DISCONTINUITY-SEQUENCE:0
                        #EXT-X-SKIP:SKIPPED-SEGMENTS=12
                        #EXT-X-DISCONTINUITY
                        #EXT-X-MAP:URI="init1.mp4"
                        """),
                delta);
        segment(4);
        assertTrue(
                text(PlaylistKind.WINDOW_DELTA)
                        .contains(
                                """
                                SKIPPED-SEGMENTS=12
                                #EXT-X-MAP:URI="init1.mp4"
                                #EXT-X-PROGRAM-DATE-TIME"""),
                "some players take the map from the delta update alone");
        window.end();
        assertEquals(text(PlaylistKind.WINDOW), text(PlaylistKind.WINDOW_DELTA));
    }
}
