package touchline.packager.delivery;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.List;
import java.util.concurrent.CompletionStage;
import touchline.packager.edge.RemoteMedia;
import touchline.packager.edge.UpstreamAnswer;
import touchline.packager.hls.MediaBody;

/** Answers requests for evidence frames of one connection. Event loop only. */
final class EvidenceFrameHandler {
    private final PlaybackAccess access;
    private final PlaybackAnswers answers;
    private final LiveRequestHandler pending;

    /**
     * @param pending waits for other nodes
     */
    EvidenceFrameHandler(
            PlaybackAccess access, PlaybackAnswers answers, LiveRequestHandler pending) {
        this.access = access;
        this.answers = answers;
        this.pending = pending;
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
            case FrameDecision.Remote(var media) -> fetched(http, request, media);
        }
    }

    /** The link is good at every node. */
    private void fetched(HttpRequest http, FrameRequest request, RemoteMedia media) {
        pending.await(
                media.answer(request.below(), /* gzip= */ false),
                UpstreamAnswer::release,
                found ->
                        found.ifPresentOrElse(
                                answer -> passOn(http, request, answer),
                                () -> answers.error(ErrorEnvelope.NOT_FOUND)));
    }

    /** Takes over the reference. */
    private void passOn(HttpRequest http, FrameRequest request, UpstreamAnswer answer) {
        if (answer.status() == HttpResponseStatus.OK.code()) {
            answers.frame(http, request.name(), new MediaBody.Blocks(List.of(answer.body())));
            return;
        }
        answer.release();
        answers.error(
                answer.status() == HttpResponseStatus.NOT_FOUND.code()
                        ? ErrorEnvelope.NOT_FOUND
                        : ErrorEnvelope.UNREACHABLE);
    }
}
