package touchline.api.session;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import touchline.api.domain.PlaybackPolicy;
import touchline.packager.audience.StreamViewers;
import touchline.packager.edge.RemoteMedia;

/**
 * Port: playback ids whose media another node has, or that this one is about to have. Called on
 * event loops for ids that nothing here has: does not block, and completes at once for those in
 * memory. Any thread.
 */
@FunctionalInterface
public interface RemotePlaybackIds {
    /** Without a cluster. */
    RemotePlaybackIds NONE = ofThisNode(_ -> CompletableFuture.completedFuture(false));

    /**
     * Of a node that serves no media of other ones.
     *
     * @param expected see {@link #isExpected}
     */
    static RemotePlaybackIds ofThisNode(Function<String, CompletionStage<Boolean>> expected) {
        return new RemotePlaybackIds() {
            @Override
            public CompletionStage<Optional<Found>> find(String playbackId) {
                return CompletableFuture.completedFuture(Optional.empty());
            }

            @Override
            public CompletionStage<Boolean> isExpected(String playbackId) {
                return expected.apply(playbackId);
            }

            @Override
            public boolean isAlone() {
                return true;
            }
        };
    }

    /** Whether no other node ever has anything. */
    default boolean isAlone() {
        return false;
    }

    /** Empty if no other node has it; fails while that cannot be found out. */
    CompletionStage<Optional<Found>> find(String playbackId);

    /**
     * Whether it is of a playable asset whose files this node has by its row: where nothing here
     * has it, the asset is about to be opened. Fails while that cannot be found out.
     */
    default CompletionStage<Boolean> isExpected(String playbackId) {
        return CompletableFuture.completedFuture(false);
    }

    /**
     * A stream or asset of another node.
     *
     * @param viewers counts the viewers of a stream at this node; empty for an asset
     */
    record Found(RemoteMedia media, PlaybackPolicy policy, Optional<StreamViewers> viewers) {}
}
