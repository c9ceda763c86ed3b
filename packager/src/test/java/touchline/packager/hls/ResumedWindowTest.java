package touchline.packager.hls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import touchline.media.AccessUnit;
import touchline.media.Timeline;
import touchline.media.hub.PublishBarrier;
import touchline.packager.hls.LivePlayback.PlaylistKind;
import touchline.testing.SyntheticStream;

/** The window of a session whose segments lie at another server, which has ended. */
final class ResumedWindowTest {
    private static final LatencyProfile LOW = LatencyProfile.low(Duration.ofMillis(500));
    private static final SyntheticStream MEDIA = SyntheticStream.standard().bFrames(0).seconds(5);
    private static final long END_US = 100_000_000;
    private static final Instant END = SyntheticStream.STARTED_AT.plusSeconds(3600);

    /** When the encoder is back. */
    private static final String DATE = "2026-11-20T13:00:04.000Z";

    private final CountedMemory memory = new CountedMemory();
    private final List<LiveWindow> opened = new ArrayList<>();

    @AfterEach
    void everyBlockIsGivenBack() {
        opened.forEach(LiveWindow::close);
        assertEquals(0, memory.liveBlocks());
    }

    /** After number 105 at most, and init 2. */
    private LiveWindow resumed(LatencyProfile profile, StoredWindow.Targets targets)
            throws IOException {
        return resumed(profile, elsewhere(targets));
    }

    private static StoredWindow elsewhere(StoredWindow.Targets targets) {
        return StoredWindow.elsewhere(targets, 66_000, END_US, END, 8, 1 << 24);
    }

    private LiveWindow resumed(LatencyProfile profile, StoredWindow stored) throws IOException {
        LiveWindow window =
                LiveWindow.resume(
                        PackagerRig.settings(profile, 108, /* recorded= */ false), memory, stored);
        opened.add(window);
        return window;
    }

    /** From {@link #END_US} on, as the hub's feed of a resumed session. */
    private PackagerRig fed(LiveWindow window) {
        PackagerRig rig = new PackagerRig(window, memory);
        rig.feed(new Timeline(3, MEDIA.tracks(), END_US, END.plusSeconds(4)));
        for (AccessUnit unit : MEDIA.units()) {
            long ticks = unit.track().timescale().fromUs(END_US);
            rig.feed(
                    unit.at(
                            unit.track(),
                            unit.dtsTicks() + ticks,
                            unit.compositionTimeOffsetTicks()));
        }
        return rig;
    }

    @Test
    void playlist_beginsWithTheFirstNumberAndKeepsWhatIsConstant() throws IOException {
        LiveWindow window = resumed(LOW, new StoredWindow.Targets(6, 433_000, 6));

        String text = fed(window).run().playlist();

        assertTrue(
                text.startsWith(
                        """
                        #EXTM3U
                        #EXT-X-VERSION:9
                        #EXT-X-TARGETDURATION:6
                        #EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,CAN-SKIP-UNTIL=36.000000,\
                        PART-HOLD-BACK=1.299000,HOLD-BACK=18.000000
                        #EXT-X-PART-INF:PART-TARGET=0.433000
                        #EXT-X-MEDIA-SEQUENCE:108
                        #EXT-X-DISCONTINUITY-SEQUENCE:2
                        #EXT-X-MAP:URI="init8.mp4"
                        """),
                text);
        assertFalse(text.contains("#EXT-X-DISCONTINUITY\n"), text);
        // Number 0 may have been hinted by the server before, with another init segment.
        assertTrue(text.contains("URI=\"s108.1.m4s\""), text);
        assertFalse(text.contains("s108.0.m4s"), text);
        assertEquals(Optional.of(new StoredWindow.Targets(6, 433_000, 6)), window.targets());
        assertEquals(OptionalLong.of(66_000), window.zeroUs());
        assertTrue(window.newestPlaylist().version() > 1 << 24);
    }

    @Test
    void lastNumber_behindTheNewestKnownOne_isAGap() throws IOException {
        StoredWindow.Known known =
                new StoredWindow.Known(
                        104,
                        END_US - 6_000_000,
                        END.minusMillis(6_000),
                        4_000_000,
                        /* listedFrom= */ 0);
        LiveWindow window =
                resumed(LOW, elsewhere(new StoredWindow.Targets(6, 433_000, 6)).behind(known));

        String text = fed(window).run().playlist();

        assertTrue(
                text.contains(
                        """
                        #EXT-X-MEDIA-SEQUENCE:107
                        #EXT-X-DISCONTINUITY-SEQUENCE:2
                        #EXT-X-MAP:URI="init8.mp4"
                        #EXT-X-GAP
                        #EXT-X-PROGRAM-DATE-TIME:2026-11-20T12:59:57.900Z
                        #EXTINF:0.010000,
                        s107.m4s
                        #EXT-X-PROGRAM-DATE-TIME:2026-11-20T13:00:04.000Z
                        """),
                text);
        assertEquals(108, window.oldestKept());
        assertTrue(window.segment(105).isEmpty());
        assertFalse(window.whenPart(105, 3).toCompletableFuture().join());
    }

    @Test
    void targetDuration_ofShorterSegments_staysThatOfTheSession() throws IOException {
        LiveWindow window =
                resumed(LatencyProfile.standard(), new StoredWindow.Targets(9, 960_000, 6));

        String text = fed(window).run().playlist();

        assertTrue(text.contains("#EXT-X-TARGETDURATION:9\n"), text);
    }

    @Test
    void mediaTimeAndDates_goOn() throws IOException {
        LiveWindow window = resumed(LOW, new StoredWindow.Targets(6, 500_000, 6));
        PackagerRig rig = fed(window).run();

        // The encoder was away for 4 s: media time has no gap, dates stay true.
        assertEquals(END_US, rig.sink.parts.getFirst().startUs());
        assertTrue(rig.playlist().contains("#EXT-X-PROGRAM-DATE-TIME:" + DATE), rig.playlist());
    }

    @Test
    void requests_beforeTheFirstSegment_waitForIt() throws IOException {
        LiveWindow window = resumed(LOW, new StoredWindow.Targets(6, 500_000, 6));
        assertEquals(OptionalLong.of(108), window.awaited());
        // What viewers of the other server wait for.
        CompletableFuture<Boolean> older =
                window.whenAvailable(106, OptionalInt.empty()).toCompletableFuture();
        CompletableFuture<Boolean> part =
                window.whenAvailable(106, OptionalInt.of(2)).toCompletableFuture();
        CompletableFuture<Boolean> first =
                window.whenAvailable(108, OptionalInt.empty()).toCompletableFuture();
        assertFalse(older.isDone());
        assertFalse(part.isDone());
        // Hinted before the discontinuity: never.
        assertFalse(window.whenPart(108, 0).toCompletableFuture().join());
        assertTrue(window.multivariant("id/").isEmpty());

        fed(window).run();

        assertTrue(older.join());
        assertTrue(part.join());
        assertTrue(first.join());
        assertEquals(OptionalLong.empty(), window.awaited());
    }

    @Test
    void close_beforeTheFirstSegment_answersWhatWaits() throws IOException {
        LiveWindow window = resumed(LOW, new StoredWindow.Targets(6, 500_000, 6));
        CompletableFuture<Boolean> waits =
                window.whenAvailable(108, OptionalInt.empty()).toCompletableFuture();

        window.close();

        assertFalse(waits.join());
    }

    @Test
    void suspended_withoutASegment_goesOnWithTheSameTargets() throws IOException {
        LiveWindow window = resumed(LOW, new StoredWindow.Targets(6, 433_000, 6));

        StoredWindow again = window.toStore();

        assertTrue(again.isEmpty());
        assertEquals(END_US, again.endUs());
        assertEquals(8, again.nextInit());
        assertEquals(433_000, again.head(window.settings()).partTargetUs());
        assertEquals(433_000, Segmenter.of(window).partTargetUs());
        assertEquals(6, Segmenter.of(window).targetDurationS());
    }

    @Test
    void rendition_startsWithTheSourceAndIsAwaited() throws Exception {
        LiveWindow window = resumed(LOW, new StoredWindow.Targets(6, 500_000, 6));
        LiveRenditions renditions = new LiveRenditions(window, memory);

        LiveWindow first = renditions.window("480p", 108);
        LiveWindow later = renditions.window("360p", 110);
        opened.add(first);
        opened.add(later);

        assertEquals(OptionalLong.of(108), first.awaited());
        assertEquals(OptionalLong.empty(), later.awaited());
    }

    @Test
    void numbers_thatAreNotReserved_areNotPublished() throws IOException {
        List<String> asked = new ArrayList<>();
        LiveWindow window = resumed(LOW, new StoredWindow.Targets(6, 500_000, 6));
        PackagerRig rig = fed(window);
        rig.run(
                PublishBarrier.OPEN,
                new SegmentNumbers() {
                    @Override
                    public boolean awaitPart(long mediaSequence) {
                        asked.add("s" + mediaSequence);
                        return mediaSequence < 109;
                    }

                    @Override
                    public boolean awaitInit(int number) {
                        asked.add("init" + number);
                        return true;
                    }
                });

        String text = rig.playlist(PlaylistKind.WINDOW);
        assertTrue(text.contains("s108.m4s"), text);
        assertFalse(text.contains("s109"), text);
        assertEquals(List.of("s108", "init8", "s108"), asked.subList(0, 3));
        assertTrue(asked.contains("s109"));
        assertFalse(asked.contains("s110"));
        assertEquals(109, window.nextMediaSequence());
    }
}
