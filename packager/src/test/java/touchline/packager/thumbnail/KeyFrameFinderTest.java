package touchline.packager.thumbnail;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import touchline.media.AccessUnit;
import touchline.packager.hls.FrameSource;
import touchline.packager.hls.LatencyProfile;
import touchline.packager.hls.PackagerRig;
import touchline.packager.hls.TestMedia;
import touchline.packager.hls.TestMedia.Video;
import touchline.packager.thumbnail.KeyFrameFinder.NoFrameException;

/** Key frames by time in a live window, whose frames carry the low byte of their decode time. */
final class KeyFrameFinderTest {
    private static final LatencyProfile LOW = LatencyProfile.low(Duration.ofMillis(250));

    private final PackagerRig rig = new PackagerRig(LOW);

    @AfterEach
    void close() {
        rig.window.close();
        assertEquals(0, rig.memory.liveBytes(), "every block was given back");
    }

    private FrameSource source() {
        return rig.window.frames().orElseThrow();
    }

    /** Ten seconds at 25 frames a second, with a key frame each second: two in a segment. */
    private void plain() {
        rig.feed(TestMedia.timeline(0, 0, ReadableVideo.TRACK, TestMedia.AUDIO))
                .feed(
                        TestMedia.interleaved(
                                ReadableVideo.of(TestMedia.video(new Video(25, 25, 0, 10_000))),
                                TestMedia.audio(0, 10_000)))
                .run();
    }

    private static long dtsMs(KeyFrame keyFrame) {
        return dtsMs(keyFrame, /* delayMs= */ 0);
    }

    /**
     * As the publisher sent it.
     *
     * @param delayMs from there to the presentation of a key frame
     */
    private static long dtsMs(KeyFrame keyFrame, long delayMs) {
        AccessUnit unit = keyFrame.unit();
        long sentMs = unit.ptsTicks() / 90 - delayMs;
        assertEquals(300, unit.payload().byteSize());
        assertEquals((byte) sentMs, unit.payload().get(ValueLayout.JAVA_BYTE, 299));
        return sentMs;
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "999, 0",
        "1000, 1000",
        "1999, 1000",
        "2000, 2000",
        "5432, 5000",
        "9999, 9000",
        "10000, 9000",
        "10400, 9000"
    })
    void at_anyTime_isTheKeyFrameAtOrBefore(long timeMs, long expectedMs) throws Exception {
        plain();
        assertEquals(expectedMs, dtsMs(KeyFrameFinder.at(source(), timeMs * 1000)));
    }

    @Test
    void newest_ofASession_isItsLast() throws Exception {
        plain();
        KeyFrame newest = KeyFrameFinder.newest(source());
        assertEquals(9000, dtsMs(newest));
        assertEquals(1, newest.index(), "the second of its segment");
        assertEquals(newest.id(64), KeyFrameFinder.at(source(), 9_500_000).id(64));
    }

    @Test
    void at_withReorderedFrames_countsFromTheFirstShown() throws Exception {
        rig.feed(TestMedia.timeline(0, 0, ReadableVideo.TRACK))
                .feed(ReadableVideo.of(TestMedia.videoWithB(new Video(25, 50, 0, 6_000))))
                .run();
        assertEquals(40_000, source().mediaUs(0), "it is shown a frame later than it is decoded");
        assertEquals(0, dtsMs(KeyFrameFinder.at(source(), 0), 40));
        assertEquals(0, dtsMs(KeyFrameFinder.at(source(), 1_999_000), 40));
        assertEquals(2000, dtsMs(KeyFrameFinder.at(source(), 2_000_000), 40));
    }

    @Test
    void at_inSegmentsWithoutAKeyFrame_goesBackToThem() throws Exception {
        rig.feed(TestMedia.timeline(0, 0, ReadableVideo.TRACK))
                .feed(ReadableVideo.of(TestMedia.video(new Video(25, 1000, 0, 30_000))))
                .run();
        assertEquals(0, dtsMs(KeyFrameFinder.at(source(), 29_000_000)));
        assertEquals(0, dtsMs(KeyFrameFinder.newest(source())));
    }

    @Test
    void at_acrossADiscontinuity_readsThatTimelinesInit() throws Exception {
        rig.feed(TestMedia.timeline(0, 0, ReadableVideo.TRACK))
                .feed(ReadableVideo.of(TestMedia.video(new Video(25, 50, 0, 4_000))))
                .feed(TestMedia.timeline(1, 4_000, ReadableVideo.TRACK))
                .feed(ReadableVideo.of(TestMedia.video(new Video(25, 50, 4_000, 4_000))))
                .run();
        assertEquals(2000, dtsMs(KeyFrameFinder.at(source(), 3_900_000)));
        assertEquals(4000, dtsMs(KeyFrameFinder.at(source(), 4_000_000)));
    }

    @Test
    void at_behindTheEnd_saysSo() {
        plain();
        assertEquals(
                "time: behind the end of what is there",
                assertThrows(NoFrameException.class, () -> KeyFrameFinder.at(source(), 11_000_000))
                        .reason());
    }

    @Test
    void at_beforeTheWindow_saysSo() {
        PackagerRig unrecorded =
                new PackagerRig(PackagerRig.settings(LOW, /* firstMediaSequence= */ 0, false));
        unrecorded
                .feed(TestMedia.timeline(0, 500_000, ReadableVideo.TRACK))
                .feed(ReadableVideo.of(TestMedia.video(new Video(25, 50, 500_000, 4_000))))
                .run();
        FrameSource late =
                new LateFrames(unrecorded.window.frames().orElseThrow(), /* byUs= */ 100_000_000);
        assertEquals(
                "time: before what is still kept",
                assertThrows(NoFrameException.class, () -> KeyFrameFinder.at(late, 5_000_000))
                        .reason());
        unrecorded.window.close();
    }

    @Test
    void audioOnly_saysSo() {
        rig.feed(TestMedia.timeline(0, 0, TestMedia.AUDIO))
                .feed(List.copyOf(TestMedia.audio(0, 6_000)))
                .run();
        for (String reason :
                List.of(
                        assertThrows(NoFrameException.class, () -> KeyFrameFinder.newest(source()))
                                .reason(),
                        assertThrows(
                                        NoFrameException.class,
                                        () -> KeyFrameFinder.at(source(), 5_000_000))
                                .reason())) {
            assertEquals("there is audio only, without video", reason);
        }
    }

    @Test
    void frames_beforeTheFirstPart_areNone() {
        assertEquals(Optional.empty(), rig.window.frames());
    }
}
