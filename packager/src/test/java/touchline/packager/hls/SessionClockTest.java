package touchline.packager.hls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import touchline.media.AccessUnit;
import touchline.media.Interruption;
import touchline.media.hub.PublishBarrier;
import touchline.packager.hls.Fragments.Read;
import touchline.packager.hls.TestMedia.Video;

/** What players take as time: decode times in the segments, and sums of EXTINF. */
final class SessionClockTest {
    private static final LatencyProfile LOW = LatencyProfile.low(Duration.ofMillis(250));

    private PackagerRig rig = new PackagerRig(LatencyProfile.standard());

    @AfterEach
    void close() {
        rig.window.close();
        assertEquals(0, rig.memory.liveBlocks());
    }

    /** {@code run}: 0 for frames, 1 for audio. */
    private List<Read> ofSegment(int index, int run) {
        List<Read> samples = new ArrayList<>();
        long sequence = rig.sink.segments.get(index).mediaSequence();
        for (int i = 0; i < rig.sink.parts.size(); i++) {
            if (rig.sink.parts.get(i).mediaSequence() == sequence) {
                samples.addAll(Fragments.of(rig.sink.partBytes.get(i), run));
            }
        }
        return samples;
    }

    /**
     * Every segment starts where the sum of EXTINF before it ends, a timeline with the presentation
     * of its first frame.
     */
    private void assertOneClock(int... starts) {
        long startUs = rig.sink.segments.getFirst().startUs();
        for (int i = 0; i < rig.sink.segments.size(); i++) {
            PartSink.SealedSegment segment = rig.sink.segments.get(i);
            assertEquals(startUs, segment.startUs(), "start of segment " + i);
            Read first = ofSegment(i, 0).getFirst();
            assertEquals(TestMedia.VIDEO.timescale().fromUs(startUs), first.dts());
            startUs += segment.durationUs();
        }
        for (int start : starts) {
            Read first = ofSegment(start, 0).getFirst();
            assertEquals(first.dts(), first.pts(), "first frame of segment " + start);
        }
        for (Read sample : Fragments.all(rig.sink, 0)) {
            assertTrue(sample.pts() >= sample.dts(), "decoded after its presentation: " + sample);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void segments_withBFrames_startWithTheFirstFrameAndLastUntilTheLast(boolean low) {
        rig = low ? new PackagerRig(LOW) : rig;
        List<AccessUnit> video = TestMedia.videoWithB(new Video(30, 121, 0, 12_100));
        rig.feed(TestMedia.timeline(0, 0, TestMedia.VIDEO, TestMedia.AUDIO))
                .feed(TestMedia.interleaved(video, TestMedia.audio(0, 12_100)))
                .run();

        assertOneClock(0);
        assertEquals(33_000, rig.sink.segments.getFirst().startUs(), "presented a frame later");
        assertEquals(4_033_000, rig.sink.segments.get(1).startUs());
        long sumUs = rig.sink.segments.stream().mapToLong(s -> s.durationUs()).sum();
        assertTrue(Math.abs(12_100_000 - sumUs) <= 1_000, "sum: " + sumUs);
        Set<Long> shown = new HashSet<>();
        Fragments.all(rig.sink, 0).forEach(sample -> shown.add(sample.pts()));
        video.forEach(unit -> assertTrue(shown.contains(unit.ptsTicks())));
    }

    /** A player that loads any segment first takes its earliest sample for the segment's start. */
    @Test
    void segments_withAudio_haveNoneBeforeTheirStart() {
        rig.feed(TestMedia.timeline(0, 0, TestMedia.VIDEO, TestMedia.AUDIO))
                .feed(
                        TestMedia.interleaved(
                                TestMedia.videoWithB(new Video(25, 100, 0, 12_000)),
                                TestMedia.audio(0, 12_000)))
                .run();

        for (int i = 0; i < rig.sink.segments.size(); i++) {
            double frameS = ofSegment(i, 0).getFirst().dts() / 90_000.0;
            double audioS = ofSegment(i, 1).getFirst().pts() / 48_000.0;
            assertTrue(audioS >= frameS, "segment " + i + ": audio at " + audioS + " of " + frameS);
            assertTrue(audioS < frameS + 0.022, "segment " + i + ": no audio at its start");
        }
    }

    @Test
    void audioBeforeTheFirstFrame_andBehindTheLast_isNotPublished() {
        rig.feed(TestMedia.timeline(0, 0, TestMedia.VIDEO, TestMedia.AUDIO))
                .feed(TestMedia.audio(0, 500))
                .feed(
                        TestMedia.interleaved(
                                TestMedia.video(new Video(25, 50, 500, 4_000)),
                                TestMedia.audio(512, 4_100)))
                .run();

        List<Read> audio = Fragments.all(rig.sink, 1);
        assertEquals(512 * 48, audio.getFirst().pts());
        assertTrue(audio.getLast().pts() < 4_500 * 48, "last: " + audio.getLast());
        assertTrue(audio.getLast().pts() >= 4_470 * 48, "last: " + audio.getLast());
        assertOneClock(0);
    }

    /** Media time goes on while the publisher is away, and audio may be longer than frames. */
    @Test
    void timelineAfterAGap_startsWhereTheLastOneEnded() {
        rig.feed(TestMedia.timeline(0, 0, TestMedia.VIDEO, TestMedia.AUDIO))
                .feed(
                        TestMedia.interleaved(
                                TestMedia.videoWithB(new Video(30, 70, 0, 4_667)),
                                TestMedia.audio(0, 4_740)))
                .feed(Interruption.PUBLISHER_GONE)
                .feed(TestMedia.timeline(1, 20_001, TestMedia.VIDEO, TestMedia.AUDIO))
                .feed(
                        TestMedia.interleaved(
                                TestMedia.videoWithB(new Video(30, 70, 20_001, 2_333)),
                                TestMedia.audio(20_001, 2_400)))
                .run();

        assertOneClock(0, 1);
        assertEquals(2, rig.sink.segments.size());
        assertTrue(rig.playlist().contains("#EXT-X-DISCONTINUITY\n"), rig.playlist());
        assertTrue(rig.playlist().contains("TIME:2026-11-20T12:00:20.0"), rig.playlist());
        double audioS = ofSegment(1, 1).getFirst().pts() / 48_000.0;
        double frameS = ofSegment(1, 0).getFirst().pts() / 90_000.0;
        assertTrue(audioS >= frameS && audioS < frameS + 0.022, audioS + " of " + frameS);
        long lastUs = Long.MIN_VALUE;
        for (Read sample : Fragments.all(rig.sink, 1)) {
            assertTrue(sample.dts() >= lastUs, "audio does not go back: " + sample);
            lastUs = sample.dts();
        }
    }

    /** What the barrier discards leaves no gap. */
    @Test
    void partsAfterADiscardedOne_startWhereTheLastOneEnded() {
        PublishBarrier barrier =
                (_, ptsUs) ->
                        ptsUs > 4_100_000 && ptsUs < 6_000_000
                                ? PublishBarrier.Verdict.DISCARD
                                : PublishBarrier.Verdict.PASS;
        rig.feed(TestMedia.timeline(0, 0, TestMedia.VIDEO))
                .feed(TestMedia.video(new Video(25, 50, 0, 12_000)))
                .run(barrier);

        assertOneClock(0);
        assertTrue(rig.sink.segments.size() > 2);
        long sumUs = rig.sink.segments.stream().mapToLong(s -> s.durationUs()).sum();
        assertTrue(sumUs < 11_000_000, "discarded: " + sumUs);
    }
}
