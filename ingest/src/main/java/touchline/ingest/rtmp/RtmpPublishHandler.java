package touchline.ingest.rtmp;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.config.RtmpConfig;
import touchline.ingest.rtmp.RtmpCounters.Refusal;
import touchline.media.codec.MalformedMediaException;
import touchline.media.hub.EndReason;
import touchline.media.hub.LiveStreams;

/**
 * The end of the pipeline: feeds the connection's {@link RtmpPublishSession}, flushes once for
 * everything that one read brought, watches for silence, and closes on every failure. One per
 * connection, on its event loop.
 */
final class RtmpPublishHandler extends ChannelInboundHandlerAdapter {
    private static final Logger log = LoggerFactory.getLogger(RtmpPublishHandler.class);

    private final RtmpConfig config;
    private final RtmpCounters counters;
    private final LiveStreams streams;
    private final PublishAdmission admission;

    private @Nullable RtmpPublishSession dialogue;
    private @Nullable ScheduledFuture<?> idleCheck;

    RtmpPublishHandler(
            RtmpConfig config,
            RtmpCounters counters,
            LiveStreams streams,
            PublishAdmission admission) {
        this.config = config;
        this.counters = counters;
        this.streams = streams;
        this.admission = admission;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        RtmpPublishSession begun = new RtmpPublishSession(ctx, counters, streams, admission);
        dialogue = begun;
        ctx.pipeline()
                .get(RtmpChunkDecoder.class)
                .acknowledgements()
                .holdBackIn(begun::isAheadOfTheClock);
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        switch (event) {
            case RtmpEvent.HANDSHAKE_DONE -> {
                dialogue().touch();
                scheduleIdleCheck(ctx, config.idleTimeout().toNanos());
            }
            case RtmpEvent.SHUTDOWN -> dialogue().cut(EndReason.SHUTDOWN);
            default -> ctx.fireUserEventTriggered(event);
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        dialogue().receive((RtmpMessage) message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        dialogue().flush();
    }

    /** Answers pile up only where somebody asks and does not read. */
    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (!ctx.channel().isWritable()) {
            counters.refuse(Refusal.SLOW_READER);
            log.info("peer={} does not read its answers: closed", dialogue().peer());
            var _ = ctx.close();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        dialogue().over("connection closed");
        if (idleCheck != null) {
            idleCheck.cancel(false);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        String peer = dialogue().peer();
        switch (cause) {
            case MalformedMediaException e -> {
                counters.refuse(Refusal.MALFORMED);
                log.info("peer={} closed: {}", peer, e.getMessage());
            }
            case IOException e -> log.debug("peer={} {}", peer, e.getMessage());
            case DecoderException e -> log.debug("peer={} TLS: {}", peer, e.getMessage());
            default -> log.error("peer={} closed by our bug", peer, cause);
        }
        dialogue().over(cause.getClass().getSimpleName());
        var _ = ctx.close();
    }

    private void scheduleIdleCheck(ChannelHandlerContext ctx, long delayNs) {
        idleCheck = ctx.executor().schedule(() -> checkIdle(ctx), delayNs, TimeUnit.NANOSECONDS);
    }

    private void checkIdle(ChannelHandlerContext ctx) {
        long remainingNs = config.idleTimeout().toNanos() - dialogue().silentNs();
        if (remainingNs > 0) {
            scheduleIdleCheck(ctx, remainingNs);
        } else {
            dialogue().idle(config.idleTimeout());
        }
    }

    private RtmpPublishSession dialogue() {
        RtmpPublishSession current = dialogue;
        if (current == null) {
            throw new IllegalStateException("handler not added");
        }
        return current;
    }
}
