package touchline.api.session;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import touchline.api.domain.PlaybackPolicy;
import touchline.packager.audience.StreamViewers;
import touchline.packager.edge.RemoteMedia;

/**
 * Port: playback ids whose media another node has. Called on event loops for ids that nothing here
 * has: does not block, and completes at once for those in memory. Any thread.
 */
@FunctionalInterface
public interface RemotePlaybackIds {
    /** Without a cluster. */
    RemotePlaybackIds NONE =
            new RemotePlaybackIds() {
                @Override
                public CompletionStage<Optional<Found>> find(String playbackId) {
                    return CompletableFuture.completedFuture(Optional.empty());
                }

                @Override
                public boolean isAlone() {
                    return true;
                }
            };

    /** Whether no other node ever has anything. */
    default boolean isAlone() {
        return false;
    }

    /** Empty if no other node has it; fails while that cannot be found out. */
    CompletionStage<Optional<Found>> find(String playbackId);

    /**
     * A stream or asset of another node.
     *
     * @param viewers counts the viewers of a stream at this node; empty for an asset
     */
    record Found(RemoteMedia media, PlaybackPolicy policy, Optional<StreamViewers> viewers) {}
}
