package touchline.packager.hls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import touchline.packager.hls.LivePlayback.PlaylistKind;

class PlaylistEndTest extends WindowCase {
    @Test
    void growingSegment_isKeptForItsNewestPart() {
        startLow();
        segment(4);
        part();
        part();

        PlaylistEnd end = end(PlaylistKind.WINDOW);

        assertTrue(end.mayBeKept(101, OptionalInt.of(1)));
        assertFalse(end.mayBeKept(101, OptionalInt.of(0)), "there is a later part");
        assertFalse(end.mayBeKept(100, OptionalInt.of(4)), "there is a later part");
        assertFalse(end.mayBeKept(100, WHOLE), "there is a later part");
        assertFalse(end.mayBeKept(99, OptionalInt.of(1)));
        assertEquals(end, end(PlaylistKind.WINDOW_DELTA));
        assertEquals(end, end(PlaylistKind.FULL));
    }

    @Test
    void firstPartOfASegment_isKeptForAPartBehindTheSegmentBefore() {
        startLow();
        segment(4);
        part();

        PlaylistEnd end = end(PlaylistKind.WINDOW);

        assertTrue(end.mayBeKept(101, OptionalInt.of(0)));
        assertTrue(end.mayBeKept(100, OptionalInt.of(4)));
        assertTrue(end.mayBeKept(100, OptionalInt.of(5)));
        assertFalse(end.mayBeKept(100, OptionalInt.of(3)));
    }

    @Test
    void sealedSegment_isKeptForTheSegmentButNotForItsLastPart() {
        startLow();
        segment(4);

        PlaylistEnd end = end(PlaylistKind.WINDOW);

        assertTrue(end.mayBeKept(100, WHOLE));
        assertFalse(end.mayBeKept(100, OptionalInt.of(3)), "video.js requests it again");
        assertFalse(end.mayBeKept(99, WHOLE));
    }

    @Test
    void playlistWithoutParts_isKeptForItsLastSegment() {
        begin();
        segment(4);
        segment(4);
        part();

        PlaylistEnd end = end(PlaylistKind.WINDOW);

        assertTrue(end.mayBeKept(101, WHOLE));
        assertTrue(end.mayBeKept(101, OptionalInt.of(7)), "parts are not listed");
        assertFalse(end.mayBeKept(100, WHOLE));
    }

    private void startLow() {
        window = window(LOW, true, 1 << 20);
        begin();
    }

    private PlaylistEnd end(PlaylistKind kind) {
        RenderedPlaylist text = playlist(kind).orElseThrow();
        text.release();
        return text.end();
    }
}
