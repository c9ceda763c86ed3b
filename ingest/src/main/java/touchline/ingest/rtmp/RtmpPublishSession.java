package touchline.ingest.rtmp;

import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import touchline.ingest.amf.AmfValue;
import touchline.ingest.flv.UnsupportedCodecException;
import touchline.ingest.rtmp.RtmpCounters.Refusal;
import touchline.ingest.rtmp.RtmpReplies.Status;
import touchline.media.codec.MalformedMediaException;
import touchline.media.hub.EndReason;
import touchline.media.hub.LiveStreams;
import touchline.media.hub.Publication;
import touchline.media.hub.PublishRequest;

/**
 * Commands of a publisher and the answers to them, from connect to the end (RTMP 1.0, 7.2).
 * Encoders omit, repeat and reorder most commands; only {@code publish} is required. While the gate
 * decides, reading and decoding stop. One per connection, on its event loop.
 */
final class RtmpPublishSession {
    private static final int MAX_MESSAGE_STREAMS = 64;

    /** Media that a live encoder may have buffered before it starts to send. */
    private static final long BURST_US = 1_000_000;

    /** How long reading from a too fast publisher stops before the next check. */
    private static final long PAUSE_MS = 5;

    private enum State {
        /** Not publishing. */
        OPEN,
        /** The gate decides. */
        DECIDING,
        PUBLISHING,
        /** The last message was sent. */
        CLOSED
    }

    private final ChannelHandlerContext ctx;
    private final Refusals refusals;
    private final LiveStreams streams;
    private final PublishAdmission admission;
    private final RtmpChunkDecoder decoder;
    private final StreamEntry entry;

    private State state = State.OPEN;
    private String app = "";
    private String client = "";
    private int messageStreams;
    private int publishedOn;
    private long ticket;
    private @Nullable RtmpPublisher publisher;
    private long lastMediaNs;
    private boolean hasPublished;
    private boolean mediaSeen;
    private boolean answered;
    private boolean paused;

    RtmpPublishSession(
            ChannelHandlerContext ctx,
            Refusals refusals,
            LiveStreams streams,
            PublishAdmission admission,
            RtmpChunkDecoder decoder) {
        this.ctx = ctx;
        this.refusals = refusals;
        this.streams = streams;
        this.admission = admission;
        this.decoder = decoder;
        this.entry = new StreamEntry(streams);
    }

    /** Wakes the readers once and writes the answers once for all messages of a read. */
    void flush() {
        if (mediaSeen) {
            mediaSeen = false;
            touch();
            if (publisher != null) {
                publisher.flush();
                pauseIfTooFast(publisher);
            }
        }
        if (answered) {
            answered = false;
            ctx.flush();
        }
    }

    /** Stops reading from a publisher that sends faster than the recorder can write. */
    private void pauseIfTooFast(RtmpPublisher fast) {
        if (!paused && fast.isTooFast()) {
            paused = true;
            ctx.channel().config().setAutoRead(false);
            later(this::resumeReading, PAUSE_MS);
        }
    }

    private void later(Runnable task, long delayMs) {
        var _ = ctx.executor().schedule(task, delayMs, TimeUnit.MILLISECONDS);
    }

    private void resumeReading() {
        if (publisher != null && publisher.isTooFast()) {
            touch();
            later(this::resumeReading, PAUSE_MS);
            return;
        }
        paused = false;
        if (state != State.DECIDING) {
            ctx.channel().config().setAutoRead(true);
        }
    }

    /** Whether it sends faster than any live encoder. */
    boolean isAheadOfRealTime() {
        return publisher != null && publisher.aheadUs() > BURST_US;
    }

    /** Restarts the idle time. */
    void touch() {
        lastMediaNs = nowNs();
    }

    long silentNs() {
        return nowNs() - lastMediaNs;
    }

    /** Whether it is asking to publish, or has published. */
    boolean isPublisher() {
        return state == State.DECIDING || hasPublished;
    }

    /** Ends a connection without media for the idle time. */
    void idle(Duration timeout) {
        end(Refusal.IDLE, "No media for " + timeout.toSeconds() + " s.");
    }

    /** Ends a connection that did not publish in time. */
    void late(Duration timeout) {
        end(Refusal.PUBLISH_TIMEOUT, "No publish within " + timeout.toSeconds() + " s.");
    }

    private void end(Refusal refusal, String description) {
        if (state != State.CLOSED) {
            refuse(refusal, error(RtmpReplies.IDLE, description));
        }
    }

    /** The server cuts the publication. */
    void cut(EndReason reason) {
        if (state != State.CLOSED) {
            end("cut: " + reason);
            sendLast(RtmpReplies.cut(publishedOn, reason));
        }
    }

    /** The connection is closed. Idempotent. */
    void over(String reason) {
        end(reason);
        state = State.CLOSED;
    }

    Optional<RtmpPublisher> publisher() {
        return Optional.ofNullable(publisher);
    }

    void receive(RtmpMessage message) {
        if (state == State.CLOSED) {
            return;
        }
        switch (message) {
            case RtmpMessage.Video _, RtmpMessage.Audio _ -> media(message);
            case RtmpMessage.Command command -> command(command);
            case RtmpMessage.Data data -> {
                if (publisher != null) {
                    OnMetaData.of(data).ifPresent(publisher::metadata);
                }
            }
            case RtmpMessage.UserControl(int event, long value) -> {
                if (event == RtmpMessage.UserControl.PING_REQUEST) {
                    answer(
                            new RtmpMessage.UserControl(
                                    RtmpMessage.UserControl.PING_RESPONSE, value));
                }
            }
            case RtmpMessage.SetChunkSize _,
                    RtmpMessage.Abort _,
                    RtmpMessage.Acknowledgement _,
                    RtmpMessage.WindowAcknowledgementSize _,
                    RtmpMessage.SetPeerBandwidth _,
                    RtmpMessage.Aggregate _,
                    RtmpMessage.Ignored _ ->
                    throw new IllegalStateException("handled by the decoder:  " + message);
        }
    }

    private void media(RtmpMessage message) {
        RtmpPublisher target = publisher;
        if (target == null) {
            return;
        }
        mediaSeen = true;
        try {
            if (message instanceof RtmpMessage.Video(long timestampMs, MemorySegment payload)) {
                target.video(timestampMs, payload, lastMediaNs);
            } else if (message
                    instanceof RtmpMessage.Audio(long timestampMs, MemorySegment payload)) {
                target.audio(timestampMs, payload, lastMediaNs);
            }
        } catch (UnsupportedCodecException e) {
            refuse(
                    Refusal.CODEC,
                    error(RtmpReplies.REJECTED, e.codecName() + " is not supported."));
        } catch (MalformedMediaException e) {
            refuse(
                    Refusal.MALFORMED,
                    error(RtmpReplies.REJECTED, "Media is malformed: " + e.getMessage()));
        }
    }

    private void command(RtmpMessage.Command command) {
        switch (command.name()) {
            case "connect" -> connect(command);
            case "createStream" -> createStream(command);
            case "publish" -> publish(command);
            case "FCUnpublish", "closeStream", "deleteStream" -> {
                unpublish(command);
                acceptIfExpected(command);
            }
            case "play", "play2" ->
                    refuse(
                            Refusal.PLAY,
                            new Status(
                                    command.messageStreamId(),
                                    true,
                                    RtmpReplies.PLAY_FAILED,
                                    "This port takes publishers; viewers use HLS."));
            case "_result", "_error", "onStatus", "" -> {}
            default -> acceptIfExpected(command);
        }
    }

    private void connect(RtmpMessage.Command command) {
        AmfValue properties = command.argument(0);
        app = properties.property("app").flatMap(AmfValue::text).orElse("");
        client =
                properties
                        .property("flashVer")
                        .flatMap(AmfValue::text)
                        .map(ClientText::escaped)
                        .orElse("");
        RtmpReplies.connected(command).forEach(this::answer);
    }

    private void createStream(RtmpMessage.Command command) {
        if (messageStreams == MAX_MESSAGE_STREAMS) {
            throw new MalformedMediaException(
                    "message streams: more than " + MAX_MESSAGE_STREAMS + " on one connection");
        }
        messageStreams++;
        answer(RtmpReplies.result(command, AmfValue.Absent.NULL, new AmfValue.Num(messageStreams)));
    }

    /** releaseStream, FCPublish, _checkbw and the like: some encoders wait for an answer. */
    private void acceptIfExpected(RtmpMessage.Command command) {
        if (command.transactionId() != 0) {
            answer(RtmpReplies.accepted(command));
        }
    }

    private void publish(RtmpMessage.Command command) {
        if (state == State.PUBLISHING) {
            refuse(
                    Refusal.BUSY,
                    error(RtmpReplies.BAD_NAME, "This connection is publishing already."));
            return;
        }
        publishedOn = command.messageStreamId();
        AmfValue first = command.argument(0);
        String name = first.text().or(() -> command.argument(1).text()).orElse("");
        state = State.DECIDING;
        decoder.hold();
        ticket = streams.admissionTicket();
        ctx.channel().config().setAutoRead(false);
        admission.ask(
                StreamKeys.candidates(app, name),
                outcome -> ctx.executor().execute(() -> decided(outcome)));
    }

    private void decided(PublishAdmission.Outcome outcome) {
        if (state != State.DECIDING) {
            return;
        }
        state = State.OPEN;
        switch (outcome) {
            case PublishAdmission.Admitted admitted -> admit(admitted);
            case PublishAdmission.Refused(Refusal refusal, String code, String description) ->
                    refuse(refusal, error(code, description));
        }
        if (state != State.DECIDING) {
            decoder.resume();
        }
        flush();
        if (state != State.DECIDING) {
            ctx.channel().config().setAutoRead(true);
        }
    }

    private void admit(PublishAdmission.Admitted admitted) {
        PublishRequest request =
                new PublishRequest(
                        admitted.stream(),
                        admitted.role(),
                        admitted.source(),
                        admitted.failover(),
                        admitted.reconnectWindow(),
                        (client + " " + ClientText.peer(ctx.channel())).strip(),
                        reason -> ctx.executor().execute(() -> cut(reason)));
        switch (entry.enter(request, ticket, publishedOn)) {
            case StreamEntry.Entered(Publication publication) -> started(request, publication);
            case StreamEntry.Busy _ -> {
                state = State.DECIDING;
                later(() -> decided(admitted), StreamEntry.RETRY_MS);
            }
            case StreamEntry.Refused(Refusal refusal, Status status) -> refuse(refusal, status);
        }
    }

    private void started(PublishRequest request, Publication publication) {
        publisher =
                new RtmpPublisher(request, publication, refusals.counters(), admission, nowNs());
        state = State.PUBLISHING;
        hasPublished = true;
        decoder.admitted();
        touch();
        answer(new RtmpMessage.UserControl(RtmpMessage.UserControl.STREAM_BEGIN, publishedOn));
        answer(new Status(publishedOn, false, RtmpReplies.START, "Publishing started.").message());
    }

    private void unpublish(RtmpMessage.Command command) {
        int id = command.argument(1).number().orElse(0.0).intValue();
        boolean deletes = command.name().equals("deleteStream");
        boolean ofAnother = deletes && id != 0 && publishedOn != 0 && id != publishedOn;
        if (state != State.PUBLISHING || ofAnother) {
            return;
        }
        end(command.name());
        state = State.OPEN;
        answer(
                new Status(publishedOn, false, RtmpReplies.UNPUBLISHED, "Publishing stopped.")
                        .message());
    }

    private void refuse(Refusal refusal, Status status) {
        refusals.publisher(refusal, ClientText.peer(ctx.channel()), client, status);
        end("refused: " + status.description());
        sendLast(status);
    }

    /** Sends the last message, then closes the connection. */
    private void sendLast(Status status) {
        state = State.CLOSED;
        decoder.stop();
        ctx.channel().config().setAutoRead(true);
        ctx.writeAndFlush(status.message()).addListener(_ -> LingeringClose.of(ctx));
    }

    private void end(String reason) {
        RtmpPublisher leaving = publisher;
        publisher = null;
        if (leaving != null) {
            leaving.close(reason);
        }
    }

    private Status error(String code, String description) {
        return new Status(publishedOn, true, code, description);
    }

    private void answer(RtmpMessage message) {
        answered = true;
        ctx.write(message).addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
    }

    private long nowNs() {
        return ctx.executor().ticker().nanoTime();
    }
}
