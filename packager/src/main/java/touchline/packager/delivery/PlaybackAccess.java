package touchline.packager.delivery;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Port: resolves a playback id and decides whether the viewer may see it. Called on an event loop
 * for every request: must not block, and completes at once for anything in memory.
 */
@FunctionalInterface
public interface PlaybackAccess {
    CompletionStage<PlaybackDecision> resolve(PlaybackRequest request);

    /**
     * Resolves a playback id for another node of the cluster, which has proved that it is one. It
     * has checked the viewer, so tokens are not; viewers are counted there. Only what runs or lies
     * at this server is found.
     */
    default CompletionStage<PlaybackDecision> resolveForNode(PlaybackRequest request) {
        return CompletableFuture.completedFuture(PlaybackDecision.Refused.NOT_FOUND);
    }

    /** Resolves a signed link to an evidence frame; the same rules apply. */
    default CompletionStage<FrameDecision> frame(FrameRequest request) {
        return CompletableFuture.completedFuture(FrameDecision.Refused.NOT_FOUND);
    }
}
