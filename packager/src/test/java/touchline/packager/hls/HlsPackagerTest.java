package touchline.packager.hls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static touchline.packager.hls.TestMedia.AUDIO;
import static touchline.packager.hls.TestMedia.VIDEO;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import touchline.media.AccessUnit;
import touchline.media.FeedItem;
import touchline.media.Interruption;
import touchline.media.Timeline;
import touchline.media.hub.PublishBarrier;
import touchline.media.hub.PublishBarrier.Verdict;
import touchline.packager.hls.TestMedia.Video;
import touchline.packager.isobmff.BoxReader;
import touchline.packager.isobmff.BoxReader.Box;

final class HlsPackagerTest {
    private static final LatencyProfile LOW = LatencyProfile.low(Duration.ofMillis(250));

    @Test
    void standard_tenSeconds_wholePlaylist() {
        PackagerRig rig = new PackagerRig(LatencyProfile.standard());
        rig.feed(TestMedia.timeline(0, 0, VIDEO, AUDIO)).feed(both(0, 10_000)).run();

        assertEquals(
                """
                #EXTM3U
                #EXT-X-VERSION:7
                #EXT-X-TARGETDURATION:4
                #EXT-X-MEDIA-SEQUENCE:100
                #EXT-X-DISCONTINUITY-SEQUENCE:0
                #EXT-X-MAP:URI="init0.mp4"
                #EXT-X-PROGRAM-DATE-TIME:2026-11-20T12:00:00.000Z
                #EXTINF:4.000000,
                s100.m4s
                #EXT-X-PROGRAM-DATE-TIME:2026-11-20T12:00:04.000Z
                #EXTINF:4.000000,
                s101.m4s
                #EXT-X-PROGRAM-DATE-TIME:2026-11-20T12:00:08.000Z
                #EXTINF:2.000000,
                s102.m4s
                #EXT-X-ENDLIST
                """,
                rig.playlist());
        assertEquals(103, rig.window.nextMediaSequence());
        assertLeakFree(rig);
    }

    @Test
    void low_withRenditions_holdsBackTwoSeconds() {
        PackagerRig rig = new PackagerRig(LOW.withRenditions());
        rig.feed(TestMedia.timeline(0, 0, TestMedia.videoAt(10)));
        rig.feed(TestMedia.video(new Video(10, 20, 0, 2_500))).run();
        assertTrue(rig.playlist().contains(",PART-HOLD-BACK=2.000000,HOLD-BACK=18.000000\n"));
        assertLeakFree(rig);
    }

    @Test
    void low_twoAndAHalfSeconds_wholePlaylist() {
        PackagerRig rig = new PackagerRig(LOW);
        Video spec = new Video(10, 20, 0, 2_500);
        rig.feed(TestMedia.timeline(0, 0, TestMedia.videoAt(10))).feed(TestMedia.video(spec)).run();

        assertEquals(
                """
                #EXTM3U
                #EXT-X-VERSION:9
                #EXT-X-TARGETDURATION:6
                #EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,CAN-SKIP-UNTIL=36.000000,\
                PART-HOLD-BACK=0.600000,HOLD-BACK=18.000000
                #EXT-X-PART-INF:PART-TARGET=0.200000
                #EXT-X-MEDIA-SEQUENCE:100
                #EXT-X-DISCONTINUITY-SEQUENCE:0
                #EXT-X-MAP:URI="init0.mp4"
                #EXT-X-PROGRAM-DATE-TIME:2026-11-20T12:00:00.000Z
                #EXT-X-PART:DURATION=0.200000,URI="s100.0.m4s",INDEPENDENT=YES
                #EXT-X-PART:DURATION=0.200000,URI="s100.1.m4s"
                #EXT-X-PART:DURATION=0.200000,URI="s100.2.m4s"
                #EXT-X-PART:DURATION=0.200000,URI="s100.3.m4s"
                #EXT-X-PART:DURATION=0.200000,URI="s100.4.m4s"
                #EXT-X-PART:DURATION=0.200000,URI="s100.5.m4s"
                #EXT-X-PART:DURATION=0.200000,URI="s100.6.m4s"
                #EXT-X-PART:DURATION=0.200000,URI="s100.7.m4s"
                #EXT-X-PART:DURATION=0.200000,URI="s100.8.m4s"
                #EXT-X-PART:DURATION=0.200000,URI="s100.9.m4s"
                #EXTINF:2.000000,
                s100.m4s
                #EXT-X-PROGRAM-DATE-TIME:2026-11-20T12:00:02.000Z
                #EXT-X-PART:DURATION=0.200000,URI="s101.0.m4s",INDEPENDENT=YES
                #EXT-X-PART:DURATION=0.200000,URI="s101.1.m4s"
                #EXT-X-PART:DURATION=0.100000,URI="s101.2.m4s"
                #EXTINF:0.500000,
                s101.m4s
                #EXT-X-ENDLIST
                """,
                rig.playlist());
        assertLeakFree(rig);
    }

    @Test
    void interruption_thenNewTimeline_continuesBehindADiscontinuity() {
        PackagerRig rig = new PackagerRig(LatencyProfile.standard());
        rig.feed(TestMedia.timeline(0, 0, VIDEO, AUDIO))
                .feed(both(0, 5_000))
                .feed(Interruption.PUBLISHER_GONE)
                .feed(TestMedia.timeline(1, 60_000, VIDEO, AUDIO))
                .feed(both(60_000, 4_000))
                .run();

        assertEquals(
                """
                #EXTM3U
                #EXT-X-VERSION:7
                #EXT-X-TARGETDURATION:4
                #EXT-X-MEDIA-SEQUENCE:100
                #EXT-X-DISCONTINUITY-SEQUENCE:0
                #EXT-X-MAP:URI="init0.mp4"
                #EXT-X-PROGRAM-DATE-TIME:2026-11-20T12:00:00.000Z
                #EXTINF:4.000000,
                s100.m4s
                #EXT-X-PROGRAM-DATE-TIME:2026-11-20T12:00:04.000Z
                #EXTINF:1.000000,
                s101.m4s
                #EXT-X-DISCONTINUITY
                #EXT-X-MAP:URI="init1.mp4"
                #EXT-X-PROGRAM-DATE-TIME:2026-11-20T12:01:00.000Z
                #EXTINF:4.000000,
                s102.m4s
                #EXT-X-ENDLIST
                """,
                rig.playlist());
        assertLeakFree(rig);
    }

    /** A frame of three seconds behind a part's end must not go into the segment before it. */
    @Test
    void longFrame_atAPartBoundary_staysWithinTheTargetDuration() {
        PackagerRig rig = new PackagerRig(LatencyProfile.standard());
        List<AccessUnit> video = new ArrayList<>(TestMedia.video(new Video(10, 40, 0, 4_000)));
        video.addAll(TestMedia.video(new Video(10, 1_000, 4_000, 5_000)));
        video.add(TestMedia.frame(9_000, 0, false));
        video.add(TestMedia.frame(12_000, 0, false));
        rig.feed(TestMedia.timeline(0, 0, VIDEO)).feed(video).run();

        for (var segment : rig.sink.segments) {
            assertTrue(segment.durationUs() < 4_500_000, segment::toString);
        }
    }

    @Test
    void audioOnly_cutsEveryFourSecondsExactly() {
        PackagerRig rig = new PackagerRig(LatencyProfile.standard());
        rig.feed(TestMedia.timeline(0, 0, AUDIO)).feed(TestMedia.audio(0, 10_000)).run();

        long sum = 0;
        for (PartSink.SealedSegment segment : rig.sink.segments) {
            assertEquals(sum, segment.startUs());
            sum += segment.durationUs();
        }
        assertEquals(AUDIO.timescale().toUs(469L * 1024), sum);
        assertTrue(rig.playlist().contains("#EXTINF:4.010000,\ns100.m4s"), rig.playlist());
    }

    @Test
    void bFrames_timesArePublishersOwn() {
        PackagerRig rig = new PackagerRig(LatencyProfile.standard());
        List<AccessUnit> video = TestMedia.videoWithB(new Video(25, 100, 0, 8_000));
        List<FeedItem> items = TestMedia.interleaved(video, TestMedia.audio(33, 8_000));
        rig.feed(TestMedia.timeline(0, 0, VIDEO, AUDIO)).feed(items).run();

        List<Long> written = new ArrayList<>();
        for (byte[] part : rig.sink.partBytes) {
            written.addAll(presentationTicks(part));
        }
        assertEquals(video.stream().map(AccessUnit::ptsTicks).toList(), written);
        assertEquals(
                8_000_000,
                rig.sink.segments.stream().mapToLong(PartSink.SealedSegment::durationUs).sum());
    }

    @Test
    void parts_audioLiesInThePartOfItsDecodeTime() {
        PackagerRig rig = new PackagerRig(LatencyProfile.standard());
        rig.feed(TestMedia.timeline(0, 0, VIDEO, AUDIO)).feed(both(0, 8_000)).run();

        long audioTicks = 0;
        for (int i = 0; i < rig.sink.parts.size(); i++) {
            PartSink.FinishedPart part = rig.sink.parts.get(i);
            Box traf = trafs(rig.sink.partBytes.get(i)).get(1);
            long start = traf.child("tfdt").orElseThrow().u64(4);
            assertEquals(audioTicks, start);
            // Never further from the frame's boundary than two frames of audio.
            assertTrue(Math.abs(AUDIO.timescale().toUs(start) - part.startUs()) < 43_000);
            audioTicks += 1024 * traf.child("trun").orElseThrow().u32(4);
        }
        assertEquals(375 * 1024, audioTicks);
    }

    @Test
    void frameGap_ofSixSeconds_endsTheSegmentAndResumesAtAKeyFrame() {
        PackagerRig rig = new PackagerRig(LatencyProfile.standard());
        List<AccessUnit> video = new ArrayList<>(TestMedia.video(new Video(10, 20, 0, 3_000)));
        video.add(TestMedia.frame(9_000, 0, false));
        video.addAll(TestMedia.video(new Video(10, 20, 9_100, 2_000)));
        rig.feed(TestMedia.timeline(0, 0, VIDEO)).feed(video).run();

        assertEquals(
                List.of(0L, 3_000_000L),
                rig.sink.segments.stream().map(PartSink.SealedSegment::startUs).toList());
        assertEquals(
                List.of(3_000_000L, 2_000_000L),
                rig.sink.segments.stream().map(PartSink.SealedSegment::durationUs).toList());
        assertTrue(rig.playlist().contains("#EXT-X-DISCONTINUITY\n#EXT-X-MAP:URI=\"init1.mp4\""));
    }

    @Test
    void barrier_discards_whatFollowsTheLastPassedPartUpToAKeyFrame() {
        PackagerRig rig = new PackagerRig(LatencyProfile.standard());
        List<Long> asked = new ArrayList<>();
        rig.feed(TestMedia.timeline(0, 0, VIDEO, AUDIO)).feed(both(0, 12_000));
        rig.run(
                (_, lastPtsUs) -> {
                    asked.add(lastPtsUs);
                    return asked.size() == 3 ? Verdict.DISCARD : Verdict.PASS;
                });

        assertEquals(2_960_000, asked.get(2));
        assertEquals(2_000_000, rig.sink.segments.get(0).durationUs());
        assertEquals(2_000_000, rig.sink.segments.get(1).startUs());
        assertEquals(
                """
                #EXTM3U
                #EXT-X-VERSION:7
                #EXT-X-TARGETDURATION:4
                #EXT-X-MEDIA-SEQUENCE:100
                #EXT-X-DISCONTINUITY-SEQUENCE:0
                #EXT-X-MAP:URI="init0.mp4"
                #EXT-X-PROGRAM-DATE-TIME:2026-11-20T12:00:00.000Z
                #EXTINF:2.000000,
                s100.m4s
                #EXT-X-DISCONTINUITY
                #EXT-X-MAP:URI="init1.mp4"
                #EXT-X-PROGRAM-DATE-TIME:2026-11-20T12:00:04.000Z
                #EXTINF:4.000000,
                s101.m4s
                #EXT-X-PROGRAM-DATE-TIME:2026-11-20T12:00:08.000Z
                #EXTINF:4.000000,
                s102.m4s
                #EXT-X-ENDLIST
                """,
                rig.playlist());
        assertLeakFree(rig);
    }

    @Test
    void barrier_discardsEverything_nothingIsPublished() {
        PackagerRig rig = new PackagerRig(LatencyProfile.standard());
        rig.feed(TestMedia.timeline(0, 0, VIDEO, AUDIO)).feed(both(0, 8_000));
        rig.run((_, _) -> Verdict.DISCARD);

        assertEquals(List.of("end"), rig.sink.calls);
        assertEquals(0, rig.memory.liveBlocks());
    }

    @Test
    void sink_thatFails_isDroppedAndLiveGoesOn() {
        PackagerRig rig = new PackagerRig(LatencyProfile.standard());
        PartSink broken =
                new PartSink() {
                    @Override
                    public void initSegment(int number, Timeline timeline, MediaBlock bytes) {}

                    @Override
                    public void part(FinishedPart part) {
                        throw new IllegalStateException("disk");
                    }

                    @Override
                    public void sealed(SealedSegment segment) {
                        throw new AssertionError("called again after it failed");
                    }

                    @Override
                    public void end() {}
                };
        rig.feed(TestMedia.timeline(0, 0, VIDEO, AUDIO)).feed(both(0, 8_000));
        rig.run(PublishBarrier.OPEN, List.of(broken));

        assertEquals(2, rig.sink.segments.size());
        assertLeakFree(rig);
    }

    @Test
    void run_whileMediaComes_completesWaitingRequests() throws Exception {
        PackagerRig rig = new PackagerRig(LatencyProfile.standard());
        Thread packager = rig.start();
        CompletableFuture<Boolean> first = when(rig, 100);
        CompletableFuture<Boolean> second = when(rig, 101);
        rig.feed(TestMedia.timeline(0, 0, VIDEO, AUDIO)).feed(both(0, 5_000)).flush();
        assertTrue(first.get(10, TimeUnit.SECONDS));
        assertEquals(
                """
                #EXTM3U
                #EXT-X-VERSION:7
                #EXT-X-STREAM-INF:BANDWIDTH=35808,AVERAGE-BANDWIDTH=35808,\
                CODECS="avc1.64001f,mp4a.40.2",RESOLUTION=1280x720,FRAME-RATE=30.000,\
                CLOSED-CAPTIONS=NONE
                id/session-1/media.m3u8
                """,
                rig.window.multivariant("id/").orElseThrow());
        rig.feed(Interruption.PUBLISHER_GONE).flush();
        assertTrue(second.get(10, TimeUnit.SECONDS));
        rig.end();
        assertTrue(packager.join(Duration.ofSeconds(10)));
        assertEquals("end", rig.sink.calls.getLast());
        assertLeakFree(rig);
    }

    @Test
    void run_interrupted_sealsAndEnds() throws Exception {
        PackagerRig rig = new PackagerRig(LatencyProfile.standard());
        Thread packager = rig.start();
        CompletableFuture<Boolean> first = when(rig, 100);
        rig.feed(TestMedia.timeline(0, 0, VIDEO, AUDIO)).feed(both(0, 6_000)).flush();
        assertTrue(first.get(10, TimeUnit.SECONDS));
        CompletableFuture<Boolean> never = when(rig, 102);
        packager.interrupt();

        assertTrue(packager.join(Duration.ofSeconds(10)));
        assertFalse(never.join());
        assertTrue(rig.playlist().endsWith("#EXT-X-ENDLIST\n"));
        assertLeakFree(rig);
    }

    private static CompletableFuture<Boolean> when(PackagerRig rig, long mediaSequence) {
        return rig.window.whenAvailable(mediaSequence, OptionalInt.empty()).toCompletableFuture();
    }

    @Test
    void timelineWithoutUnits_publishesNothing() {
        PackagerRig rig = new PackagerRig(LatencyProfile.standard());
        rig.feed(TestMedia.timeline(0, 0, VIDEO, AUDIO)).feed(TestMedia.audio(0, 3_000)).run();

        assertEquals(List.of("end"), rig.sink.calls);
        assertEquals(0, rig.memory.liveBlocks());
    }

    @Test
    void lateAndDoubledUnits_areLeftOut() {
        PackagerRig rig = new PackagerRig(LatencyProfile.standard());
        List<AccessUnit> video = new ArrayList<>(TestMedia.video(new Video(10, 20, 0, 4_000)));
        video.add(5, TestMedia.frame(100, 0, false));
        rig.feed(TestMedia.timeline(0, 0, VIDEO)).feed(video).run();

        assertEquals(4_000_000, rig.sink.segments.getFirst().durationUs());
    }

    private static List<FeedItem> both(long startMs, long durationMs) {
        return TestMedia.interleaved(
                TestMedia.video(new Video(25, 50, startMs, durationMs)),
                TestMedia.audio(startMs, durationMs));
    }

    private static void assertLeakFree(PackagerRig rig) {
        rig.window.close();
        rig.window.close();
        assertEquals(0, rig.memory.liveBlocks());
    }

    private static List<Long> presentationTicks(byte[] part) {
        Box traf = trafs(part).getFirst();
        long dts = traf.child("tfdt").orElseThrow().u64(4);
        Box trun = traf.child("trun").orElseThrow();
        List<Long> ticks = new ArrayList<>();
        for (long i = 0; i < trun.u32(4); i++) {
            ticks.add(dts + trun.i32(12 + i * 16 + 12));
            dts += trun.u32(12 + i * 16);
        }
        return ticks;
    }

    private static List<Box> trafs(byte[] part) {
        Box moof = BoxReader.walk(MemorySegment.ofArray(part)).getFirst();
        return moof.children().stream().filter(box -> box.type().equals("traf")).toList();
    }
}
