package touchline.packager.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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

/** Short sessions, each with one thing that is not as it should be. */
final class OddSessionsIT {
    private static final int SECOND = 1_000;
    private static final LatencyProfile LOW = LatencyProfile.low(Duration.ofMillis(250));

    @TempDir private Path folder;

    @Test
    void partsThatTheBarrierDiscards_leaveAConformingHole() {
        PublishBarrier barrier =
                (_, lastPtsUs) ->
                        lastPtsUs > 7_300_000 && lastPtsUs < 8_100_000
                                ? PublishBarrier.Verdict.DISCARD
                                : PublishBarrier.Verdict.PASS;
        SessionReader reader = run(LOW, steady(30, 40 * SECOND), barrier);

        assertEquals(List.of(), reader.findings());
        assertTrue(reader.everyState.latest().orElseThrow().text().contains("DISCONTINUITY\n"));
    }

    @Test
    void framesThatStayAway_areReplaced() {
        List<FeedItem> items = new ArrayList<>();
        items.add(TestMedia.timeline(0, 0, TestMedia.VIDEO, TestMedia.AUDIO));
        List<AccessUnit> frames = new ArrayList<>();
        frames.addAll(TestMedia.video(new Video(30, 60, 0, 9_500)));
        frames.addAll(TestMedia.video(new Video(30, 60, 20 * SECOND, 20 * SECOND)));
        items.addAll(TestMedia.interleaved(frames, TestMedia.audio(0, 40 * SECOND)));
        SessionReader reader = run(LOW, items, PublishBarrier.OPEN);

        assertEquals(List.of(), reader.findings());
    }

    @ParameterizedTest
    @ValueSource(doubles = {15, 24, 25, 29.97, 30, 48, 50, 59.94, 60})
    void frameRates_makePartsThatConform(double frameRate) {
        SessionReader reader = run(LOW, steady(frameRate, 20 * SECOND), PublishBarrier.OPEN);

        assertEquals(List.of(), reader.findings());
        assertTrue(reader.media.parts() > 75, () -> "" + reader.media.parts());
    }

    @ParameterizedTest
    @ValueSource(ints = {120, 333, 500, 1_000})
    void partTargets_makePartsThatConform(int partMs) {
        LatencyProfile profile = LatencyProfile.low(Duration.ofMillis(partMs));
        SessionReader reader = run(profile, steady(30, 20 * SECOND), PublishBarrier.OPEN);

        assertEquals(List.of(), reader.findings());
    }

    private SessionReader run(
            LatencyProfile profile, List<FeedItem> items, PublishBarrier barrier) {
        PackagerRig rig = new PackagerRig(PackagerRig.settings(profile, 100, /* recorded= */ true));
        SessionReader reader = new SessionReader(rig.window, folder);
        rig.feed(items).run(barrier, List.of(reader));
        rig.window.close();
        assertEquals(0, rig.memory.liveBlocks());
        return reader;
    }

    private static List<FeedItem> steady(double frameRate, int durationMs) {
        List<FeedItem> items = new ArrayList<>();
        items.add(TestMedia.timeline(0, 0, TestMedia.VIDEO, TestMedia.AUDIO));
        Video spec = new Video(frameRate, (int) Math.round(2 * frameRate), 0, durationMs);
        items.addAll(TestMedia.interleaved(TestMedia.video(spec), TestMedia.audio(0, durationMs)));
        return items;
    }
}
