package touchline.packager.hls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static touchline.packager.hls.TestMedia.AUDIO;
import static touchline.packager.hls.TestMedia.VIDEO;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import touchline.media.AccessUnit;
import touchline.media.FeedItem;
import touchline.media.Interruption;
import touchline.media.hub.PublishBarrier.Verdict;
import touchline.packager.hls.Fragments.Read;
import touchline.packager.hls.PartSink.FinishedPart;
import touchline.packager.hls.PartSink.SealedSegment;
import touchline.packager.hls.TestMedia.Video;

/** Frames stop while audio goes on. */
final class MissingFramesTest {
    private static final LatencyProfile STANDARD = LatencyProfile.standard();
    private static final LatencyProfile LOW = LatencyProfile.low(Duration.ofMillis(250));

    /** Longer than a frame of audio: audio and frames do not end together. */
    private static final long SEAM_US = 22_000;

    static List<LatencyProfile> profiles() {
        return List.of(STANDARD, LOW);
    }

    @ParameterizedTest
    @MethodSource("profiles")
    void framesAwayForTwentySeconds_audioGoesOnAndTheyComeBack(LatencyProfile profile) {
        PackagerRig rig = packaged(profile, both(10_000, 30_000, 40_000, 0));

        List<SealedSegment> segments = rig.sink.segments;
        assertEquals(3, initsOf(segments));
        assertAllAudio(rig, 40_000);
        assertEquals(20 * 25, video(rig).size());
        assertContiguous(rig);
        SealedSegment last = segments.getLast();
        assertEquals(40_000_000, last.startUs() + last.durationUs(), SEAM_US);
        for (SealedSegment segment : segments) {
            boolean alone = segment.startUs() > 9_990_000 && segment.startUs() < 29_970_000;
            assertEquals(alone ? 1 : 0, segment.initNumber() % 2, segment::toString);
            assertTrue(segment.durationUs() > 1_000_000, segment::toString);
        }
        assertParts(rig);
        rig.window.close();
        assertEquals(0, rig.memory.liveBlocks());
    }

    @ParameterizedTest
    @MethodSource("profiles")
    void framesThatNeverReturn_noAudioIsLost(LatencyProfile profile) {
        PackagerRig rig = packaged(profile, both(10_000, 60_000, 60_000, 0));

        assertAllAudio(rig, 60_000);
        assertContiguous(rig);
        assertEquals(2, initsOf(rig.sink.segments));
        SealedSegment last = rig.sink.segments.getLast();
        assertEquals(60_000_000, last.startUs() + last.durationUs(), SEAM_US);
    }

    @ParameterizedTest
    @MethodSource("profiles")
    void firstFrameThatComesBack_isAKeyFrame(LatencyProfile profile) {
        List<FeedItem> items = both(10_000, 30_000, 40_000, 0);
        // The first second behind the gap is the rest of a GOP.
        items.removeIf(
                item ->
                        item instanceof AccessUnit unit
                                && unit.isKeyFrame()
                                && unit.dtsUs() == 30_000_000);
        PackagerRig rig = packaged(profile, items);

        AccessUnit key = TestMedia.frame(32_000, 0, true);
        assertTrue(video(rig).contains(new Read(key.dtsTicks(), key.ptsTicks(), 3_600)));
        assertEquals(10 * 25 + 8 * 25, video(rig).size());
        assertAllAudio(rig, 40_000);
        assertContiguous(rig);
    }

    @Test
    void playlist_whileFramesAreAway_goesOnAfterAMoment() throws Exception {
        PackagerRig rig = new PackagerRig(STANDARD);
        Thread packager = rig.start();
        List<FeedItem> items = both(10_000, 60_000, 18_100, 0);
        rig.feed(TestMedia.timeline(0, 0, VIDEO, AUDIO)).feed(items).flush();

        // 0 to 4 s, 4 to 8 s, 8 to 10 s, then audio up to 14 s.
        for (long mediaSequence = 100; mediaSequence < 104; mediaSequence++) {
            assertTrue(
                    rig.window
                            .whenAvailable(mediaSequence, OptionalInt.empty())
                            .toCompletableFuture()
                            .get(10, TimeUnit.SECONDS));
        }
        String playlist = rig.playlist();
        assertTrue(
                playlist.contains(
                        """
                        #EXTINF:2.000000,
                        s102.m4s
                        #EXT-X-DISCONTINUITY
                        #EXT-X-MAP:URI="init1.mp4"
                        #EXT-X-PROGRAM-DATE-TIME:2026-11-20T12:00:10.000Z
                        """),
                playlist);
        assertTrue(rig.window.multivariant("").orElseThrow().contains("CODECS=\"mp4a.40.2\""));
        rig.end();
        assertTrue(packager.join(Duration.ofSeconds(10)));
        rig.window.close();
        assertEquals(0, rig.memory.liveBlocks());
    }

    /** An encoder's lookahead: audio always arrives this long before its frames. */
    @ParameterizedTest
    @ValueSource(longs = {-500, 300, 1_700, 3_500})
    void audioAheadOfItsFrames_isNoGap(long aheadMs) {
        PackagerRig rig = packaged(LOW, both(30_000, 30_000, 30_000, aheadMs));

        assertEquals(1, initsOf(rig.sink.segments));
        assertEquals(30 * 25, video(rig).size());
    }

    static List<Arguments> leads() {
        List<Arguments> leads = new ArrayList<>();
        for (long aheadMs : new long[] {-500, 0, 300, 1_700, 3_500}) {
            leads.add(Arguments.of(STANDARD, aheadMs));
            leads.add(Arguments.of(LOW, aheadMs));
        }
        return leads;
    }

    @ParameterizedTest
    @MethodSource("leads")
    void audioAheadOfItsFrames_framesComeBackWithTheirFirstKeyFrame(
            LatencyProfile profile, long aheadMs) {
        PackagerRig rig = packaged(profile, both(10_000, 30_000, 40_000, aheadMs));

        assertEquals(3, initsOf(rig.sink.segments));
        assertEquals(20 * 25, video(rig).size());
        assertAllAudio(rig, 40_000);
        assertContiguous(rig);
    }

    /** They come back later than they left: the second key frame is waited for. */
    @Test
    void framesThatComeBackLater_audioWaitsForTheirNextKeyFrame() {
        List<AccessUnit> frames = new ArrayList<>();
        frames.addAll(TestMedia.video(new Video(25, 50, 0, 10_000)));
        List<FeedItem> items = ordered(frames, TestMedia.audio(0, 40_000), 0);
        List<AccessUnit> late = TestMedia.video(new Video(25, 50, 30_000, 10_000));
        List<FeedItem> all = new ArrayList<>();
        int next = 0;
        for (FeedItem item : items) {
            all.add(item);
            long dtsUs = ((AccessUnit) item).dtsUs();
            while (next < late.size() && late.get(next).dtsUs() + 4_000_000 < dtsUs) {
                all.add(late.get(next++));
            }
        }
        all.addAll(late.subList(next, late.size()));
        PackagerRig rig = packaged(LOW, all);

        assertAllAudio(rig, 40_000);
        assertContiguous(rig);
        assertEquals(10 * 25 + 8 * 25, video(rig).size());
    }

    @Test
    void slowFrames_areNoGap() {
        List<AccessUnit> frames = TestMedia.video(new Video(1 / 3.0, 1, 0, 30_000));
        PackagerRig rig = packaged(STANDARD, ordered(frames, TestMedia.audio(0, 30_000), 0));

        assertEquals(1, initsOf(rig.sink.segments));
        assertEquals(10, video(rig).size());
    }

    @Test
    void gapOfOneAndAHalfSeconds_isBridged() {
        PackagerRig rig = packaged(STANDARD, both(10_000, 11_500, 20_000, 0));

        assertEquals(1, initsOf(rig.sink.segments));
        assertAllAudio(rig, 20_000);
        assertContiguous(rig);
    }

    @Test
    void timelineThatEndsInAGap_publishesWhatWaits() {
        PackagerRig rig = new PackagerRig(LOW);
        List<FeedItem> items = both(10_000, 60_000, 17_000, 0);
        rig.feed(TestMedia.timeline(0, 0, VIDEO, AUDIO))
                .feed(items)
                .feed(Interruption.PUBLISHER_GONE)
                .feed(TestMedia.timeline(1, 20_000, VIDEO, AUDIO))
                .feed(ordered(TestMedia.video(new Video(25, 50, 20_000, 3_000)), List.of(), 0))
                .run();

        SealedSegment alone =
                rig.sink.segments.stream().filter(s -> s.initNumber() == 1).toList().getLast();
        assertEquals(17_000_000, alone.startUs() + alone.durationUs(), SEAM_US);
        SealedSegment next =
                rig.sink.segments.stream()
                        .filter(s -> s.initNumber() == 2)
                        .findFirst()
                        .orElseThrow();
        assertEquals(20_000_000, next.startUs());
    }

    /** What moderation has rejected does not go on as audio. */
    @Test
    void gapBehindADiscardedPart_publishesNothing() {
        PackagerRig rig = new PackagerRig(STANDARD);
        rig.feed(TestMedia.timeline(0, 0, VIDEO, AUDIO)).feed(both(10_000, 30_000, 40_000, 0));
        rig.run(
                lastPtsUs ->
                        lastPtsUs > 8_500_000 && lastPtsUs < 30_000_000
                                ? Verdict.DISCARD
                                : Verdict.PASS);

        assertEquals(2, initsOf(rig.sink.segments));
        assertFalse(
                rig.sink.segments.stream()
                        .anyMatch(s -> s.startUs() > 9_000_000 && s.startUs() < 30_000_000));
    }

    private static PackagerRig packaged(LatencyProfile profile, List<? extends FeedItem> items) {
        PackagerRig rig = new PackagerRig(PackagerRig.settings(profile, 100, /* recorded= */ true));
        return rig.feed(TestMedia.timeline(0, 0, VIDEO, AUDIO)).feed(items).run();
    }

    /**
     * @param fromMs the frames stop
     * @param toMs they come back
     * @param aheadMs audio arrives this long before the frames of its time
     */
    private static List<FeedItem> both(long fromMs, long toMs, long endMs, long aheadMs) {
        List<AccessUnit> frames = new ArrayList<>();
        frames.addAll(TestMedia.video(new Video(25, 50, 0, Math.min(fromMs, endMs))));
        if (toMs < endMs) {
            frames.addAll(TestMedia.video(new Video(25, 50, toMs, endMs - toMs)));
        }
        return ordered(frames, TestMedia.audio(0, endMs), aheadMs);
    }

    private static List<FeedItem> ordered(
            List<AccessUnit> frames, List<AccessUnit> audio, long aheadMs) {
        List<AccessUnit> all = new ArrayList<>(frames);
        all.addAll(audio);
        all.sort(
                Comparator.comparingLong(
                        unit -> unit.dtsUs() + (unit.track().isVideo() ? aheadMs * 1_000 : 0)));
        return new ArrayList<>(all);
    }

    private static int initsOf(List<SealedSegment> segments) {
        return segments.getLast().initNumber() + 1;
    }

    private static List<Read> video(PackagerRig rig) {
        return read(rig, VIDEO.id());
    }

    /** Each frame of audio once, in order, at its time. */
    private static void assertAllAudio(PackagerRig rig, long durationMs) {
        assertEquals(
                TestMedia.audio(0, durationMs).stream().map(AccessUnit::ptsTicks).toList(),
                read(rig, AUDIO.id()).stream().map(Read::pts).toList());
    }

    private static List<Read> read(PackagerRig rig, int trackId) {
        List<Read> samples = new ArrayList<>();
        for (byte[] part : rig.sink.partBytes) {
            for (int run = 0; run < 2; run++) {
                if (Fragments.trackId(part, run) == trackId) {
                    samples.addAll(Fragments.of(part, run));
                }
            }
        }
        return samples;
    }

    /** EXTINF counts media time: no hole, no overlap. */
    private static void assertContiguous(PackagerRig rig) {
        long endUs = 0;
        for (FinishedPart part : rig.sink.parts) {
            // Times are whole ticks of a track.
            assertEquals(endUs, part.startUs(), 25, part::toString);
            endUs = part.startUs() + part.durationUs();
        }
    }

    private static void assertParts(PackagerRig rig) {
        long targetUs =
                Math.round(
                        rig.window.settings().profile().listsParts()
                                ? Double.parseDouble(
                                                rig.playlist()
                                                        .replaceAll(
                                                                "(?s).*PART-TARGET=([0-9.]+)\n.*",
                                                                "$1"))
                                        * 1e6
                                : 1_000_000);
        for (int i = 0; i < rig.sink.parts.size(); i++) {
            FinishedPart part = rig.sink.parts.get(i);
            boolean last =
                    i + 1 == rig.sink.parts.size()
                            || rig.sink.parts.get(i + 1).mediaSequence() != part.mediaSequence();
            assertTrue(part.durationUs() <= targetUs, part::toString);
            assertTrue(last || part.durationUs() * 100 >= targetUs * 85, part::toString);
        }
    }
}
