package touchline.packager.delivery;

import java.util.concurrent.CompletionStage;

/**
 * Port: what a playback id shows, and whether this viewer may see it. Called on an event loop for
 * every request: must not block, and completes at once for whatever is in memory.
 */
@FunctionalInterface
public interface PlaybackAccess {
    CompletionStage<PlaybackDecision> resolve(PlaybackRequest request);
}
