package touchline.packager.edge;

import io.netty.util.concurrent.EventExecutor;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.packager.hls.MediaUnreachableException;

/**
 * Gets one answer, from whichever node has the media by then: an owner that does not answer, or has
 * moved, is looked for until the patience is over. Runs on one event loop.
 */
final class Fetch {
    private static final Logger LOG = LoggerFactory.getLogger(Fetch.class);

    /** Between two attempts: a connection that was closed, and then an owner that is away. */
    private static final long FIRST_PAUSE_MS = 10;

    private static final long LONGEST_PAUSE_MS = 80;

    private static final int NOT_FOUND = 404;
    private static final int FORBIDDEN = 403;
    private static final int SERVER_ERROR = 500;

    private final RemoteMedia media;
    private final UpstreamRequest request;
    private final EventExecutor executor;
    private final long endNs;
    private final CompletableFuture<Optional<UpstreamAnswer>> result = new CompletableFuture<>();
    private long pauseMs = FIRST_PAUSE_MS;

    /** Of a node that does not have it; owned. */
    private @Nullable UpstreamAnswer absence;

    private Fetch(RemoteMedia media, UpstreamRequest request) {
        this.media = media;
        this.request = request;
        executor = media.executor();
        endNs = media.nanoTime() + request.patience().toNanos();
    }

    /**
     * Starts.
     *
     * @return the answer, with a reference of the caller; empty where its owner does not have it,
     *     or it was dropped here; fails with {@link MediaUnreachableException}. Completed on the
     *     event loop.
     */
    static CompletionStage<Optional<UpstreamAnswer>> start(
            RemoteMedia media, UpstreamRequest request) {
        Fetch fetch = new Fetch(media, request);
        fetch.attempt(/* afresh= */ false);
        return fetch.result;
    }

    private void attempt(boolean afresh) {
        if (media.isDropped()) {
            absence(null);
            result.complete(Optional.empty());
            return;
        }
        media.owner(afresh)
                .whenComplete(
                        (owner, failure) -> {
                            Optional<UpstreamAddress> known =
                                    failure == null ? owner : Optional.empty();
                            if (executor.inEventLoop()) {
                                found(known);
                            } else {
                                executor.execute(() -> found(known));
                            }
                        });
    }

    private void found(Optional<UpstreamAddress> owner) {
        if (owner.isEmpty()) {
            if (absence != null) {
                absent();
            } else {
                again("no other node is known to have it");
            }
            return;
        }
        UpstreamAddress address = owner.get();
        if (absence != null && address.equals(absence.from())) {
            // Its owner does not have it, and is still the owner.
            absent();
            return;
        }
        UpstreamCall call = media.call(address, request);
        call.answer()
                .whenComplete(
                        (answer, broken) -> {
                            media.over(call);
                            if (answer != null) {
                                answered(answer);
                            } else {
                                again(reason(broken));
                            }
                        });
    }

    private void answered(UpstreamAnswer answer) {
        if (media.isDropped()) {
            answer.release();
            result.complete(Optional.empty());
        } else if (answer.status() == NOT_FOUND) {
            absence(answer);
            attempt(/* afresh= */ true);
        } else if (answer.status() == FORBIDDEN
                || (answer.status() >= SERVER_ERROR && !request.isFinal())) {
            answer.release();
            again("answer " + answer.status());
        } else {
            absence(null);
            result.complete(Optional.of(answer));
        }
    }

    private void absence(@Nullable UpstreamAnswer next) {
        if (absence != null) {
            absence.release();
        }
        absence = next;
    }

    private void absent() {
        UpstreamAnswer said = absence;
        absence = null;
        if (said == null || !request.isFinal()) {
            if (said != null) {
                said.release();
            }
            result.complete(Optional.empty());
        } else {
            result.complete(Optional.of(said));
        }
    }

    private void again(String why) {
        media.counters().failed();
        long left = endNs - media.nanoTime();
        if (left <= 0) {
            LOG.debug("{}: given up: {}", media.subject(), why);
            absence(null);
            result.completeExceptionally(
                    new MediaUnreachableException(
                            "the server of this stream cannot be reached: " + why));
            return;
        }
        long pause = Math.min(pauseMs, TimeUnit.NANOSECONDS.toMillis(left) + 1);
        pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
        var _ = executor.schedule(() -> attempt(/* afresh= */ true), pause, TimeUnit.MILLISECONDS);
    }

    private static String reason(@Nullable Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null
                        ? failure.getCause()
                        : failure;
        return cause == null ? "no answer" : String.valueOf(cause.getMessage());
    }
}
