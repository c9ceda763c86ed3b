package touchline.packager.delivery;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Port: pages to watch a stream or an asset. Called on event loops: must not block. */
public interface WatchPages {
    /** Prefix of the paths of {@link #file}; no playback id begins so. */
    String FILES = "/~watch/";

    /** None: every request is answered with 404. */
    WatchPages NONE =
            new WatchPages() {
                @Override
                public CompletionStage<PageDecision> page(PageRequest request) {
                    return CompletableFuture.completedFuture(PageDecision.Refused.NOT_FOUND);
                }

                @Override
                public CompletionStage<Optional<PageFile>> file(String path) {
                    return CompletableFuture.completedFuture(Optional.empty());
                }
            };

    CompletionStage<PageDecision> page(PageRequest request);

    /**
     * {@code watch.json} for another node of the cluster, which checks its viewers. Only what runs
     * at this server is live.
     */
    default CompletionStage<PageDecision> stateForNode(String playbackId) {
        return CompletableFuture.completedFuture(PageDecision.Refused.NOT_FOUND);
    }

    /**
     * A script, style sheet or image of the pages.
     *
     * @param path behind {@link #FILES}, as sent
     */
    CompletionStage<Optional<PageFile>> file(String path);
}
