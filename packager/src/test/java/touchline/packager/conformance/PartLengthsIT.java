package touchline.packager.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import touchline.media.AccessUnit;
import touchline.media.FeedItem;
import touchline.media.hub.PublishBarrier;
import touchline.packager.hls.LatencyProfile;
import touchline.packager.hls.PackagerRig;
import touchline.packager.hls.TestMedia;
import touchline.packager.hls.TestMedia.Video;

/** Parts that are hard to make long enough: 85 % of PART-TARGET, but for a segment's last. */
final class PartLengthsIT {
    private static final Duration DEFAULT_PART = Duration.ofMillis(250);

    @TempDir private Path folder;

    /** An encoder under load leaves frames out: the one before lasts twice as long. */
    @ParameterizedTest
    @ValueSource(doubles = {24, 25, 30, 50, 60})
    void frameLeftOut_makesNoPartTooShort(double frameRate) {
        List<AccessUnit> frames =
                new ArrayList<>(TestMedia.video(new Video(frameRate, 50, 0, 20_000)));
        for (int at = frames.size() - 3; at > 0; at -= 37) {
            if (!frames.get(at).idr()) {
                frames.remove(at);
            }
        }

        assertEquals(List.of(), findings(DEFAULT_PART, frames));
    }

    /** Six frames last 250.25 ms, which milliseconds make 250 or 251. */
    @Test
    void filmRateInMilliseconds_makesNoPartTooShort() {
        assertEquals(
                List.of(),
                findings(DEFAULT_PART, TestMedia.video(new Video(23.976, 48, 0, 20_000))));
    }

    /** The last frame of a timeline is guessed a millisecond too long for its part. */
    @ParameterizedTest
    @ValueSource(ints = {100, 200})
    void lastFrameOfATimeline_makesNoPartTooShort(int partMs) {
        assertEquals(
                List.of(),
                findings(Duration.ofMillis(partMs), TestMedia.video(new Video(30, 60, 0, 20_000))));
    }

    /** A compositor on a busy machine leaves out frames, and passes audio. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void overload_anyFramesLeftOut_leavesPartTargetAndPartsAsTheyAre(long seed) {
        Random random = new Random(seed);
        List<AccessUnit> frames = new ArrayList<>();
        int keptOf = 1;
        for (AccessUnit frame : TestMedia.video(new Video(30, 60, 0, 40_000))) {
            boolean changes = frame.idr() && random.nextInt(2) == 0;
            keptOf = changes ? 1 + random.nextInt(14) : keptOf;
            boolean steady = frame.dtsUs() / 33_000 % keptOf == 0;
            if (frame.idr() || (random.nextInt(4) > 0 && steady)) {
                frames.add(frame);
            }
        }
        List<FeedItem> items = TestMedia.interleaved(frames, TestMedia.audio(0, 40_000));
        PackagerRig rig =
                new PackagerRig(PackagerRig.settings(LatencyProfile.low(DEFAULT_PART), 100, true));
        SessionReader reader = new SessionReader(rig.window, folder);
        rig.feed(TestMedia.timeline(0, 0, TestMedia.VIDEO, TestMedia.AUDIO))
                .feed(items)
                .run(PublishBarrier.OPEN, List.of(reader));

        assertEquals(List.of(), reader.findings());
        assertTrue(reader.everyState.latest().orElseThrow().text().contains("TARGET=0.234000"));
    }

    /** Three frames a second where thirty are declared: a machine that is far too slow. */
    @ParameterizedTest
    @ValueSource(doubles = {2, 3, 4, 5, 7})
    void overload_framesLongerThanParts_audioFillsTheParts(double frameRate) {
        List<AccessUnit> frames = TestMedia.video(new Video(30, 60, 0, 4_000));
        int gop = (int) Math.ceil(2 * frameRate);
        frames.addAll(TestMedia.video(new Video(frameRate, gop, 4_000, 30_000)));
        frames.addAll(TestMedia.video(new Video(30, 60, 34_000, 6_000)));
        PackagerRig rig =
                new PackagerRig(PackagerRig.settings(LatencyProfile.low(DEFAULT_PART), 100, true));
        SessionReader reader = new SessionReader(rig.window, folder);
        rig.feed(TestMedia.timeline(0, 0, TestMedia.VIDEO, TestMedia.AUDIO))
                .feed(TestMedia.interleaved(frames, TestMedia.audio(0, 40_000)))
                .run(PublishBarrier.OPEN, List.of(reader));

        // A frame lasts beyond its part, and other parts have none; segments are as always.
        assertEquals(
                List.of(),
                reader.findings().stream().filter(PartLengthsIT::isNoMatterOfAPart).toList());
    }

    private static boolean isNoMatterOfAPart(Finding finding) {
        return !List.of(Rule.MEDIA_DURATION, Rule.INDEPENDENT_FLAG).contains(finding.rule())
                || !finding.excerpt().startsWith("Part[");
    }

    private List<Finding> findings(Duration part, List<AccessUnit> frames) {
        PackagerRig rig =
                new PackagerRig(
                        PackagerRig.settings(LatencyProfile.low(part), 100, /* recorded= */ true));
        SessionReader reader = new SessionReader(rig.window, folder);
        rig.feed(TestMedia.timeline(0, 0, TestMedia.VIDEO))
                .feed(frames)
                .run(PublishBarrier.OPEN, List.of(reader));
        return reader.findings();
    }
}
