package touchline.packager.hls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static touchline.packager.hls.TestMedia.AUDIO;
import static touchline.packager.hls.TestMedia.VIDEO;

import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
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

    /** A key frame of the test media, and its delimiter. */
    private static final long REPEATED_BYTES = 306;

    static List<LatencyProfile> profiles() {
        return List.of(STANDARD, LOW);
    }

    @ParameterizedTest
    @MethodSource("profiles")
    void framesAwayForTwentySeconds_segmentsGoOnAndTheyComeBack(LatencyProfile profile) {
        PackagerRig rig = packaged(profile, both(10_000, 30_000, 40_000, 0));

        assertEquals(1, initsOf(rig.sink.segments));
        assertAllAudio(rig, 40_000);
        assertEquals(20 * 25, frames(rig, /* repeated= */ false).size());
        assertRepeated(rig, 10_000, 30_000);
        assertContiguous(rig);
        SealedSegment last = rig.sink.segments.getLast();
        assertEquals(40_000_000, last.startUs() + last.durationUs());
        for (SealedSegment segment : rig.sink.segments) {
            assertTrue(segment.durationUs() <= 4_000_000, segment::toString);
            assertTrue(segment.durationUs() >= 400_000, segment::toString);
        }
        if (profile.listsParts()) {
            assertParts(rig);
        }
        rig.window.close();
        assertEquals(0, rig.memory.liveBlocks());
    }

    @ParameterizedTest
    @MethodSource("profiles")
    void framesThatNeverReturn_noAudioIsLost(LatencyProfile profile) {
        PackagerRig rig = packaged(profile, both(10_000, 60_000, 60_000, 0));

        assertAllAudio(rig, 60_000);
        assertContiguous(rig);
        assertRepeated(rig, 10_000, 60_000);
        SealedSegment last = rig.sink.segments.getLast();
        assertEquals(60_000_000, (double) (last.startUs() + last.durationUs()), 25_000);
    }

    @ParameterizedTest
    @MethodSource("profiles")
    void firstFrameThatComesBack_isAKeyFrame(LatencyProfile profile) {
        List<FeedItem> items = both(10_000, 30_000, 40_000, 0);
        // What comes first behind the gap is the rest of a GOP.
        items.removeIf(
                item ->
                        item instanceof AccessUnit unit
                                && unit.isKeyFrame()
                                && unit.dtsUs() == 30_000_000);
        PackagerRig rig = packaged(profile, items);

        List<Long> shown = frames(rig, /* repeated= */ false);
        assertEquals(10 * 25 + 8 * 25, shown.size());
        assertEquals(32_000 * 90, shown.get(250));
        assertRepeated(rig, 10_000, 32_000);
        assertAllAudio(rig, 40_000);
        assertContiguous(rig);
    }

    @Test
    void playlist_whileFramesAreAway_goesOnAfterAMoment() throws Exception {
        PackagerRig rig = new PackagerRig(STANDARD);
        Thread packager = rig.start();
        List<FeedItem> items = both(10_000, 60_000, 16_100, 0);
        rig.feed(TestMedia.timeline(0, 0, VIDEO, AUDIO)).feed(items).flush();

        // 0 to 4 s, 4 to 8 s, 8 to 10 s, then audio beside a repeated frame up to 14 s.
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
                        #EXT-X-PROGRAM-DATE-TIME:2026-11-20T12:00:10.000Z
                        #EXTINF:4.000000,
                        s103.m4s
                        """),
                playlist);
        rig.end();
        assertTrue(packager.join(Duration.ofSeconds(10)));
        rig.window.close();
        assertEquals(0, rig.memory.liveBlocks());
    }

    /** The segment before the gap is sealed when the frames count as missing. */
    @Test
    void lastSegmentBeforeTheGap_isThereAfterTwoSeconds() throws Exception {
        PackagerRig rig = new PackagerRig(STANDARD);
        Thread packager = rig.start();
        List<FeedItem> items = both(10_000, 60_000, 12_100, 0);
        rig.feed(TestMedia.timeline(0, 0, VIDEO, AUDIO)).feed(items).flush();

        for (long mediaSequence = 100; mediaSequence < 103; mediaSequence++) {
            assertTrue(
                    rig.window
                            .whenAvailable(mediaSequence, OptionalInt.empty())
                            .toCompletableFuture()
                            .get(10, TimeUnit.SECONDS));
        }
        rig.end();
        assertTrue(packager.join(Duration.ofSeconds(10)));
        rig.window.close();
    }

    /** An encoder's lookahead: audio always arrives this long before its frames. */
    @ParameterizedTest
    @ValueSource(longs = {-500, 300, 1_700, 3_500})
    void audioAheadOfItsFrames_isNoGap(long aheadMs) {
        PackagerRig rig = packaged(LOW, both(30_000, 30_000, 30_000, aheadMs));

        assertRepeated(rig, 30_000, 30_000);
        assertEquals(30 * 25, frames(rig, /* repeated= */ false).size());
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

        assertEquals(20 * 25, frames(rig, /* repeated= */ false).size());
        assertRepeated(rig, 10_000, 30_000);
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
            while (next < late.size() && late.get(next).dtsUs() + 3_900_000 < dtsUs) {
                all.add(late.get(next++));
            }
        }
        all.addAll(late.subList(next, late.size()));
        PackagerRig rig = packaged(LOW, all);

        assertAllAudio(rig, 40_000);
        assertContiguous(rig);
        assertEquals(10 * 25 + 8 * 25, frames(rig, /* repeated= */ false).size());
    }

    @Test
    void slowFrames_areNoGap() {
        List<AccessUnit> frames = TestMedia.video(new Video(1 / 3.0, 1, 0, 30_000));
        PackagerRig rig = packaged(STANDARD, ordered(frames, TestMedia.audio(0, 30_000), 0));

        assertEquals(10, frames(rig, /* repeated= */ false).size());
        assertRepeated(rig, 30_000, 30_000);
    }

    @Test
    void gapOfOneAndAHalfSeconds_isBridged() {
        PackagerRig rig = packaged(STANDARD, both(10_000, 11_500, 20_000, 0));

        assertRepeated(rig, 20_000, 20_000);
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

        SealedSegment last =
                rig.sink.segments.stream().filter(s -> s.initNumber() == 0).toList().getLast();
        assertEquals(17_000_000, (double) (last.startUs() + last.durationUs()), 25_000);
        assertEquals(
                TestMedia.audio(0, 17_000).stream().map(AccessUnit::ptsTicks).toList(),
                read(rig, AUDIO.id()).stream().map(Read::pts).toList());
        SealedSegment next =
                rig.sink.segments.stream()
                        .filter(s -> s.initNumber() == 1)
                        .findFirst()
                        .orElseThrow();
        assertEquals(last.startUs() + last.durationUs(), next.startUs());
    }

    /** Too short a time to say that frames are missing. */
    @ParameterizedTest
    @MethodSource("profiles")
    void timelineThatEndsSoonAfterItsFrames_keepsTheAudioBehindThem(LatencyProfile profile) {
        PackagerRig rig = packaged(profile, both(10_000, 60_000, 11_500, 0));

        assertAllAudio(rig, 11_500);
        assertContiguous(rig);
        SealedSegment last = rig.sink.segments.getLast();
        assertEquals(11_500_000, (double) (last.startUs() + last.durationUs()), 25_000);
        assertEquals(10 * 25, frames(rig, /* repeated= */ false).size());
    }

    /** An encoder's lookahead: frames of that audio were never sent. */
    @Test
    void timelineThatEndsWithAudioAhead_endsWithItsFrames() {
        PackagerRig rig = packaged(LOW, both(10_300, 60_000, 12_000, 1_700));

        assertRepeated(rig, 10_300, 10_300);
        SealedSegment last = rig.sink.segments.getLast();
        assertEquals(10_320_000, (double) (last.startUs() + last.durationUs()), 21_000);
    }

    @Test
    void repeatedFrame_startsWithADelimiter() {
        AccessUnit key = TestMedia.frame(0, 40, true);
        AccessUnit again = RepeatedFrame.of(key, 900);

        assertEquals(900, again.dtsTicks());
        assertEquals(40 * 90, again.compositionTimeOffsetTicks());
        assertTrue(again.idr());
        byte[] bytes = again.payload().toArray(ValueLayout.JAVA_BYTE);
        assertEquals(key.payload().byteSize() + 6, bytes.length);
        assertEquals("0000000209f0", HexFormat.of().formatHex(bytes, 0, 6));
        assertEquals(again.payload(), RepeatedFrame.of(again, 1_800).payload(), "once");
    }

    /** A rejected frame is not repeated, and media behind it does not appear. */
    @Test
    void gapBehindADiscardedPart_publishesNothing() {
        PackagerRig rig = new PackagerRig(STANDARD);
        rig.feed(TestMedia.timeline(0, 0, VIDEO, AUDIO)).feed(both(10_000, 30_000, 40_000, 0));
        rig.run(
                (_, lastPtsUs) ->
                        lastPtsUs > 8_500_000 && lastPtsUs < 30_000_000
                                ? Verdict.DISCARD
                                : Verdict.PASS);

        assertEquals(2, initsOf(rig.sink.segments));
        assertEquals(List.of(), frames(rig, /* repeated= */ true));
        long sumUs = rig.sink.segments.stream().mapToLong(SealedSegment::durationUs).sum();
        assertTrue(sumUs < 19_000_000, "of 8 s and 10 s: " + sumUs);
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

    /** Presentation times of frames; repeated ones have another size. */
    private static List<Long> frames(PackagerRig rig, boolean repeated) {
        List<Long> times = new ArrayList<>();
        for (Read each : read(rig, VIDEO.id())) {
            if (repeated == (each.bytes() == REPEATED_BYTES)) {
                times.add(each.pts());
            }
        }
        return times;
    }

    /** Frames stand for missing ones from one time to the other, at the rhythm of the profile. */
    private static void assertRepeated(PackagerRig rig, long fromMs, long toMs) {
        long stepMs = rig.window.settings().profile().listsParts() ? 234 : 1_000;
        List<Long> expected = new ArrayList<>();
        for (long at = fromMs; at < toMs; at += stepMs) {
            expected.add(at * 90);
        }
        List<Long> found = frames(rig, /* repeated= */ true);
        // If the frames do not come back, the last seconds have none.
        int least = Math.max(0, (int) (expected.size() - 3_000 / stepMs - 1));
        assertTrue(found.size() >= least && found.size() <= expected.size(), found::toString);
        assertEquals(expected.subList(0, found.size()), found);
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
            assertEquals(endUs, part.startUs(), part::toString);
            endUs += part.durationUs();
        }
    }

    private static void assertParts(PackagerRig rig) {
        long targetUs = 234_000;
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
