package touchline.ingest.rtmp;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** The connection of a relay to one owner. One per attempt, on the encoder's event loop. */
final class RelayUpstream {
    /** How long the owner may take to read what is unsent when the encoder has ended. */
    private static final long FINISH_MS = 5_000;

    private final ChannelFuture connecting;
    private final RtmpPushHandler handler;
    private int messageStreamId;
    private long excusedNs;

    private RelayUpstream(ChannelFuture connecting, RtmpPushHandler handler) {
        this.connecting = connecting;
        this.handler = handler;
    }

    /**
     * @param isSending whether bytes wait to be sent
     */
    static RelayUpstream open(
            RtmpRelays relays,
            PublishAdmission.Relayed to,
            RtmpRelays.Encoder encoder,
            BooleanSupplier isSending) {
        RtmpTarget target = RtmpRelays.target(to);
        RtmpPushHandler handler =
                new RtmpPushHandler(relays.opening(to, target, encoder), isSending);
        ChannelFuture connecting =
                relays.connector().open(encoder.loop(), to.owner().address(), target, handler);
        relays.connections().add(connecting.channel());
        return new RelayUpstream(connecting, handler);
    }

    ChannelFuture connecting() {
        return connecting;
    }

    Channel channel() {
        return connecting.channel();
    }

    RtmpPushHandler handler() {
        return handler;
    }

    /** Whether a status is that of an accepted publish. */
    static boolean isStart(RtmpMessage.Command status) {
        return status.arguments().stream()
                .flatMap(each -> each.property("code").stream())
                .flatMap(value -> value.text().stream())
                .anyMatch(RtmpReplies.START::equals);
    }

    /** The owner has accepted. */
    void begin() {
        messageStreamId = handler.published().join().messageStreamId();
        excusedNs = handler.heardNs();
    }

    /** Media as it was parsed; data on the message stream of the owner. {@link #flush} follows. */
    void write(RtmpMessage message) {
        RtmpMessage sent =
                message instanceof RtmpMessage.Data(_, String name, var values)
                        ? new RtmpMessage.Data(messageStreamId, name, values)
                        : message;
        var _ = channel().write(sent, channel().voidPromise());
    }

    void flush() {
        var _ = channel().flush();
    }

    boolean hasUnsent() {
        return channel().bytesBeforeUnwritable()
                <= channel().config().getWriteBufferHighWaterMark();
    }

    /** When the owner sent something last, or had a reason not to. */
    long heardNs() {
        return Math.max(handler.heardNs(), excusedNs);
    }

    void excuse(long nowNs) {
        excusedNs = nowNs;
    }

    void ping(long nowNs) {
        write(
                new RtmpMessage.UserControl(
                        RtmpMessage.UserControl.PING_REQUEST,
                        TimeUnit.NANOSECONDS.toMillis(nowNs) & 0xffff_ffffL));
        flush();
    }

    /** Ends the publish. The owner's answer closes the connection, when it has read everything. */
    void finish(String streamKey) {
        PushCommands.end(messageStreamId, streamKey).forEach(this::write);
        flush();
        Channel open = channel();
        ScheduledFuture<?> forced =
                open.eventLoop().schedule(this::close, FINISH_MS, TimeUnit.MILLISECONDS);
        open.closeFuture().addListener(_ -> forced.cancel(false));
    }

    /** Idempotent. */
    void close() {
        var _ = channel().close();
    }
}
