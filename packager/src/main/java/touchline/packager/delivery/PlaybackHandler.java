package touchline.packager.delivery;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.packager.delivery.DeliveryCounters.Kind;
import touchline.packager.thumbnail.ThumbnailRequest;

/**
 * Answers requests with playlists or media, after a check by {@link PlaybackAccess}; one request at
 * a time. Event loop only; one per connection, or per stream where the protocol has several.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a close that fails is a close
final class PlaybackHandler extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(PlaybackHandler.class);

    private final DeliveryContext context;
    private final BlockingReload reloads;
    private final ConnectionViewers viewers;
    private final BodyChunks pieces;
    private final @Nullable BooleanSupplier takesMore;

    private @Nullable ResponseWriter writer;
    private @Nullable PlaybackAnswers answers;
    private @Nullable LiveRequestHandler liveRequests;
    private @Nullable RemoteHandler remote;
    private @Nullable ThumbnailHandler thumbnails;
    private @Nullable PageHandler pages;

    /**
     * @param reloads of this channel's event loop
     * @param viewers of this connection
     * @param pieces size of the body chunks
     */
    PlaybackHandler(
            DeliveryContext context,
            BlockingReload reloads,
            ConnectionViewers viewers,
            BodyChunks pieces) {
        this(context, reloads, viewers, pieces, null);
    }

    /**
     * @param takesMore whether another chunk of a body may be written; null: while the channel is
     *     writable
     */
    PlaybackHandler(
            DeliveryContext context,
            BlockingReload reloads,
            ConnectionViewers viewers,
            BodyChunks pieces,
            @Nullable BooleanSupplier takesMore) {
        this.context = context;
        this.reloads = reloads;
        this.viewers = viewers;
        this.pieces = pieces;
        this.takesMore = takesMore;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        ResponseWriter ofChannel =
                new ResponseWriter(
                        ctx, context, takesMore == null ? ctx.channel()::isWritable : takesMore);
        writer = ofChannel;
        PlaybackAnswers made =
                new PlaybackAnswers(
                        context.headers(),
                        ofChannel,
                        new ResponseBody.Source(context.files(), ctx.alloc()),
                        pieces);
        answers = made;
        LiveRequestHandler.Recheck recheck =
                (exchange, work) -> resolve(ctx, exchange, _ -> work.run());
        liveRequests = new LiveRequestHandler(made, reloads, recheck, viewers, context.counters());
        remote = new RemoteHandler(made, liveRequests);
        pages = new PageHandler(context, made);
        thumbnails = new ThumbnailHandler(context.thumbnails(), made, reloads.executor(), recheck);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        HttpRequest request = (HttpRequest) message;
        Optional<FrameRequest> frame = FrameRequest.parse(request.uri());
        if (frame.isPresent() && ResponseHeaders.isReadOnly(request.method())) {
            context.counters().requested(Kind.FRAME);
            new EvidenceFrameHandler(context.access(), answers(), liveRequests())
                    .answer(ctx, request, frame.get());
            return;
        }
        Optional<PlaybackTarget> target = PlaybackTarget.parse(request.uri());
        // Media first: it is requested far more often, and no path names both.
        if (target.isEmpty() && pages != null && pages.answers(ctx, request)) {
            return;
        }
        if (request.method().equals(HttpMethod.OPTIONS)) {
            options(request, target.isPresent() || frame.isPresent());
            return;
        }
        context.counters()
                .requested(target.map(t -> HlsExchange.kind(t.item())).orElse(Kind.OTHER));
        if (!ResponseHeaders.isReadOnly(request.method())) {
            answers().error(ErrorEnvelope.METHOD);
            return;
        }
        if (target.isEmpty()) {
            answers().error(ErrorEnvelope.NOT_FOUND);
            return;
        }
        try {
            PlaybackQuery query = PlaybackQuery.parse(request.uri());
            boolean forNode = context.isOfNode(request);
            HlsExchange exchange = new HlsExchange(request, target.get(), query, forNode);
            if (target.get().item() instanceof PlaybackTarget.Item.Thumbnail) {
                ThumbnailRequest _ = exchange.thumbnailRequest();
            }
            resolve(ctx, exchange, decision -> show(exchange, decision));
        } catch (ThumbnailRequest.BadThumbnailRequestException e) {
            answers().error(ErrorEnvelope.badParameter(e.reason()));
        } catch (NotANodeException _) {
            answers().error(ErrorEnvelope.NOT_A_NODE);
        } catch (PlaybackQuery.BadQueryException e) {
            answers().error(ErrorEnvelope.badParameter(e.reason()));
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (writer != null) {
            writer.resume();
        }
        ctx.fireChannelWritabilityChanged();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event == ConnectionEvent.CLOSING && liveRequests().stopWaiting()) {
            answers().error(ErrorEnvelope.NO_NEW_MEDIA);
        } else if (event == ConnectionEvent.CLOSING && thumbnails().stopWaiting()) {
            answers().error(ErrorEnvelope.BUSY);
        } else if (event == ConnectionEvent.STILL_WRITING
                && writer != null
                && writer.holdsTooLong()) {
            context.counters().slowViewerCut();
            ctx.close();
        }
        ctx.fireUserEventTriggered(event);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        release();
        ctx.fireChannelInactive();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        LOG.error("closing connection after an internal error", cause);
        ctx.close();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        release();
    }

    private void release() {
        liveRequests().stopWaiting();
        thumbnails().stopWaiting();
        if (writer != null) {
            writer.close();
        }
    }

    /**
     * @param named whether there may be something under its path
     */
    private void options(HttpRequest request, boolean named) {
        context.counters().requested(Kind.PREFLIGHT);
        if (named || request.uri().equals("*") || request.uri().equals("/")) {
            answers().preflight();
        } else {
            answers().error(ErrorEnvelope.NOT_FOUND);
        }
    }

    /**
     * @param then runs if the viewer may see it
     */
    private void resolve(
            ChannelHandlerContext ctx, HlsExchange exchange, Consumer<PlaybackDecision> then) {
        CompletionStage<PlaybackDecision> stage;
        try {
            PlaybackRequest request =
                    new PlaybackRequest(
                            exchange.target().playbackId(),
                            exchange.resource(),
                            exchange.mediaSequence(),
                            exchange.query().token(),
                            exchange.target().grant(),
                            context.viewers().of(ctx.channel(), exchange.headers()),
                            Optional.ofNullable(exchange.headers().get("referer")));
            stage =
                    exchange.forNode()
                            ? context.access().resolveForNode(request)
                            : context.access().resolve(request);
        } catch (RuntimeException e) {
            answers().internalError(e);
            return;
        }
        Decisions.await(ctx, answers(), stage, decision -> decided(ctx, exchange, decision, then));
    }

    private void decided(
            ChannelHandlerContext ctx,
            HlsExchange exchange,
            PlaybackDecision decision,
            Consumer<PlaybackDecision> then) {
        try {
            if (decision instanceof PlaybackDecision.Refused refused) {
                answers().error(ErrorEnvelope.of(refused));
            } else {
                then.accept(decision);
            }
        } catch (RuntimeException e) {
            LOG.error("playback_id={}: internal error", exchange.target().playbackId(), e);
            ctx.close();
        }
    }

    private void show(HlsExchange exchange, PlaybackDecision decision) {
        switch (decision) {
            case PlaybackDecision.Live live -> liveRequests().answer(exchange, live);
            case PlaybackDecision.Remote other -> remote().answer(exchange, other);
            case PlaybackDecision.Mp4 movie -> answers().mp4(exchange, movie);
            case PlaybackDecision.Thumbnail videoFrame -> thumbnails().answer(exchange, videoFrame);
            case PlaybackDecision.Chapters chapters -> answers().chapters(exchange, chapters);
            case PlaybackDecision.Refused refused -> answers().error(ErrorEnvelope.of(refused));
        }
    }

    private LiveRequestHandler liveRequests() {
        if (liveRequests == null) {
            throw new IllegalStateException("not in a pipeline");
        }
        return liveRequests;
    }

    private RemoteHandler remote() {
        if (remote == null) {
            throw new IllegalStateException("not in a pipeline");
        }
        return remote;
    }

    private ThumbnailHandler thumbnails() {
        if (thumbnails == null) {
            throw new IllegalStateException("not in a pipeline");
        }
        return thumbnails;
    }

    private PlaybackAnswers answers() {
        if (answers == null) {
            throw new IllegalStateException("not in a pipeline");
        }
        return answers;
    }
}
