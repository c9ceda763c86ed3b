package touchline.packager.delivery;

import io.netty.channel.ChannelHandlerContext;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Waits for decisions about requests, which may come from any thread. Stateless. */
final class Decisions {
    private Decisions() {}

    /**
     * Passes a decision on in the event loop, at once where it is known. A failure, or no decision,
     * is answered as an internal error. A viewer that has left gets nothing.
     */
    static <D> void await(
            ChannelHandlerContext ctx,
            PlaybackAnswers answers,
            CompletionStage<D> stage,
            Consumer<D> then) {
        stage.whenComplete(
                (decision, failure) -> {
                    if (ctx.executor().inEventLoop()) {
                        decided(ctx, answers, decision, failure, then);
                    } else {
                        ctx.executor()
                                .execute(() -> decided(ctx, answers, decision, failure, then));
                    }
                });
    }

    private static <D> void decided(
            ChannelHandlerContext ctx,
            PlaybackAnswers answers,
            @Nullable D decision,
            @Nullable Throwable failure,
            Consumer<D> then) {
        if (!ctx.channel().isActive()) {
            return;
        }
        if (decision == null) {
            answers.internalError(
                    failure == null ? new IllegalStateException("no decision") : failure);
        } else {
            then.accept(decision);
        }
    }
}
