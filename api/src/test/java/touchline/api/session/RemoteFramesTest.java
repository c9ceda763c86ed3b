package touchline.api.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.audit.FrameHome;
import touchline.api.db.EvidenceRepository.Location;
import touchline.api.domain.FrameContent;
import touchline.api.domain.FrameName;
import touchline.packager.delivery.FrameDecision;
import touchline.packager.delivery.FrameRequest;
import touchline.packager.delivery.NettyMediaMemory;
import touchline.packager.delivery.PlaybackDecision;
import touchline.packager.edge.Edge;
import touchline.packager.edge.RemoteMedia;
import touchline.packager.hls.MediaAwayException;
import touchline.packager.hls.MediaBody;

/** Where the frame behind a link comes from. */
final class RemoteFramesTest {
    private static final FrameRequest LINK = new FrameRequest("a1B2c3D4", "1700000000", "s");

    private static final FrameContent CONTENT = new FrameContent(8, OptionalLong.of(3));

    @TempDir private Path folder;

    private final Map<FrameName, Location> rows = new HashMap<>();
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

    /** What S3 does. */
    private CompletableFuture<Path> brought = new CompletableFuture<>();

    private final FrameHome s3 =
            new FrameHome() {
                @Override
                public void recorded() {
                    throw new AssertionError("nothing is recorded here");
                }

                @Override
                public CompletionStage<Path> bring(FrameName frame, FrameContent content) {
                    assertEquals(CONTENT, content);
                    return brought;
                }
            };

    private Optional<Location> row(FrameName frame) {
        if (away) {
            throw new IllegalStateException("the database is away");
        }
        return Optional.ofNullable(rows.get(frame));
    }

    private Optional<RemoteMedia> media(String node) {
        return node.equals("node-a")
                ? Optional.empty()
                : Optional.of(edge.media("frames of " + node, "frames"));
    }

    private FrameDecision find(Optional<FrameHome> home) {
        return new RemoteFrames(
                        _ -> CompletableFuture.completedFuture(here),
                        this::row,
                        home,
                        this::media,
                        Runnable::run)
                .find(LINK)
                .toCompletableFuture()
                .join();
    }

    private FrameDecision find() {
        return find(Optional.empty());
    }

    private void recordedAt(String node, boolean stored) {
        rows.put(new FrameName("a1B2c3D4"), new Location(CONTENT, Optional.of(node), stored));
    }

    private static String subject(FrameDecision found) {
        return assertInstanceOf(FrameDecision.Remote.class, found).media().subject();
    }

    @Test
    void frame_ofAnotherNode_isAskedOfThatNode() {
        recordedAt("node-b", /* stored= */ true);
        assertEquals("frames of node-b", subject(find()));

        // Not in S3 yet.
        recordedAt("node-b", /* stored= */ false);
        assertEquals("frames of node-b", subject(find(Optional.of(s3))));
    }

    @Test
    void frame_ofThisNodeOrUnknown_isNotAskedOfAnother() {
        assertEquals(FrameDecision.Refused.NOT_FOUND, find());
        recordedAt("node-a", /* stored= */ false);
        assertEquals(FrameDecision.Refused.NOT_FOUND, find());
        assertEquals(FrameDecision.Refused.NOT_FOUND, find(Optional.of(s3)));
    }

    @Test
    void frame_inS3_comesFromThere_whateverItsNode() throws Exception {
        Path file = Files.writeString(folder.resolve("a.jpg"), "JPEG 123");
        brought = CompletableFuture.completedFuture(file);
        for (String node : List.of("node-a", "node-b")) {
            recordedAt(node, /* stored= */ true);
            assertEquals(
                    new FrameDecision.Image(new MediaBody.FileRange(file, 0, 8)),
                    find(Optional.of(s3)));
        }
    }

    @Test
    void frame_thatS3DoesNotGive_isAskedOfItsNode_elseAgainLater() {
        brought = CompletableFuture.failedFuture(new MediaAwayException("S3: no"));
        recordedAt("node-b", /* stored= */ true);
        assertEquals("frames of node-b", subject(find(Optional.of(s3))));

        recordedAt("node-a", /* stored= */ true);
        FrameDecision.Refused refused =
                assertInstanceOf(FrameDecision.Refused.class, find(Optional.of(s3)));
        assertEquals(503, refused.refusal().status());
        assertEquals(OptionalInt.of(5), refused.refusal().retryAfterSeconds());
    }

    @Test
    void frame_thatS3Lacks_isNotFound_unlessItsNodeHasIt() {
        brought = CompletableFuture.failedFuture(new NoSuchFileException("evidence/a1/a1.jpg"));
        recordedAt("node-a", /* stored= */ true);
        assertEquals(FrameDecision.Refused.NOT_FOUND, find(Optional.of(s3)));
        recordedAt("node-b", /* stored= */ true);
        assertEquals("frames of node-b", subject(find(Optional.of(s3))));
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
