package touchline.packager.hls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static touchline.packager.hls.RenditionRig.MEDIUM;
import static touchline.packager.hls.RenditionRig.SMALL;
import static touchline.packager.hls.RenditionRig.at;
import static touchline.packager.hls.RenditionRig.multivariant;
import static touchline.packager.hls.RenditionRig.steady;
import static touchline.packager.hls.RenditionRig.timeline;
import static touchline.packager.hls.TestMedia.AUDIO;
import static touchline.packager.hls.TestMedia.VIDEO;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import touchline.media.AccessUnit;
import touchline.media.FeedItem;
import touchline.media.Interruption;
import touchline.media.hub.Feed;
import touchline.media.hub.PublishBarrier;
import touchline.media.hub.PublishBarrier.Verdict;
import touchline.packager.hls.Fragments.Read;
import touchline.packager.hls.LivePlayback.PlaylistKind;
import touchline.packager.hls.PartSink.FinishedPart;
import touchline.packager.hls.TestMedia.Video;

/** Renditions beside their source: same numbers, times and audio, whatever the source does. */
final class LiveRenditionsTest {
    private static final LatencyProfile STANDARD = LatencyProfile.standard();
    private static final LatencyProfile LOW = LatencyProfile.low(Duration.ofMillis(250));

    @TempDir private Path folder;

    static List<LatencyProfile> profiles() {
        return List.of(STANDARD, LOW);
    }

    @ParameterizedTest
    @MethodSource("profiles")
    void fullAndHalfFrameRate_haveTheSourcesPartsAndAudio(LatencyProfile profile)
            throws InterruptedException {
        List<FeedItem> source = steady(0, 24_000);
        RenditionRig rig = new RenditionRig(profile, folder);
        rig.rendition("480p", RenditionRig.encoded(source, MEDIUM, 1));
        rig.rendition("360p", RenditionRig.encoded(source, SMALL, 2));
        rig.run(source);

        assertEquals(List.of(), rig.findings());
        assertLikeSource(rig, "480p");
        assertLikeSource(rig, "360p");
        assertEquals(24 * 30, Fragments.all(rig.sinkOf("480p"), 0).size());
        assertEquals(24 * 15, Fragments.all(rig.sinkOf("360p"), 0).size());
        assertTrue(rig.playlist("480p").endsWith("#EXT-X-ENDLIST\n"));
        rig.close();
    }

    @ParameterizedTest
    @MethodSource("profiles")
    void sourceWithBFrames_renditionKeepsPresentationTimes(LatencyProfile profile)
            throws InterruptedException {
        List<FeedItem> source = new ArrayList<>();
        source.add(TestMedia.timeline(0, 0, VIDEO, AUDIO));
        source.addAll(
                TestMedia.interleaved(
                        TestMedia.videoWithB(new Video(25, 49, 0, 20_000)),
                        TestMedia.audio(0, 20_000)));
        RenditionRig rig = new RenditionRig(profile, folder);
        rig.rendition("480p", RenditionRig.encoded(source, MEDIUM, 1));
        rig.run(source);

        assertEquals(List.of(), rig.findings());
        assertLikeSource(rig, "480p");
        assertEquals(shownBySegment(rig.sink), shownBySegment(rig.sinkOf("480p")));
        rig.close();
    }

    @ParameterizedTest
    @MethodSource("profiles")
    void otherSizeBehindDiscontinuity_renditionHasItsOwnInits(LatencyProfile profile)
            throws InterruptedException {
        List<FeedItem> source = steady(0, 12_000);
        source.add(Interruption.PUBLISHER_GONE);
        source.addAll(timeline(1, 20_013, 12_000));
        List<FeedItem> units = RenditionRig.encoded(steady(0, 12_000), MEDIUM, 1);
        units.add(Interruption.PUBLISHER_GONE);
        units.addAll(RenditionRig.encoded(timeline(1, 20_013, 12_000), SMALL, 1));
        RenditionRig rig = new RenditionRig(profile, folder);
        rig.rendition("480p", units);
        rig.run(source);

        assertEquals(List.of(), rig.findings());
        assertLikeSource(rig, "480p");
        String playlist = rig.playlist("480p");
        assertTrue(playlist.contains("#EXT-X-DISCONTINUITY\n#EXT-X-MAP:URI=\"init1.100.mp4\""));
        rig.close();
    }

    @ParameterizedTest
    @MethodSource("profiles")
    void missingFrames_renditionRepeatsItsOwnKeyFrame(LatencyProfile profile)
            throws InterruptedException {
        List<AccessUnit> frames = new ArrayList<>();
        frames.addAll(TestMedia.video(new Video(25, 50, 0, 9_000)));
        frames.addAll(TestMedia.video(new Video(25, 50, 16_000, 8_000)));
        List<FeedItem> source = new ArrayList<>();
        source.add(TestMedia.timeline(0, 0, VIDEO, AUDIO));
        source.addAll(TestMedia.interleaved(frames, TestMedia.audio(0, 24_000)));
        RenditionRig rig = new RenditionRig(profile, folder);
        rig.rendition("480p", RenditionRig.encoded(source, MEDIUM, 1));
        rig.run(source);

        assertEquals(List.of(), rig.findings());
        assertLikeSource(rig, "480p");
        // Its own key frame has 90 bytes, and 6 of a delimiter before it.
        long repeated =
                Fragments.all(rig.sinkOf("480p"), 0).stream()
                        .filter(read -> read.bytes() == 96)
                        .count();
        long ofSource =
                Fragments.all(rig.sink, 0).stream().filter(read -> read.bytes() == 306).count();
        assertEquals(ofSource, repeated);
        assertTrue(repeated > 5, () -> "" + repeated);
        assertEquals(shown(rig.sink), shown(rig.sinkOf("480p")));
        rig.close();
    }

    @ParameterizedTest
    @MethodSource("profiles")
    void partsThatTheGateDiscards_areInNoRendition(LatencyProfile profile)
            throws InterruptedException {
        PublishBarrier barrier =
                (_, lastPtsUs) ->
                        lastPtsUs > 7_300_000 && lastPtsUs < 8_100_000
                                ? Verdict.DISCARD
                                : Verdict.PASS;
        List<FeedItem> source = steady(0, 24_000);
        RenditionRig rig = new RenditionRig(profile, folder);
        rig.rendition("360p", RenditionRig.encoded(source, SMALL, 2));
        rig.run(source, barrier, _ -> {});

        assertEquals(List.of(), rig.findings());
        assertLikeSource(rig, "360p");
        assertTrue(rig.sinkOf("360p").calls.contains("init 1"));
        rig.close();
    }

    @Test
    void lateRendition_startsWithTheNextSegment() throws InterruptedException {
        List<FeedItem> source = steady(0, 40_000);
        List<FeedItem> units = RenditionRig.encoded(source, MEDIUM, 1);
        RenditionRig rig = new RenditionRig(LOW, folder);
        rig.run(
                source,
                PublishBarrier.OPEN,
                at(source, 13_000, () -> rig.rendition("480p", units)));

        assertEquals(List.of(), rig.findings());
        FinishedPart first = rig.sinkOf("480p").parts.getFirst();
        assertEquals(107, first.mediaSequence());
        assertEquals(14_000_000, first.startUs());
        assertTrue(first.independent());
        assertTrue(rig.playlist("480p").contains("#EXT-X-MEDIA-SEQUENCE:107\n"));
        rig.close();
    }

    @Test
    void droppedRendition_answersNothingAtOnce_andComesBackWithTheSourcesNumbers()
            throws InterruptedException {
        List<FeedItem> source = steady(0, 10_000);
        source.add(Interruption.PUBLISHER_GONE);
        source.addAll(timeline(1, 15_000, 30_000));
        List<FeedItem> units = RenditionRig.encoded(source, MEDIUM, 1);
        RenditionRig rig = new RenditionRig(LOW, folder);
        rig.rendition("480p", units);
        List<CompletableFuture<Boolean>> held = new ArrayList<>();
        List<LivePlayback> before = new ArrayList<>();
        rig.run(
                source,
                PublishBarrier.OPEN,
                at(
                        source,
                        21_500,
                        () -> {
                            LivePlayback playback = rig.window.rendition("480p").orElseThrow();
                            before.add(playback);
                            long next = rig.window.nextMediaSequence();
                            held.add(
                                    playback.whenAvailable(next, OptionalInt.of(3))
                                            .toCompletableFuture());
                            held.add(
                                    playback.whenAvailable(next, OptionalInt.empty())
                                            .toCompletableFuture());
                            held.add(playback.whenPart(next, 3).toCompletableFuture());
                            assertFalse(held.stream().anyMatch(CompletableFuture::isDone));
                            rig.renditions.drop("480p");
                            rig.renditions.drop("480p");
                            assertTrue(rig.window.rendition("480p").isEmpty());
                            assertFalse(multivariant(rig).contains("480p"));
                            rig.rendition("480p", units);
                        }));

        assertEquals(List.of(), rig.findings());
        assertEquals(List.of(false, false, false), held.stream().map(each -> each.join()).toList());
        assertTrue(playlist(before.getFirst()).isEmpty());
        assertTrue(before.getFirst().segment(104).isEmpty());
        assertTrue(before.getFirst().initSegment(0).isEmpty());
        String back = rig.playlist("480p");
        assertTrue(back.contains("#EXT-X-MEDIA-SEQUENCE:109\n"), back);
        assertTrue(back.contains("#EXT-X-DISCONTINUITY-SEQUENCE:1\n"), back);
        assertTrue(back.contains("init1.109.mp4"), back);
        LivePlayback now = rig.window.rendition("480p").orElseThrow();
        assertTrue(now.initSegment(1, 100).isEmpty(), "of the run before");
        now.initSegment(1, 109).orElseThrow().close();
        rig.close();
    }

    @Test
    void renditionWhoseKeyFramesDoNotBelong_failsOrNeverStarts() throws InterruptedException {
        List<FeedItem> source = steady(0, 20_000);
        List<FeedItem> shifted = RenditionRig.encoded(timeline(0, 7, 20_000), MEDIUM, 1);
        List<FeedItem> short8 = RenditionRig.encoded(steady(0, 8_100), SMALL, 1);
        RenditionRig rig = new RenditionRig(STANDARD, folder).withoutComparison();
        rig.rendition("480p", shifted);
        rig.rendition("360p", short8);
        rig.run(source);

        assertEquals(List.of(), rig.findings());
        List<RenditionInfo.State> states =
                rig.renditions.list().stream().map(RenditionInfo::state).toList();
        assertEquals(List.of(RenditionInfo.State.STARTING, RenditionInfo.State.FAILED), states);
        assertTrue(rig.window.rendition("360p").isEmpty());
        rig.close();
    }

    @Test
    void plannedStop_leavesThePlaylistsOpen_andTheNextRunContinues() throws InterruptedException {
        List<FeedItem> source = steady(0, 8_000);
        RenditionRig rig = new RenditionRig(LOW, folder);
        rig.rendition("480p", RenditionRig.encoded(source, MEDIUM, 1));
        rig.run(source, PublishBarrier.OPEN, at(source, 7_000, rig.window::leaveOpen));

        assertEquals(List.of(), rig.findings());
        assertFalse(rig.playlist("480p").contains("ENDLIST"));
        assertTrue(multivariant(rig).contains("480p/media.m3u8"));
        rig.close();

        RenditionRig next = new RenditionRig(new RenditionRig.Settings(LOW, 104), folder);
        List<FeedItem> more = timeline(1, 20_000, 8_000);
        next.rendition("480p", RenditionRig.encoded(more, MEDIUM, 1));
        next.run(more);
        assertEquals(List.of(), next.findings());
        assertTrue(next.playlist("480p").contains("#EXT-X-MEDIA-SEQUENCE:104\n"));
        assertTrue(next.playlist("480p").contains("init0.104.mp4"), "not that of the first run");
        next.close();
    }

    @Test
    void unitsThatComeLater_holdNothingButTheirRendition() throws InterruptedException {
        List<FeedItem> source = steady(0, 12_000);
        RenditionRig rig = new RenditionRig(LOW, folder).withoutComparison();
        Feed feed = rig.begin("480p");
        LiveWindow window = rig.window;
        new PackagerSource(source).run(rig);
        long last = window.nextMediaSequence() - 1;

        assertTrue(window.whenAvailable(last, OptionalInt.empty()).toCompletableFuture().join());
        assertTrue(window.rendition("480p").isEmpty());
        RenditionRig.encoded(source, MEDIUM, 1).forEach(feed::offer);
        feed.flush();
        feed.end();
        assertTrue(rig.renditions.awaitIdle(Duration.ofSeconds(20)));
        assertLikeSource(rig, "480p");
        rig.close();
    }

    /** The source is packaged without waiting for its renditions. */
    private record PackagerSource(List<FeedItem> items) {
        void run(RenditionRig rig) {
            Feed feed = new Feed();
            var subscription = feed.subscribe("packager", 64 << 20);
            items.forEach(feed::offer);
            feed.end();
            new HlsPackager(
                            subscription,
                            rig.memory,
                            rig.window,
                            List.of(rig.sink),
                            PublishBarrier.OPEN)
                    .run();
        }
    }

    private static void assertLikeSource(RenditionRig rig, String name) {
        CollectingSink own = rig.sinkOf(name);
        assertEquals(partsOf(rig.sink), partsOf(own));
        assertEquals(audio(rig.sink), audio(own));
        assertTrue(own.calls.contains("end"));
        long at = own.parts.getFirst().startUs() * 90 / 1_000;
        for (Read read : video(own)) {
            assertTrue(Math.abs(at - read.dts()) <= 1, "no gap");
            at = read.dts() + read.duration();
        }
    }

    private static List<String> partsOf(CollectingSink sink) {
        return sink.parts.stream()
                .map(
                        part ->
                                part.mediaSequence()
                                        + "."
                                        + part.index()
                                        + " "
                                        + part.startUs()
                                        + "+"
                                        + part.durationUs()
                                        + part.independent())
                .toList();
    }

    private static List<Read> video(CollectingSink sink) {
        return Fragments.all(sink, 0);
    }

    private static List<Read> audio(CollectingSink sink) {
        return Fragments.all(sink, 1);
    }

    private static List<Long> shown(CollectingSink sink) {
        return video(sink).stream().map(Read::pts).sorted().toList();
    }

    /** A player that changes at a segment shows no frame twice and skips none. */
    private static Map<Long, List<Long>> shownBySegment(CollectingSink sink) {
        Map<Long, List<Long>> shown = new TreeMap<>();
        for (int i = 0; i < sink.parts.size(); i++) {
            List<Long> times =
                    shown.computeIfAbsent(
                            sink.parts.get(i).mediaSequence(), _ -> new ArrayList<>());
            Fragments.of(sink.partBytes.get(i), 0).forEach(read -> times.add(read.pts()));
        }
        shown.values().forEach(times -> times.sort(null));
        return shown;
    }

    private static List<String> playlist(LivePlayback playback) {
        return playback
                .mediaPlaylist(PlaylistKind.WINDOW)
                .toCompletableFuture()
                .join()
                .map(text -> text.toString())
                .stream()
                .toList();
    }
}
