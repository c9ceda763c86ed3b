package touchline.packager.edge;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A GET to another node.
 *
 * @param target path and query
 * @param range value of a Range header; null: the whole
 * @param gzip compressed text is wanted
 * @param attempt how long one node may take to answer, all of the body included
 * @param patience how long a reachable owner is looked for, over all attempts
 * @param isFinal whether every answer but an authentication failure is final; else 5xx is tried
 *     again
 */
record UpstreamRequest(
        String target,
        @Nullable String range,
        boolean gzip,
        Duration attempt,
        Duration patience,
        boolean isFinal) {
    /** A blocking request is held this long by its owner, and as long by this node. */
    private static final Duration HELD = Duration.ofSeconds(18);

    /** Above what the owner holds. */
    private static final Duration HELD_ATTEMPT = Duration.ofSeconds(20);

    /** One answer of a node that is there. */
    private static final Duration ATTEMPT = Duration.ofSeconds(5);

    /** Longer than a stream takes to another node. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** Something that is there, or is not. */
    static UpstreamRequest of(String target) {
        return new UpstreamRequest(target, null, false, ATTEMPT, PATIENCE, /* isFinal= */ false);
    }

    /** Something that its owner may hold until it is there. */
    static UpstreamRequest held(String target) {
        return new UpstreamRequest(target, null, false, HELD_ATTEMPT, HELD, /* isFinal= */ false);
    }

    /** Something whose answer is passed on as it is. */
    static UpstreamRequest passedOn(String target, boolean gzip) {
        return new UpstreamRequest(target, null, gzip, ATTEMPT, PATIENCE, /* isFinal= */ true);
    }

    /** A range of a file (RFC 9110, 14.2). */
    UpstreamRequest bytes(long first, long last) {
        return new UpstreamRequest(
                target, "bytes=" + first + '-' + last, gzip, attempt, patience, isFinal);
    }

    Optional<String> optionalRange() {
        return Optional.ofNullable(range);
    }
}
