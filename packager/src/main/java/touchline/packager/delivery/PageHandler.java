package touchline.packager.delivery;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import touchline.packager.delivery.DeliveryCounters.Kind;

/** Answers requests for watch pages and their files of one connection. Event loop only. */
final class PageHandler {
    private final DeliveryContext context;
    private final PlaybackAnswers answers;

    PageHandler(DeliveryContext context, PlaybackAnswers answers) {
        this.context = context;
        this.answers = answers;
    }

    /** Whether it is such a request; it is answered then. */
    boolean answers(ChannelHandlerContext ctx, HttpRequest http) {
        String target = http.uri();
        Optional<PageRequest.Named> named = PageRequest.parse(target);
        boolean isFile = target.startsWith(WatchPages.FILES);
        if (named.isEmpty() && !isFile) {
            return false;
        }
        if (http.method().equals(HttpMethod.OPTIONS)) {
            context.counters().requested(Kind.PREFLIGHT);
            answers.preflight();
            return true;
        }
        context.counters().requested(Kind.PAGE);
        if (!ResponseHeaders.isReadOnly(http.method())) {
            answers.error(ErrorEnvelope.METHOD);
        } else if (isFile) {
            file(ctx, http, target.substring(WatchPages.FILES.length()));
        } else {
            page(ctx, http, named.orElseThrow());
        }
        return true;
    }

    private void file(ChannelHandlerContext ctx, HttpRequest http, String rest) {
        int query = rest.indexOf('?');
        Decisions.await(
                ctx,
                answers,
                context.pages().file(query < 0 ? rest : rest.substring(0, query)),
                file ->
                        file.ifPresentOrElse(
                                found -> answers.pageFile(http, found),
                                () -> answers.error(ErrorEnvelope.NOT_FOUND)));
    }

    private void page(ChannelHandlerContext ctx, HttpRequest http, PageRequest.Named named) {
        CompletionStage<PageDecision> stage;
        try {
            stage = asked(ctx, http, named);
        } catch (NotANodeException _) {
            answers.error(ErrorEnvelope.NOT_A_NODE);
            return;
        } catch (IllegalArgumentException _) {
            answers.error(ErrorEnvelope.badParameter("malformed query"));
            return;
        } catch (RuntimeException e) {
            answers.internalError(e);
            return;
        }
        Decisions.await(ctx, answers, stage, decision -> decided(http, decision));
    }

    private CompletionStage<PageDecision> asked(
            ChannelHandlerContext ctx, HttpRequest http, PageRequest.Named named) {
        if (named.kind() == PageRequest.Kind.STATE && context.isOfNode(http)) {
            return context.pages().stateForNode(named.playbackId());
        }
        return context.pages()
                .page(
                        named.with(
                                http.uri(),
                                context.viewers().of(ctx.channel(), http.headers()),
                                Optional.ofNullable(http.headers().get("referer"))));
    }

    private void decided(HttpRequest http, PageDecision decision) {
        switch (decision) {
            case PageDecision.Refused(var refusal) -> answers.error(ErrorEnvelope.of(refusal));
            case PageDecision.Page page -> answers.page(http, page);
        }
    }
}
