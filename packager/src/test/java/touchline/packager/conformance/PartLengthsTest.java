package touchline.packager.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import touchline.media.AccessUnit;
import touchline.media.hub.PublishBarrier;
import touchline.packager.hls.LatencyProfile;
import touchline.packager.hls.PackagerRig;
import touchline.packager.hls.TestMedia;
import touchline.packager.hls.TestMedia.Video;

/** Parts that are hard to make long enough: 85 % of PART-TARGET, but for a segment's last. */
final class PartLengthsTest {
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
