package touchline.api.session;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.domain.FrameName;
import touchline.packager.delivery.FrameDecision;
import touchline.packager.delivery.FrameRequest;
import touchline.packager.delivery.PlaybackDecision;
import touchline.packager.edge.RemoteMedia;

/**
 * Evidence frames of all nodes: what is not on this disk is asked of the node with the frame's
 * file. Called on event loops; another thread reads the database. Any thread.
 */
public final class RemoteFrames {
    private static final Logger log = LoggerFactory.getLogger(RemoteFrames.class);

    private static final FrameDecision NOT_LOOKED_UP =
            new FrameDecision.Refused(
                    new PlaybackDecision.Refused(
                            503, 50301, "the frame cannot be looked up now", OptionalInt.of(1)));

    private final Function<FrameRequest, CompletionStage<FrameDecision>> here;
    private final Function<FrameName, Optional<String>> nodes;
    private final String self;
    private final Function<String, RemoteMedia> media;
    private final Executor executor;

    /**
     * @param here checks a link, and finds what is on this disk
     * @param nodes the node with a frame's file, from the database; blocks
     * @param self id of this node
     * @param media the frames of a node
     */
    public RemoteFrames(
            Function<FrameRequest, CompletionStage<FrameDecision>> here,
            Function<FrameName, Optional<String>> nodes,
            String self,
            Function<String, RemoteMedia> media) {
        this(
                here,
                nodes,
                self,
                media,
                work -> Thread.ofVirtual().name("evidence-node").start(work));
    }

    /**
     * @param executor runs the work that waits for the database
     */
    RemoteFrames(
            Function<FrameRequest, CompletionStage<FrameDecision>> here,
            Function<FrameName, Optional<String>> nodes,
            String self,
            Function<String, RemoteMedia> media,
            Executor executor) {
        this.here = here;
        this.nodes = nodes;
        this.self = self;
        this.media = media;
        this.executor = executor;
    }

    /** Completes at once if the link is not valid. */
    public CompletionStage<FrameDecision> find(FrameRequest request) {
        return here.apply(request)
                .thenCompose(
                        found ->
                                found.equals(FrameDecision.Refused.NOT_FOUND)
                                        ? elsewhere(new FrameName(request.name()))
                                        : CompletableFuture.completedFuture(found));
    }

    /** Its link is good. A frame that this node should have is not asked of another one. */
    private CompletionStage<FrameDecision> elsewhere(FrameName frame) {
        return CompletableFuture.supplyAsync(() -> nodes.apply(frame), executor)
                .handle(
                        (node, failure) -> {
                            if (failure != null) {
                                log.debug("an evidence frame cannot be looked up", failure);
                                return NOT_LOOKED_UP;
                            }
                            return node.filter(other -> !other.equals(self))
                                    .map(media)
                                    .<FrameDecision>map(FrameDecision.Remote::new)
                                    .orElse(FrameDecision.Refused.NOT_FOUND);
                        });
    }
}
