package touchline.ingest.rtmp;

import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import io.netty.handler.timeout.IdleStateEvent;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.codec.MalformedMediaException;

/**
 * Last handler of a client's pipeline: leads the dialogue up to {@code NetStream.Publish.Start},
 * answers pings, and says why the connection ended. Redirects are not followed. One per connection,
 * on its event loop.
 */
final class RtmpPushHandler extends ChannelInboundHandlerAdapter {
    private static final Logger log = LoggerFactory.getLogger(RtmpPushHandler.class);

    /** A shorter key may be a part of usual words. */
    private static final int MIN_MASKED_CHARACTERS = 4;

    private final PushOpening opening;
    private final String streamKey;
    private final BooleanSupplier sending;
    private final CompletableFuture<Published> published = new CompletableFuture<>();
    private final CompletableFuture<String> ended = new CompletableFuture<>();
    private PushCapabilities capabilities = PushCapabilities.LEGACY;
    private int messageStreamId;
    private Step step = Step.HANDSHAKE;
    private RtmpMessage.@Nullable Command lastStatus;
    private long heardNs;

    /** The answer that the dialogue waits for. */
    private enum Step {
        HANDSHAKE("the handshake"),
        CONNECT("connect"),
        CREATE_STREAM("createStream"),
        PUBLISH("publish"),
        NONE("");

        private final String answerTo;

        Step(String answerTo) {
            this.answerTo = answerTo;
        }
    }

    /** The target takes media. */
    record Published(int messageStreamId, PushCapabilities capabilities) {}

    /**
     * @param sending whether bytes wait to be sent
     */
    RtmpPushHandler(PushOpening opening, BooleanSupplier sending) {
        this.opening = opening;
        this.streamKey = opening.streamKey();
        this.sending = sending;
    }

    /**
     * Completes when media may be sent; any thread. It does not complete when the end comes first.
     */
    CompletableFuture<Published> published() {
        return published;
    }

    /** Completes with the reason when the connection has ended; any thread. */
    CompletableFuture<String> ended() {
        return ended;
    }

    /** What the target has not answered yet; for the message about a timeout. Event loop. */
    String waitsFor() {
        return step.answerTo;
    }

    /** Whether the target has answered connect, or the dialogue is over. Event loop. */
    boolean hasAnsweredConnect() {
        return step != Step.HANDSHAKE && step != Step.CONNECT;
    }

    /**
     * The {@code onStatus} with which the target accepted, or refused or ended the publish. Event
     * loop.
     */
    Optional<RtmpMessage.Command> lastStatus() {
        return Optional.ofNullable(lastStatus);
    }

    /** When the target sent something last, by the ticker of the event loop. Event loop. */
    long heardNs() {
        return heardNs;
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event == RtmpEvent.HANDSHAKE_DONE) {
            step = Step.CONNECT;
            send(ctx, opening.connect());
            ctx.flush();
        } else if (event instanceof IdleStateEvent && sending.getAsBoolean()) {
            fail(ctx, "the target takes no data");
        } else {
            ctx.fireUserEventTriggered(event);
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        heardNs = ctx.executor().ticker().nanoTime();
        switch ((RtmpMessage) message) {
            case RtmpMessage.Command command -> command(ctx, command);
            case RtmpMessage.UserControl(int event, long value)
                    when event == RtmpMessage.UserControl.PING_REQUEST ->
                    send(
                            ctx,
                            new RtmpMessage.UserControl(
                                    RtmpMessage.UserControl.PING_RESPONSE, value));
            default -> {}
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        ctx.flush();
    }

    private void command(ChannelHandlerContext ctx, RtmpMessage.Command command) {
        switch (command.name()) {
            case "_result" -> result(ctx, command);
            case "_error" -> error(ctx, command);
            case "onStatus" -> status(ctx, command);
            case "close" -> fail(ctx, "the target has closed the publish");
            default -> {}
        }
    }

    private void result(ChannelHandlerContext ctx, RtmpMessage.Command command) {
        if (step == Step.CONNECT && command.transactionId() == PushCommands.CONNECT) {
            capabilities = PushCapabilities.of(command);
            step = Step.CREATE_STREAM;
            PushCommands.createStream(streamKey, opening.chunkBytes())
                    .forEach(message -> send(ctx, message));
        } else if (step == Step.CREATE_STREAM
                && command.transactionId() == PushCommands.CREATE_STREAM) {
            messageStreamId = command.argument(1).number().orElse(1.0).intValue();
            ctx.pipeline().get(RtmpChunkEncoder.class).mediaStreamId(messageStreamId);
            step = Step.PUBLISH;
            send(ctx, PushCommands.publish(messageStreamId, streamKey));
        }
    }

    private void error(ChannelHandlerContext ctx, RtmpMessage.Command command) {
        boolean decides =
                command.transactionId() == PushCommands.CONNECT
                        || command.transactionId() == PushCommands.CREATE_STREAM
                        || command.transactionId() == PushCommands.PUBLISH;
        if (decides) {
            fail(ctx, "the target refuses " + step.answerTo + described(command));
        }
    }

    private void status(ChannelHandlerContext ctx, RtmpMessage.Command command) {
        String code = property(command, "code").orElse("");
        boolean error = property(command, "level").orElse("").equals("error");
        if (error || code.equals(RtmpReplies.START) || code.equals(RtmpReplies.UNPUBLISHED)) {
            lastStatus = command;
        }
        if (code.equals(RtmpReplies.START)) {
            step = Step.NONE;
            published.complete(new Published(messageStreamId, capabilities));
        } else if (error && step != Step.NONE) {
            fail(ctx, "the target refuses " + step.answerTo + described(command));
        } else if (error || code.equals(RtmpReplies.UNPUBLISHED)) {
            fail(ctx, "the target has ended the publish" + described(command));
        }
    }

    /** Code and description of an answer, without the stream key. */
    private String described(RtmpMessage.Command command) {
        String code = property(command, "code").orElse("");
        String description = property(command, "description").orElse("");
        String both =
                code.isEmpty() || description.isEmpty()
                        ? code + description
                        : code + ", " + description;
        if (streamKey.length() < MIN_MASKED_CHARACTERS) {
            both = code.contains(streamKey) ? "" : code;
        }
        return both.isEmpty() ? "" : ": " + ClientText.escaped(masked(both));
    }

    private String masked(String text) {
        String masked = text.replace(streamKey, "***");
        int query = streamKey.indexOf('?');
        return query < MIN_MASKED_CHARACTERS
                ? masked
                : masked.replace(streamKey.substring(0, query), "***");
    }

    private static Optional<String> property(RtmpMessage.Command command, String name) {
        return command.arguments().stream()
                .flatMap(each -> each.property(name).stream())
                .flatMap(value -> value.text().stream())
                .findFirst();
    }

    private static void send(ChannelHandlerContext ctx, RtmpMessage message) {
        ctx.write(message).addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        end(
                step == Step.NONE
                        ? "the target has closed the connection"
                        : "the target has closed the connection before it answered "
                                + step.answerTo);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        fail(ctx, reason(cause));
    }

    /** For the operator: no addresses, nothing that the target chose but TLS messages. */
    static String reason(@Nullable Throwable cause) {
        return switch (cause) {
            case MalformedMediaException e ->
                    "the target does not speak RTMP: " + ClientText.escaped(text(e));
            case SslHandshakeTimeoutException _ -> "TLS: no answer in time";
            case DecoderException e when e.getCause() instanceof SSLException tls ->
                    "TLS: " + ClientText.escaped(text(tls));
            case SSLException tls -> "TLS: " + ClientText.escaped(text(tls));
            case IOException _ -> "the connection was reset";
            case null, default -> {
                log.error("closing the connection to a target after an internal error", cause);
                yield "internal error";
            }
        };
    }

    private static String text(Throwable cause) {
        return String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
    }

    /** The connection does not serve any longer. */
    void fail(ChannelHandlerContext ctx, String reason) {
        end(reason);
        var _ = ctx.close();
    }

    private void end(String reason) {
        step = Step.NONE;
        ended.complete(reason);
    }
}
