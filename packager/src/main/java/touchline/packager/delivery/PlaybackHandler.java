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

/**
 * Request, {@link PlaybackAccess}, playlist or media: one request at a time, each checked anew.
 * Event loop only; one per connection, or per stream where the protocol has several.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a close that fails is a close
final class PlaybackHandler extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(PlaybackHandler.class);

    private final DeliveryContext context;
    private final BlockingReload reloads;
    private final BodyPieces pieces;
    private final @Nullable BooleanSupplier takesMore;

    private @Nullable ResponseWriter writer;
    private @Nullable PlaybackAnswers answers;
    private @Nullable LiveRequests liveRequests;

    /**
     * @param reloads of this channel's event loop
     * @param pieces how bodies go out here
     */
    PlaybackHandler(DeliveryContext context, BlockingReload reloads, BodyPieces pieces) {
        this(context, reloads, pieces, null);
    }

    /**
     * @param takesMore whether another piece of a body may be written; null: while the channel is
     *     writable
     */
    PlaybackHandler(
            DeliveryContext context,
            BlockingReload reloads,
            BodyPieces pieces,
            @Nullable BooleanSupplier takesMore) {
        this.context = context;
        this.reloads = reloads;
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
                        new OutgoingBody.Source(context.files(), ctx.alloc()),
                        pieces);
        answers = made;
        liveRequests =
                new LiveRequests(
                        made, reloads, (exchange, work) -> resolve(ctx, exchange, _ -> work.run()));
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        HttpRequest request = (HttpRequest) message;
        Optional<FrameRequest> frame = FrameRequest.parse(request.uri());
        if (frame.isPresent() && ResponseHeaders.isReadOnly(request.method())) {
            context.counters().requested(Kind.FRAME);
            new FrameRequests(context.access(), answers()).answer(ctx, request, frame.get());
            return;
        }
        Optional<PlaybackTarget> target = PlaybackTarget.parse(request.uri());
        if (request.method().equals(HttpMethod.OPTIONS)) {
            options(request, target.isPresent() || frame.isPresent());
            return;
        }
        context.counters().requested(target.map(t -> Exchange.kind(t.item())).orElse(Kind.OTHER));
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
            Exchange exchange = new Exchange(request, target.get(), query);
            resolve(ctx, exchange, live -> liveRequests().answer(exchange, live));
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
        LOG.error("connection closed by a fault of ours", cause);
        ctx.close();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        release();
    }

    private void release() {
        liveRequests().stopWaiting();
        if (writer != null) {
            writer.close();
        }
    }

    /**
     * @param named whether there may be something under its path
     */
    private void options(HttpRequest request, boolean named) {
        context.counters().requested(Kind.PREFLIGHT);
        if (named || request.uri().equals("*")) {
            answers().preflight();
        } else {
            answers().error(ErrorEnvelope.NOT_FOUND);
        }
    }

    /**
     * @param then what to do where the viewer may see it
     */
    private void resolve(
            ChannelHandlerContext ctx, Exchange exchange, Consumer<PlaybackDecision.Live> then) {
        CompletionStage<PlaybackDecision> stage;
        try {
            stage =
                    context.access()
                            .resolve(
                                    new PlaybackRequest(
                                            exchange.target().playbackId(),
                                            exchange.resource(),
                                            exchange.query().token(),
                                            exchange.target().grant(),
                                            context.viewers().of(ctx.channel(), exchange.headers()),
                                            Optional.ofNullable(
                                                    exchange.headers().get("referer"))));
        } catch (RuntimeException e) {
            answers().fault(e);
            return;
        }
        stage.whenComplete(
                (decision, failure) -> {
                    if (ctx.executor().inEventLoop()) {
                        decided(ctx, exchange, decision, failure, then);
                    } else {
                        ctx.executor()
                                .execute(() -> decided(ctx, exchange, decision, failure, then));
                    }
                });
    }

    private void decided(
            ChannelHandlerContext ctx,
            Exchange exchange,
            @Nullable PlaybackDecision decision,
            @Nullable Throwable failure,
            Consumer<PlaybackDecision.Live> then) {
        if (!ctx.channel().isActive()) {
            return;
        }
        if (decision == null) {
            answers().fault(failure == null ? new IllegalStateException("no decision") : failure);
            return;
        }
        try {
            switch (decision) {
                case PlaybackDecision.Refused refused -> answers().error(ErrorEnvelope.of(refused));
                case PlaybackDecision.Live live -> then.accept(live);
                case PlaybackDecision.Mp4 movie -> answers().mp4(exchange, movie);
            }
        } catch (RuntimeException e) {
            LOG.error("playback_id={}: fault of ours", exchange.target().playbackId(), e);
            ctx.close();
        }
    }

    private LiveRequests liveRequests() {
        if (liveRequests == null) {
            throw new IllegalStateException("not in a pipeline");
        }
        return liveRequests;
    }

    private PlaybackAnswers answers() {
        if (answers == null) {
            throw new IllegalStateException("not in a pipeline");
        }
        return answers;
    }
}
