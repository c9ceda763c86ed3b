package touchline.packager.delivery;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpRequest;
import java.util.concurrent.CompletionStage;

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
        Decisions.await(ctx, answers, stage, decision -> decided(http, request, decision));
    }

    private void decided(HttpRequest http, FrameRequest request, FrameDecision decision) {
        switch (decision) {
            case FrameDecision.Refused(var refusal) -> answers.error(ErrorEnvelope.of(refusal));
            case FrameDecision.Image(var file) -> answers.frame(http, request.name(), file);
        }
    }
}
