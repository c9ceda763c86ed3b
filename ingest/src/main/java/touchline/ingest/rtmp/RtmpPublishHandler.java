package touchline.ingest.rtmp;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.config.RtmpConfig;
import touchline.ingest.rtmp.RtmpCounters.Refusal;
import touchline.media.codec.MalformedMediaException;
import touchline.media.hub.EndReason;

/**
 * Last handler of the pipeline: feeds the connection's {@link RtmpPublishSession}, flushes once per
 * read, detects silence and closes on every failure. One per connection, on its event loop.
 */
final class RtmpPublishHandler extends ChannelInboundHandlerAdapter {
    private static final Logger log = LoggerFactory.getLogger(RtmpPublishHandler.class);

    private final RtmpConfig config;
    private final PublishDependencies dependencies;

    private @Nullable RtmpPublishSession session;
    private @Nullable ScheduledFuture<?> idleCheck;

    RtmpPublishHandler(RtmpConfig config, PublishDependencies dependencies) {
        this.config = config;
        this.dependencies = dependencies;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        RtmpChunkDecoder decoder = ctx.pipeline().get(RtmpChunkDecoder.class);
        RtmpPublishSession begun = new RtmpPublishSession(ctx, dependencies, decoder);
        session = begun;
        decoder.acknowledgements().holdBackWhile(begun::isAheadOfRealTime);
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        switch (event) {
            case RtmpEvent.HANDSHAKE_DONE -> {
                session().connection().touch();
                scheduleIdleCheck(
                        ctx,
                        Math.min(
                                config.publishTimeout().toNanos(), config.idleTimeout().toNanos()));
            }
            case RtmpEvent.SHUTDOWN -> session().cut(EndReason.SHUTDOWN);
            default -> ctx.fireUserEventTriggered(event);
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        session().receive((RtmpMessage) message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        session().flush();
    }

    /** Answers accumulate only if a client sends commands and does not read. */
    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (!ctx.channel().isWritable()) {
            dependencies
                    .refusals()
                    .connection(
                            Refusal.SLOW_READER,
                            session().connection().peer(),
                            "it does not read its answers");
            var _ = ctx.close();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        session().over("connection closed");
        if (idleCheck != null) {
            idleCheck.cancel(false);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        Runnable line = () -> log(session().connection().peer(), cause);
        session().publisher().ifPresentOrElse(publisher -> publisher.log(line), line);
        session().over(cause.getClass().getSimpleName());
        var _ = ctx.close();
    }

    private void log(String peer, Throwable cause) {
        switch (cause) {
            case MalformedMediaException e ->
                    dependencies
                            .refusals()
                            .connection(Refusal.MALFORMED, peer, String.valueOf(e.getMessage()));
            case IOException e -> log.debug("peer={} {}", peer, e.getMessage());
            case DecoderException e -> log.debug("peer={} TLS: {}", peer, e.getMessage());
            default -> log.error("peer={} closing connection after an internal error", peer, cause);
        }
    }

    private void scheduleIdleCheck(ChannelHandlerContext ctx, long delayNs) {
        idleCheck = ctx.executor().schedule(() -> checkIdle(ctx), delayNs, TimeUnit.NANOSECONDS);
    }

    private void checkIdle(ChannelHandlerContext ctx) {
        RtmpPublishSession current = session();
        boolean publisher = current.isPublisher();
        Duration limit = publisher ? config.idleTimeout() : config.publishTimeout();
        long remainingNs = limit.toNanos() - current.connection().silentNs();
        if (remainingNs > 0) {
            scheduleIdleCheck(ctx, remainingNs);
        } else if (publisher) {
            current.idle(limit);
        } else {
            current.late(limit);
        }
    }

    private RtmpPublishSession session() {
        RtmpPublishSession current = session;
        if (current == null) {
            throw new IllegalStateException("handler not added");
        }
        return current;
    }
}
