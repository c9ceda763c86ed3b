package touchline.packager.delivery;

import io.netty.util.concurrent.EventExecutor;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What one connection's request waits for: a reload that is held, or a playlist or media that is
 * made or fetched. At most one at a time. Event loop only.
 */
final class PendingRequest {
    private final PlaybackAnswers answers;
    private final EventExecutor executor;

    private BlockingReload.@Nullable Wait held;
    private @Nullable Coming coming;

    /** Compared by identity. */
    private static final class Coming {}

    /**
     * @param answers answers a failure
     * @param executor the connection's event loop
     */
    PendingRequest(PlaybackAnswers answers, EventExecutor executor) {
        this.answers = answers;
        this.executor = executor;
    }

    /**
     * Calls back at once if it is there, otherwise later on the event loop; never if the request is
     * cancelled.
     *
     * @param unused gives back what comes for a cancelled request
     */
    <T> void await(
            CompletionStage<Optional<T>> stage, Consumer<T> unused, Consumer<Optional<T>> then) {
        Coming mine = new Coming();
        coming = mine;
        stage.whenComplete(
                (found, failure) -> {
                    Runnable answer =
                            () -> {
                                if (coming != mine) {
                                    if (found != null) {
                                        found.ifPresent(unused);
                                    }
                                    return;
                                }
                                coming = null;
                                if (failure == null) {
                                    then.accept(found);
                                } else {
                                    answers.failed(failure);
                                }
                            };
                    if (executor.inEventLoop()) {
                        answer.run();
                    } else {
                        executor.execute(answer);
                    }
                });
    }

    /** Holds the request until the wait that begins here is over. */
    void hold(
            Consumer<BlockingReload.Outcome> then,
            Function<Consumer<BlockingReload.Outcome>, BlockingReload.Wait> begin) {
        BlockingReload.Wait wait =
                begin.apply(
                        outcome -> {
                            held = null;
                            then.accept(outcome);
                        });
        // if answered already, the next request may be the one that waits now
        if (wait.isHeld()) {
            held = wait;
        }
    }

    /** Cancels the waiting request; false if there is none. */
    boolean cancel() {
        boolean waited = held != null || coming != null;
        coming = null;
        if (held != null) {
            held.cancel();
            held = null;
        }
        return waited;
    }
}
