package touchline.packager.hls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import touchline.packager.hls.LivePlayback.PlaylistKind;

final class SegmentWindowTest {
    private static final LatencyProfile LOW = LatencyProfile.low(Duration.ofMillis(500));
    private static final OptionalInt WHOLE = OptionalInt.empty();

    private final CountedMemory memory = new CountedMemory();
    private SegmentWindow window = window(LatencyProfile.standard(), false, 1 << 20);
    private long msn = 100;
    private int part;
    private int init;
    private long atUs;

    @AfterEach
    void everyBlockIsGivenBack() {
        window.close();
        assertEquals(0, memory.liveBlocks());
    }

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
    void stored_segments_leaveMemoryButTheNewestTwo() {
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
        try (MediaBody newest = window.segment(103).orElseThrow()) {
            assertInstanceOf(MediaBody.Blocks.class, newest);
            assertEquals(40, newest.sizeBytes());
        }
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
        assertEquals(Optional.empty(), window.mediaPlaylist(PlaylistKind.FULL));
    }

    @Test
    void playlists_beforeTheFirstSegment_areEmpty() {
        begin();
        part();
        assertEquals(Optional.empty(), window.mediaPlaylist(PlaylistKind.WINDOW));
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
                CODECS="avc1.64001f,mp4a.40.2",RESOLUTION=1280x720,FRAME-RATE=30.000
                id/~grant/session-1/media.m3u8
                """,
                window.multivariant("id/~grant/").orElseThrow());
        window.end();
        assertEquals(Optional.empty(), window.multivariant("id/"));
        assertTrue(text(PlaylistKind.WINDOW).endsWith("#EXT-X-ENDLIST\n"));
    }

    @Test
    void whenAvailable_wholeSegment_completesWhenSealed() {
        begin();
        CompletableFuture<Boolean> first = when(100, WHOLE);
        part();
        assertFalse(first.isDone());
        seal();
        assertTrue(first.join());
        assertTrue(when(100, WHOLE).join());
    }

    @Test
    void whenAvailable_lowLatencyPart_completesWithThatPart() {
        window = window(LOW, false, 1 << 20);
        begin();
        segment(4);
        CompletableFuture<Boolean> second = when(101, OptionalInt.of(1));
        CompletableFuture<Boolean> behindTheLast = when(101, OptionalInt.of(2));
        part();
        assertFalse(second.isDone());
        part();
        assertTrue(second.join());
        seal();
        assertFalse(behindTheLast.isDone());
        part();
        assertTrue(behindTheLast.join(), "part 2 of a segment with two is the next one's first");
    }

    @Test
    void whenAvailable_tooFarAhead_isRefused() {
        window = window(LOW, false, 1 << 20);
        begin();
        segment(4);
        for (CompletableFuture<Boolean> refused :
                List.of(when(103, WHOLE), when(101, OptionalInt.of(9)))) {
            CompletionException e = assertThrows(CompletionException.class, refused::join);
            assertInstanceOf(IllegalArgumentException.class, e.getCause());
        }
    }

    @Test
    void whenAvailable_endAndClose_releaseWithFalse() {
        begin();
        segment(4);
        CompletableFuture<Boolean> waiting = when(101, WHOLE);
        window.end();
        assertFalse(waiting.join());
        assertFalse(when(102, WHOLE).join());
        window.close();
        assertFalse(when(100, WHOLE).join());
    }

    @Test
    void close_releasesWaitersAndAnswersNothing() {
        begin();
        segment(4);
        CompletableFuture<Boolean> waiting = when(101, WHOLE);
        window.close();
        assertFalse(waiting.join());
        assertEquals(Optional.empty(), window.segment(100));
        assertEquals(Optional.empty(), window.initSegment(0));
        assertEquals(Optional.empty(), window.mediaPlaylist(PlaylistKind.WINDOW));
        segment(4);
        assertEquals(0, memory.liveBlocks());
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

    private SegmentWindow window(LatencyProfile profile, boolean recorded, long memoryBytes) {
        return new SegmentWindow(PackagerRig.settings(profile, 100, recorded), memory, memoryBytes);
    }

    private void begin() {
        MediaBlock bytes = SharedPlaylist.block("init".getBytes(StandardCharsets.UTF_8), memory);
        window.begin(init, TestMedia.timeline(init, 0, TestMedia.VIDEO, TestMedia.AUDIO), bytes);
        bytes.release();
    }

    private void segment(int parts) {
        for (int i = 0; i < parts; i++) {
            part();
        }
        seal();
    }

    private void part() {
        long us = window.settings().profile().partTargetUs();
        MediaBlock block = memory.allocate(10);
        PartSink.FinishedPart finished =
                new PartSink.FinishedPart(msn, part, atUs, us, part == 0, block);
        long segmentStartUs = atUs - part * us;
        window.add(finished, init, TestMedia.START.plusNanos(segmentStartUs * 1_000));
        block.release();
        part++;
        atUs += us;
    }

    private void seal() {
        window.seal(new Measures(6, window.settings().profile().partTargetUs(), 30));
        msn++;
        part = 0;
    }

    private CompletableFuture<Boolean> when(long mediaSequence, OptionalInt wanted) {
        return window.whenAvailable(mediaSequence, wanted).toCompletableFuture();
    }

    private String text(PlaylistKind kind) {
        PlaylistText text = window.mediaPlaylist(kind).orElseThrow();
        String plain = StandardCharsets.UTF_8.decode(text.plain().bytes()).toString();
        text.plain().release();
        text.gzip().release();
        return plain;
    }
}
