package touchline.packager.edge;

import io.netty.channel.Channel;
import io.netty.util.concurrent.EventExecutor;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to get an answer of another node. {@link #cancel} from any thread; the rest on its
 * event loop.
 */
final class UpstreamCall {
    private final EventExecutor executor;
    private final CompletableFuture<UpstreamAnswer> answer = new CompletableFuture<>();
    private @Nullable Channel channel;

    UpstreamCall(EventExecutor executor) {
        this.executor = executor;
    }

    /**
     * Completed on the event loop, with a reference of the caller; fails where there is no answer.
     */
    CompletionStage<UpstreamAnswer> answer() {
        return answer;
    }

    /** Ends the attempt: it fails, and its connection is closed. No effect when it is over. */
    void cancel() {
        executor.execute(
                () -> {
                    if (fail(new UpstreamException("cancelled")) && channel != null) {
                        var _ = channel.close();
                    }
                });
    }

    void sentOn(Channel used) {
        channel = used;
    }

    boolean isOver() {
        return answer.isDone();
    }

    boolean fail(Throwable cause) {
        return answer.completeExceptionally(cause);
    }

    /** Takes over the reference, also where it is too late. */
    void complete(UpstreamAnswer result) {
        if (!answer.complete(result)) {
            result.release();
        }
    }
}
