package touchline.packager.edge;

import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Port: which node serves a stream or an asset. Any thread; returns at once, and the stage may be
 * completed on any thread.
 */
@FunctionalInterface
public interface OwnerDirectory {
    /**
     * The node to ask; empty while no other node has it.
     *
     * @param subject id of the stream or asset
     * @param afresh what is known has just failed: look again, if that was not done within the last
     *     moments
     */
    CompletionStage<Optional<UpstreamAddress>> owner(String subject, boolean afresh);
}
