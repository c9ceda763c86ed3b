package touchline.api.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.net.InetAddress;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import touchline.packager.delivery.FrameDecision;
import touchline.packager.delivery.FrameRequest;
import touchline.packager.delivery.PlaybackAccess;
import touchline.packager.delivery.PlaybackDecision;
import touchline.packager.delivery.PlaybackRequest;
import touchline.packager.hls.MediaBody;

final class LeasedPlaybackTest {
    private static final PlaybackDecision SHOWN = new PlaybackDecision.Chapters("WEBVTT", false);
    private static final FrameDecision FRAME =
            new FrameDecision.Image(new MediaBody.FileRange(Path.of("frame.jpg"), 0, 8));
    private static final PlaybackRequest REQUEST =
            new PlaybackRequest(
                    "id",
                    PlaybackRequest.Resource.MEDIA,
                    Optional.empty(),
                    Optional.empty(),
                    InetAddress.getLoopbackAddress(),
                    Optional.empty());

    private final AtomicBoolean mayAnswer = new AtomicBoolean(true);
    private final PlaybackAccess access =
            new LeasedPlayback(
                    new PlaybackAccess() {
                        @Override
                        public CompletionStage<PlaybackDecision> resolve(PlaybackRequest request) {
                            return CompletableFuture.completedFuture(SHOWN);
                        }

                        @Override
                        public CompletionStage<PlaybackDecision> resolveForNode(
                                PlaybackRequest request) {
                            return CompletableFuture.completedFuture(SHOWN);
                        }

                        @Override
                        public CompletionStage<FrameDecision> frame(FrameRequest request) {
                            return CompletableFuture.completedFuture(FRAME);
                        }
                    },
                    mayAnswer::get);

    private static PlaybackDecision now(CompletionStage<PlaybackDecision> decision) {
        return decision.toCompletableFuture().getNow(PlaybackDecision.Refused.NOT_FOUND);
    }

    @Test
    void evidenceFrames_areRefusedWithoutTheLease_too() {
        FrameRequest request = new FrameRequest("a1B2c3D4", "1700000000", "s");
        assertSame(FRAME, access.frame(request).toCompletableFuture().join());

        mayAnswer.set(false);
        assertEquals(
                new FrameDecision.Refused(
                        new PlaybackDecision.Refused(
                                503, 50301, "this server has no database now", OptionalInt.of(1))),
                access.frame(request).toCompletableFuture().join());
    }

    @Test
    void viewersAndNodes_areAnsweredWithTheLease_andRefusedWithoutIt() {
        assertSame(SHOWN, now(access.resolve(REQUEST)));
        assertSame(SHOWN, now(access.resolveForNode(REQUEST)));

        mayAnswer.set(false);
        PlaybackDecision refused = now(access.resolve(REQUEST));

        assertEquals(
                new PlaybackDecision.Refused(
                        503, 50301, "this server has no database now", OptionalInt.of(1)),
                refused);
        assertSame(refused, now(access.resolveForNode(REQUEST)));
        mayAnswer.set(true);
        assertSame(SHOWN, now(access.resolve(REQUEST)));
    }
}
