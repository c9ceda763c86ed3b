package touchline.packager.hls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.media.AccessUnit;
import touchline.media.Timeline;
import touchline.media.hub.PublishBarrier;
import touchline.packager.conformance.ConformanceChecker;
import touchline.packager.conformance.HlsPlaylist;
import touchline.packager.hls.LivePlayback.PlaylistKind;
import touchline.testing.SyntheticStream;

/** The window of a recorded session whose beginning another server has recorded. */
final class TakenOverWindowTest {
    private static final LatencyProfile LOW = LatencyProfile.low(Duration.ofMillis(500));
    private static final SyntheticStream MEDIA = SyntheticStream.standard().bFrames(0).seconds(5);

    /** Where the first segment here starts, 108: the former server may have used up to 107. */
    private static final long START_US = 100_000_000;

    private static final Instant START = Instant.parse("2026-11-20T12:00:00Z");

    private final CountedMemory memory = new CountedMemory();
    private final List<LiveWindow> opened = new ArrayList<>();
    private final List<Path> asked = new ArrayList<>();

    @TempDir private Path folder;

    @BeforeEach
    void inits() throws IOException {
        Files.writeString(folder.resolve("init0.mp4"), "first");
        Files.writeString(folder.resolve("init1.mp4"), "second");
    }

    @AfterEach
    void everyBlockIsGivenBack() {
        opened.forEach(LiveWindow::close);
        assertEquals(0, memory.liveBlocks());
    }

    /** The discontinuity of its newest segment was the first one; number 2 to 7 may be used. */
    private LiveWindow resumed() throws IOException {
        return resumed(PackagerRig.settings(LOW, 108, /* recorded= */ true));
    }

    private LiveWindow resumed(LiveWindow.Settings settings) throws IOException {
        LiveWindow window =
                LiveWindow.resume(
                        settings,
                        memory,
                        StoredWindow.elsewhere(
                                new StoredWindow.Targets(6, 500_000, 7),
                                66_000,
                                START_US,
                                START.plusSeconds(100),
                                8,
                                1 << 24));
        opened.add(window);
        return window;
    }

    /** From {@link #START_US} on, as the hub's feed of a resumed session. */
    private PackagerRig fed(LiveWindow window) {
        return fed(window, MEDIA);
    }

    private PackagerRig fed(LiveWindow window, SyntheticStream media) {
        PackagerRig rig = new PackagerRig(window, memory);
        rig.feed(new Timeline(3, media.tracks(), START_US, START.plusSeconds(110)));
        for (AccessUnit unit : media.units()) {
            long ticks = unit.track().timescale().fromUs(START_US);
            rig.feed(
                    unit.at(
                            unit.track(),
                            unit.dtsTicks() + ticks,
                            unit.compositionTimeOffsetTicks()));
        }
        return rig;
    }

    /** Segments of two seconds, the last of which ends at a media time. */
    private EarlierSegments earlier(long first, long last, long endUs) {
        List<EarlierSegments.Stored> stored = new ArrayList<>();
        for (long number = first; number <= last; number++) {
            stored.add(
                    stored(number, number < 103 ? 0 : 1, endUs - (last + 1 - number) * 2_000_000));
        }
        return earlier(stored);
    }

    private EarlierSegments earlier(List<EarlierSegments.Stored> stored) {
        return new EarlierSegments(
                stored,
                Map.of(0, folder.resolve("init0.mp4"), 1, folder.resolve("init1.mp4")),
                file -> {
                    asked.add(file);
                    switch (file.getFileName().toString()) {
                        case "s101-0.m4s" -> throw new MediaAwayException("S3 does not answer");
                        case "s102-0.m4s" -> throw new NoSuchFileException("s102");
                        default -> {}
                    }
                });
    }

    private EarlierSegments.Stored stored(long number, int init, long startUs) {
        return new EarlierSegments.Stored(
                new VodPlaylist.Entry(
                        number,
                        init,
                        startUs,
                        START.plusNanos(startUs * 1_000),
                        2_000_000,
                        /* sizeBytes= */ 1_000),
                new MediaBody.FileRange(
                        folder.resolve("s" + number + "-" + init + ".m4s"), 16, 1_000));
    }

    private static List<String> findings(String... playlists) {
        ConformanceChecker checker = new ConformanceChecker();
        for (String text : playlists) {
            checker.whole(text);
        }
        return checker.findings().stream().map(Object::toString).toList();
    }

    @Test
    void fullPlaylist_hasTheWholeSessionWithItsLostNumbers() throws IOException {
        LiveWindow window = resumed();
        window.beginning().provide(earlier(101, 104, 95_500_000));

        String text = fed(window).run().playlist(PlaylistKind.FULL);

        assertTrue(
                text.startsWith(
                        """
                        #EXTM3U
                        #EXT-X-VERSION:9
                        #EXT-X-TARGETDURATION:6
                        #EXT-X-PLAYLIST-TYPE:EVENT
                        #EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,CAN-SKIP-UNTIL=36.000000,\
                        PART-HOLD-BACK=1.500000,HOLD-BACK=18.000000
                        #EXT-X-PART-INF:PART-TARGET=0.500000
                        #EXT-X-MEDIA-SEQUENCE:101
                        #EXT-X-DISCONTINUITY-SEQUENCE:0
                        #EXT-X-MAP:URI="init0.mp4"
                        #EXT-X-PROGRAM-DATE-TIME:2026-11-20T12:01:27.500Z
                        #EXTINF:2.000000,
                        s101.m4s
                        #EXT-X-PROGRAM-DATE-TIME:2026-11-20T12:01:29.500Z
                        #EXTINF:2.000000,
                        s102.m4s
                        #EXT-X-DISCONTINUITY
                        #EXT-X-MAP:URI="init1.mp4"
                        #EXT-X-PROGRAM-DATE-TIME:2026-11-20T12:01:31.500Z
                        #EXTINF:2.000000,
                        s103.m4s
                        #EXT-X-PROGRAM-DATE-TIME:2026-11-20T12:01:33.500Z
                        #EXTINF:2.000000,
                        s104.m4s
                        #EXT-X-PROGRAM-DATE-TIME:2026-11-20T12:01:35.500Z
                        #EXT-X-GAP
                        #EXTINF:0.001000,
                        s105.m4s
                        #EXT-X-PROGRAM-DATE-TIME:2026-11-20T12:01:35.501Z
                        #EXT-X-GAP
                        #EXTINF:0.001000,
                        s106.m4s
                        #EXT-X-PROGRAM-DATE-TIME:2026-11-20T12:01:35.502Z
                        #EXT-X-GAP
                        #EXTINF:0.001000,
                        s107.m4s
                        #EXT-X-DISCONTINUITY
                        #EXT-X-MAP:URI="init8.mp4"
                        #EXT-X-PROGRAM-DATE-TIME:2026-11-20T12:01:50.000Z
                        #EXT-X-PART:DURATION=0.500000,URI="s108.1.m4s",INDEPENDENT=YES
                        """),
                text);
        assertEquals(List.of(), findings(text));
    }

    @Test
    void fullPlaylist_waitsUntilTheBeginningIsKnown() throws IOException {
        LiveWindow window = resumed();
        window.beginning().expect();
        fed(window).run();

        CompletableFuture<Optional<RenderedPlaylist>> waits =
                window.mediaPlaylist(PlaylistKind.FULL).toCompletableFuture();
        assertFalse(waits.isDone());
        window.beginning().provide(earlier(101, 104, 95_500_000));

        assertTrue(text(waits).contains("#EXT-X-MEDIA-SEQUENCE:101\n"));
    }

    @Test
    void fullPlaylist_ofAnotherAsset_beginsHere() throws IOException {
        LiveWindow window = resumed();
        window.beginning().expect();
        fed(window).run();
        CompletableFuture<Optional<RenderedPlaylist>> waits =
                window.mediaPlaylist(PlaylistKind.FULL).toCompletableFuture();

        window.beginning().provideNone();

        assertTrue(text(waits).contains("#EXT-X-MEDIA-SEQUENCE:108\n"));
    }

    @Test
    void close_answersWhatWaitsForTheBeginning() throws IOException {
        LiveWindow window = resumed();
        window.beginning().expect();
        CompletableFuture<Optional<RenderedPlaylist>> waits =
                window.mediaPlaylist(PlaylistKind.FULL).toCompletableFuture();

        window.close();

        assertTrue(waits.join().isEmpty());
        window.beginning().provide(earlier(101, 104, 95_500_000));
    }

    @Test
    void numbers_lostBetweenEarlierServers_areGapsToo() throws IOException {
        LiveWindow window = resumed();
        window.beginning()
                .provide(
                        earlier(
                                List.of(
                                        stored(101, 0, 80_000_000),
                                        stored(104, 1, 86_000_000),
                                        stored(105, 1, 88_000_000))));

        String text = fed(window).run().playlist(PlaylistKind.FULL);

        assertEquals(
                List.of(102L, 103L, 106L, 107L),
                new ConformanceChecker()
                        .whole(text).orElseThrow().segments().stream()
                                .filter(HlsPlaylist.Segment::gap)
                                .map(HlsPlaylist.Segment::mediaSequence)
                                .toList());
        assertEquals(List.of(), findings(text));
    }

    @Test
    void earlierSegment_comesFromItsFileWhenThatIsHere() throws IOException {
        LiveWindow window = resumed();
        window.beginning().provide(earlier(101, 104, 95_500_000));
        fed(window).run();

        assertTrue(window.segment(103).isEmpty());
        MediaBody body = window.whenSegment(103).toCompletableFuture().join().orElseThrow();

        assertEquals(
                new MediaBody.FileRange(folder.resolve("s103-1.m4s"), 16, 1_000),
                assertInstanceOf(MediaBody.FileRange.class, body));
        assertEquals(List.of(folder.resolve("s103-1.m4s")), asked);
        CompletionException away =
                assertThrows(
                        CompletionException.class,
                        () -> window.whenSegment(101).toCompletableFuture().join());
        assertInstanceOf(MediaUnreachableException.class, away.getCause());
        assertTrue(window.whenSegment(102).toCompletableFuture().join().isEmpty());
        // A gap, and one of this server.
        assertTrue(window.whenSegment(106).toCompletableFuture().join().isEmpty());
        window.whenSegment(108).toCompletableFuture().join().orElseThrow().close();
        MediaBody init = window.initSegment(1).orElseThrow();
        assertEquals(6, init.sizeBytes());
        init.close();
    }

    @Test
    void thumbnails_areOfThisServersFrames() throws IOException {
        LiveWindow window = resumed();
        window.beginning().provide(earlier(101, 104, 95_500_000));
        fed(window).run();

        assertTrue(window.startingBy(90_000_000).isEmpty());
        assertEquals(108, window.startingBy(START_US).orElseThrow().mediaSequence());
    }

    @Test
    void livePlaylist_keepsTheStoredSegmentsOfItsWindow() throws IOException {
        LiveWindow window = resumed();
        window.beginning().provide(earlier(61, 104, 95_500_000));

        String text = fed(window).run().playlist();

        assertTrue(
                text.contains(
                        """
                        #EXT-X-MEDIA-SEQUENCE:77
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

    @Test
    void livePlaylist_isShownWithTheFirstPart() throws IOException {
        LiveWindow window = resumed();
        window.beginning().provide(earlier(101, 104, 95_500_000));
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
        window.beginning().provide(earlier(95, 104, 95_500_000));
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

        window.beginning().provide(earlier(101, 104, 95_500_000));

        assertTrue(before.contains("#EXT-X-MEDIA-SEQUENCE:108\n"), before);
        assertEquals(before, rig.playlist());
        String full = rig.playlist(PlaylistKind.FULL);
        assertTrue(
                full.contains("#EXT-X-MEDIA-SEQUENCE:101\n#EXT-X-DISCONTINUITY-SEQUENCE:0\n"),
                full);
        assertEquals(Optional.of(new StoredWindow.Targets(6, 500_000, 7)), window.targets());
    }

    @Test
    void muchThatIsLost_isNotListedLive() throws IOException {
        LiveWindow window = resumed();
        window.beginning().provide(earlier(90, 100, 80_000_000));

        PackagerRig rig = fed(window).run();

        assertTrue(rig.playlist().contains("#EXT-X-MEDIA-SEQUENCE:108\n"), rig.playlist());
        String full = rig.playlist(PlaylistKind.FULL);
        assertTrue(full.contains("#EXT-X-MEDIA-SEQUENCE:90\n"), full);
        assertEquals(7, full.split("#EXT-X-GAP", -1).length - 1, full);
    }

    @Test
    void suspended_beforeItsFirstSegment_goesOnAsBefore() throws IOException {
        LiveWindow window = resumed();
        window.beginning().provide(earlier(101, 104, 95_500_000));

        StoredWindow again = window.toStore();

        assertTrue(again.isEmpty());
        assertEquals(START_US, again.endUs());
        assertEquals(6, Segmenter.of(window).targetDurationS());
    }

    private static String text(CompletableFuture<Optional<RenderedPlaylist>> answer) {
        RenderedPlaylist text = answer.join().orElseThrow();
        String plain = StandardCharsets.UTF_8.decode(text.plain().bytes()).toString();
        text.release();
        return plain;
    }
}
