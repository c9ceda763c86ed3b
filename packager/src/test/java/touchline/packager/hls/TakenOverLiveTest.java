package touchline.packager.hls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import touchline.media.Timeline;
import touchline.media.hub.PublishBarrier;
import touchline.packager.hls.LivePlayback.PlaylistKind;

/** The live playlist of a session that goes on here. */
final class TakenOverLiveTest extends TakenOverCase {
    @Test
    void livePlaylist_keepsTheStoredSegmentsOfItsWindow() throws IOException {
        LiveWindow window = resumed();
        window.beginning().provide(earlier(61, 104, 95_500_000), /* isAlone= */ true);

        String text = fed(window).run().playlist();

        assertTrue(
                text.contains(
                        """
                        #EXT-X-MEDIA-SEQUENCE:78
                        #EXT-X-DISCONTINUITY-SEQUENCE:0
                        #EXT-X-MAP:URI="init0.mp4"
                        """),
                text);
        assertTrue(text.contains("#EXT-X-GAP\n#EXTINF:0.001000,\ns107.m4s\n"), text);
        assertTrue(
                text.contains("s107.m4s\n#EXT-X-DISCONTINUITY\n#EXT-X-MAP:URI=\"init8.mp4\"\n"),
                text);
        assertEquals(List.of(), findings(text));
        // The next takeover goes on behind a discontinuity that was counted.
        assertEquals(Optional.of(new StoredWindow.Targets(6, 500_000, 6)), window.targets());
    }

    /** Its own began anew there, or it has listed all lost numbers. */
    @Test
    void livePlaylist_beginsNoEarlierThanTheOneBefore() throws IOException {
        LiveWindow window = resumedBehind(102);
        window.beginning().provide(earlier(61, 104, 95_500_000), /* isAlone= */ true);

        String text = fed(window).run().playlist();

        assertTrue(text.contains("#EXT-X-MEDIA-SEQUENCE:102\n"), text);
        assertEquals(List.of(), findings(text));
        assertEquals(102, window.newestPlaylist().listedFrom());
    }

    @Test
    void livePlaylist_whoseFirstSegmentIsLost_beginsBehindIt() throws IOException {
        LiveWindow window = resumedBehind(102);
        List<EarlierSegments.Stored> stored = new ArrayList<>();
        for (long number : List.of(100L, 101L, 104L)) {
            stored.add(stored(number, 1, 95_500_000 - (105 - number) * 2_000_000));
        }
        window.beginning().provide(earlier(stored), /* isAlone= */ true);

        String text = fed(window).run().playlist();

        assertTrue(text.contains("#EXT-X-MEDIA-SEQUENCE:104\n"), text);
        assertEquals(List.of(), findings(text));
    }

    @Test
    void livePlaylist_isShownWithTheFirstPart() throws IOException {
        LiveWindow window = resumed();
        window.beginning().provide(earlier(101, 104, 95_500_000), /* isAlone= */ true);
        CompletableFuture<Boolean> older =
                window.whenAvailable(106, OptionalInt.of(2)).toCompletableFuture();
        assertFalse(older.isDone());
        List<String> atFirstPart = new ArrayList<>();

        PackagerRig rig = fed(window);
        rig.run(
                PublishBarrier.OPEN,
                List.of(
                        new EachPart(
                                () -> {
                                    if (atFirstPart.isEmpty()) {
                                        assertTrue(older.join());
                                        atFirstPart.add(rig.playlist());
                                    }
                                })));

        assertTrue(atFirstPart.getFirst().contains("#EXT-X-MEDIA-SEQUENCE:101\n"));
        assertTrue(
                atFirstPart
                        .getFirst()
                        .endsWith("#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"s108.2.m4s\"\n"),
                atFirstPart::toString);
    }

    @Test
    void livePlaylist_slides_gapsLeaveTogether() throws IOException {
        LiveWindow window =
                resumed(
                        new LiveWindow.Settings(
                                PackagerRig.settings(LOW, 108, true).session(),
                                LOW,
                                Duration.ofSeconds(20),
                                108,
                                /* recorded= */ true,
                                /* composited= */ false));
        window.beginning().provide(earlier(95, 104, 95_500_000), /* isAlone= */ true);
        List<String> shown = new ArrayList<>();
        PackagerRig rig = fed(window, MEDIA.seconds(40));
        rig.run(PublishBarrier.OPEN, List.of(new EachPart(() -> shown.add(rig.playlist()))));

        assertEquals(List.of(), findings(shown.toArray(String[]::new)));
        assertTrue(shown.getFirst().contains("s105.m4s"), shown.getFirst());
        long first = shown.stream().filter(text -> text.contains("SEQUENCE:104\n")).count();
        assertTrue(first > 0, "the last one before the gaps was the first one");
        assertTrue(shown.getLast().contains("#EXT-X-DISCONTINUITY-SEQUENCE:2\n"), shown::toString);
        assertFalse(shown.getLast().contains("#EXT-X-GAP"), shown.getLast());
    }

    private record EachPart(Runnable work) implements PartSink {
        @Override
        public void initSegment(int number, Timeline timeline, MediaBlock bytes) {}

        @Override
        public void part(FinishedPart part) {
            work.run();
        }

        @Override
        public void sealed(SealedSegment segment) {}

        @Override
        public void end() {}
    }

    @Test
    void beginning_knownLate_isNotListedLive() throws IOException {
        LiveWindow window = resumed();
        PackagerRig rig = fed(window).run();
        String before = rig.playlist();

        window.beginning().provide(earlier(101, 104, 95_500_000), /* isAlone= */ true);

        assertTrue(before.contains("#EXT-X-MEDIA-SEQUENCE:108\n"), before);
        assertEquals(before, rig.playlist());
        String full = rig.playlist(PlaylistKind.FULL);
        assertTrue(
                full.contains("#EXT-X-MEDIA-SEQUENCE:101\n#EXT-X-DISCONTINUITY-SEQUENCE:0\n"),
                full);
        assertEquals(Optional.of(new StoredWindow.Targets(6, 500_000, 7)), window.targets());
    }

    @Test
    void sessionWithRenditions_beginsAnewLive() throws IOException {
        LiveWindow window = resumed();
        window.beginning().provide(earlier(101, 104, 95_500_000), /* isAlone= */ false);

        PackagerRig rig = fed(window).run();

        assertTrue(
                rig.playlist()
                        .contains("#EXT-X-MEDIA-SEQUENCE:108\n#EXT-X-DISCONTINUITY-SEQUENCE:1\n"),
                rig.playlist());
        String full = rig.playlist(PlaylistKind.FULL);
        assertTrue(full.contains("#EXT-X-MEDIA-SEQUENCE:101\n"), full);
        assertEquals(List.of(), findings(full));
    }

    @Test
    void muchThatIsLost_isNotListedLive() throws IOException {
        LiveWindow window = resumed();
        window.beginning().provide(earlier(90, 100, 80_000_000), /* isAlone= */ true);

        PackagerRig rig = fed(window).run();

        assertTrue(rig.playlist().contains("#EXT-X-MEDIA-SEQUENCE:108\n"), rig.playlist());
        String full = rig.playlist(PlaylistKind.FULL);
        assertTrue(full.contains("#EXT-X-MEDIA-SEQUENCE:90\n"), full);
        assertEquals(7, full.split("#EXT-X-GAP", -1).length - 1, full);
    }

    @Test
    void suspended_beforeItsFirstSegment_goesOnAsBefore() throws IOException {
        LiveWindow window = resumed();
        window.beginning().provide(earlier(101, 104, 95_500_000), /* isAlone= */ true);

        StoredWindow again = window.toStore();

        assertTrue(again.isEmpty());
        assertEquals(START_US, again.endUs());
        assertEquals(6, Segmenter.of(window).targetDurationS());
    }
}
