package touchline.packager.hls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import touchline.media.AccessUnit;
import touchline.media.Interruption;
import touchline.media.Track;

/** What low latency playlists announce when the publisher goes. */
final class HintsAtInterruptionTest {
    private static final Track VIDEO = TestMedia.videoAt(20);

    private final PackagerRig rig = new PackagerRig(LatencyProfile.low(Duration.ofMillis(250)));

    @AfterEach
    void everyBlockIsGivenBack() {
        rig.window.close();
        assertEquals(0, rig.memory.liveBlocks());
    }

    @Test
    void publisherGone_noPartIsHintedAndTheHintedOneIsRefused() throws Exception {
        Thread packager = rig.start();
        rig.feed(TestMedia.timeline(0, 0, VIDEO)).feed(frames(0, 120)).flush();
        assertTrue(when(rig.window.whenAvailable(100, OptionalInt.empty()).toCompletableFuture()));
        assertTrue(when(rig.window.whenAvailable(102, OptionalInt.of(7)).toCompletableFuture()));
        assertTrue(rig.playlist().endsWith("URI=\"s103.0.m4s\"\n"), rig.playlist());
        CompletableFuture<Boolean> hinted = rig.window.whenPart(103, 0).toCompletableFuture();

        rig.feed(Interruption.PUBLISHER_GONE).flush();

        assertFalse(when(hinted), "another init segment comes first");
        assertTrue(
                rig.playlist().endsWith("\ns102.m4s\n# the next part follows a discontinuity\n"),
                rig.playlist());
        rig.feed(TestMedia.timeline(1, 9_000, VIDEO)).feed(frames(180, 10)).flush();
        int first = LivePlayback.FIRST_PART_BEHIND_DISCONTINUITY;
        assertTrue(when(rig.window.whenPart(103, first).toCompletableFuture()));
        rig.end();
        assertTrue(packager.join(Duration.ofSeconds(10)));
    }

    /** Twenty frames a second, the first of each forty a key frame. */
    private static List<AccessUnit> frames(int first, int count) {
        List<AccessUnit> units = new ArrayList<>();
        for (int i = first; i < first + count; i++) {
            units.add(TestMedia.frame(i * 50L, 0, (i - first) % 40 == 0));
        }
        return units;
    }

    private static boolean when(CompletableFuture<Boolean> stage) throws Exception {
        return stage.get(10, TimeUnit.SECONDS);
    }
}
