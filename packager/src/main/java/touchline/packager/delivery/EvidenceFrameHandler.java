package touchline.packager.delivery;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpRequest;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Answers requests for evidence frames of one connection. Event loop only. */
final class EvidenceFrameHandler {
    private final PlaybackAccess access;
    private final PlaybackAnswers answers;

    EvidenceFrameHandler(PlaybackAccess access, PlaybackAnswers answers) {
        this.access = access;
        this.answers = answers;
    }

    void answer(ChannelHandlerContext ctx, HttpRequest http, FrameRequest request) {
        CompletionStage<FrameDecision> stage;
        try {
            stage = access.frame(request);
        } catch (RuntimeException e) {
            answers.internalError(e);
            return;
        }
        stage.whenComplete(
                (decision, failure) -> {
                    if (ctx.executor().inEventLoop()) {
                        decided(ctx, http, request, decision, failure);
                    } else {
                        ctx.executor()
                                .execute(() -> decided(ctx, http, request, decision, failure));
                    }
                });
    }

    private void decided(
            ChannelHandlerContext ctx,
            HttpRequest http,
            FrameRequest request,
            @Nullable FrameDecision decision,
            @Nullable Throwable failure) {
        if (!ctx.channel().isActive()) {
            return;
        }
        switch (decision) {
            case null ->
                    answers.internalError(
                            failure == null ? new IllegalStateException("no decision") : failure);
            case FrameDecision.Refused(var refusal) -> answers.error(ErrorEnvelope.of(refusal));
            case FrameDecision.Image(var file) -> answers.frame(http, request.name(), file);
        }
    }
}
