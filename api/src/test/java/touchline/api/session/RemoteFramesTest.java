package touchline.api.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import touchline.api.domain.FrameName;
import touchline.packager.delivery.FrameDecision;
import touchline.packager.delivery.FrameRequest;
import touchline.packager.delivery.NettyMediaMemory;
import touchline.packager.delivery.PlaybackDecision;
import touchline.packager.edge.Edge;
import touchline.packager.hls.MediaBody;

/** Which node a link to an evidence frame is answered by. */
final class RemoteFramesTest {
    private static final FrameRequest LINK = new FrameRequest("a1B2c3D4", "1700000000", "s");

    private final Map<FrameName, String> homes = new HashMap<>();
    private final Edge edge =
            new Edge(
                    new Edge.Dependencies(
                            (_, _) -> CompletableFuture.completedFuture(Optional.empty()),
                            (_, _) -> "signed",
                            new NettyMediaMemory(),
                            Optional.empty(),
                            1 << 20,
                            System::nanoTime));
    private FrameDecision here = FrameDecision.Refused.NOT_FOUND;
    private boolean away;
    private final RemoteFrames frames =
            new RemoteFrames(
                    _ -> CompletableFuture.completedFuture(here),
                    this::home,
                    "node-a",
                    node -> edge.media("frames of " + node, "frames"),
                    Runnable::run);

    private Optional<String> home(FrameName frame) {
        if (away) {
            throw new IllegalStateException("the database is away");
        }
        return Optional.ofNullable(homes.get(frame));
    }

    private FrameDecision find() {
        return frames.find(LINK).toCompletableFuture().join();
    }

    @Test
    void frame_ofAnotherNode_isAskedOfThatNode() {
        homes.put(new FrameName("a1B2c3D4"), "node-b");

        FrameDecision.Remote found = assertInstanceOf(FrameDecision.Remote.class, find());
        assertEquals("frames of node-b", found.media().subject());
    }

    @Test
    void frame_ofThisNodeOrUnknown_isNotAskedOfAnother() {
        assertEquals(FrameDecision.Refused.NOT_FOUND, find());
        homes.put(new FrameName("a1B2c3D4"), "node-a");
        assertEquals(FrameDecision.Refused.NOT_FOUND, find());
    }

    @Test
    void frame_onThisDisk_orWithABadLink_isDecidedHere() {
        away = true;
        here = new FrameDecision.Image(new MediaBody.FileRange(Path.of("frame.jpg"), 0, 8));
        assertEquals(here, find());
        here =
                new FrameDecision.Refused(
                        new PlaybackDecision.Refused(403, 40302, "expired", OptionalInt.empty()));
        assertEquals(here, find());
    }

    @Test
    void frame_whileTheDatabaseIsAway_isToBeAskedAgain() {
        away = true;

        FrameDecision.Refused refused = assertInstanceOf(FrameDecision.Refused.class, find());
        assertEquals(503, refused.refusal().status());
        assertEquals(OptionalInt.of(1), refused.refusal().retryAfterSeconds());
    }
}
