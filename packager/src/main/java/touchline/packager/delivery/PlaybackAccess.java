package touchline.packager.delivery;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Port: what a playback id shows, and whether this viewer may see it. Called on an event loop for
 * every request: must not block, and completes at once for whatever is in memory.
 */
@FunctionalInterface
public interface PlaybackAccess {
    CompletionStage<PlaybackDecision> resolve(PlaybackRequest request);

    /** The evidence frame behind a signed link; on the same terms. */
    default CompletionStage<FrameDecision> frame(FrameRequest request) {
        return CompletableFuture.completedFuture(FrameDecision.Refused.NOT_FOUND);
    }
}
