package touchline.ingest.rtmp;

import io.netty.channel.ChannelHandlerContext;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import touchline.ingest.amf.AmfValue;
import touchline.ingest.flv.UnsupportedCodecException;
import touchline.ingest.rtmp.RtmpCounters.Refusal;
import touchline.ingest.rtmp.RtmpReplies.Status;
import touchline.media.codec.MalformedMediaException;
import touchline.media.hub.EndReason;

/**
 * Commands of a publisher and the answers to them, from connect to the end (RTMP 1.0, 7.2).
 * Encoders omit, repeat and reorder most commands; only {@code publish} is required. While the gate
 * decides, reading and decoding stop. One per connection, on its event loop.
 */
final class RtmpPublishSession implements RtmpRelay.Session {
    private static final int MAX_MESSAGE_STREAMS = 64;

    /** Media that a live encoder may have buffered before it starts to send. */
    static final long BURST_US = 1_000_000;

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
    private final EncoderConnection connection;
    private final PublishDependencies dependencies;
    private final StreamEntry entry;

    private State state = State.OPEN;
    private AmfValue connect = AmfValue.Absent.UNDEFINED;
    private String client = "";
    private int messageStreams;
    private int publishedOn;
    private boolean isRelayed;
    private @Nullable PublishedMedia publisher;
    private boolean hasPublished;
    private boolean mediaSeen;

    RtmpPublishSession(
            ChannelHandlerContext ctx, PublishDependencies dependencies, RtmpChunkDecoder decoder) {
        this.ctx = ctx;
        this.connection = new EncoderConnection(ctx, decoder);
        this.dependencies = dependencies;
        this.entry = new StreamEntry(dependencies.streams());
    }

    /** Wakes the readers once and writes the answers once for all messages of a read. */
    void flush() {
        if (mediaSeen) {
            mediaSeen = false;
            connection.touch();
            if (publisher != null) {
                publisher.flush();
                connection.pauseWhile(() -> publisher != null && publisher.isTooFast());
            }
        }
        connection.flush();
    }

    /** Whether it sends faster than any live encoder. */
    boolean isAheadOfRealTime() {
        return publisher != null && publisher.aheadUs() > BURST_US;
    }

    EncoderConnection connection() {
        return connection;
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
            Status status = RtmpReplies.cut(publishedOn, reason);
            boolean elsewhere = isRelayed && reason == EndReason.SHUTDOWN;
            sendLast(elsewhere ? RelayMark.stopping(status) : status.message());
        }
    }

    /** The connection is closed. Idempotent. */
    void over(String reason) {
        end(reason);
        state = State.CLOSED;
    }

    Optional<PublishedMedia> publisher() {
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
                    publisher.data(data);
                }
            }
            case RtmpMessage.UserControl(int event, long value) -> {
                if (event == RtmpMessage.UserControl.PING_REQUEST) {
                    connection.answer(
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
        PublishedMedia target = publisher;
        if (target == null) {
            return;
        }
        mediaSeen = true;
        try {
            if (message instanceof RtmpMessage.Video video) {
                target.video(video, connection.lastMediaNs());
            } else if (message instanceof RtmpMessage.Audio audio) {
                target.audio(audio, connection.lastMediaNs());
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
                    refuse(Refusal.PLAY, RtmpReplies.play(command.messageStreamId()));
            case "_result", "_error", "onStatus", "" -> {}
            default -> acceptIfExpected(command);
        }
    }

    private void connect(RtmpMessage.Command command) {
        connect = command.argument(0);
        client = ClientText.client(connect);
        RtmpReplies.connected(command).forEach(connection::answer);
    }

    private void createStream(RtmpMessage.Command command) {
        if (messageStreams == MAX_MESSAGE_STREAMS) {
            throw new MalformedMediaException(
                    "message streams: more than " + MAX_MESSAGE_STREAMS + " on one connection");
        }
        messageStreams++;
        connection.answer(
                RtmpReplies.result(
                        command, AmfValue.Absent.NULL, new AmfValue.Num(messageStreams)));
    }

    /** releaseStream, FCPublish, _checkbw and the like: some encoders wait for an answer. */
    private void acceptIfExpected(RtmpMessage.Command command) {
        if (command.transactionId() != 0) {
            connection.answer(RtmpReplies.accepted(command));
        }
    }

    private void publish(RtmpMessage.Command command) {
        if (publisher != null) {
            refuse(
                    Refusal.BUSY,
                    error(RtmpReplies.BAD_NAME, "This connection is publishing already."));
            return;
        }
        publishedOn = command.messageStreamId();
        AmfValue first = command.argument(0);
        String name = first.text().or(() -> command.argument(1).text()).orElse("");
        String app = connect.property("app").flatMap(AmfValue::text).orElse("");
        List<String> keys = StreamKeys.candidates(app, name);
        Optional<AmfValue> relay = connect.property(RelayCredential.PROPERTY);
        if (relay.isPresent()) {
            publishRelayed(relay.get(), keys);
        } else {
            hold();
            dependencies.admission().ask(keys, this::decidedElsewhere);
        }
    }

    /** Another node relays the encoder. */
    private void publishRelayed(AmfValue relay, List<String> keys) {
        switch (dependencies.relayed().check(relay, keys, connection)) {
            case RelayVerifier.Valid(String key) -> {
                isRelayed = true;
                hold();
                dependencies.admission().askRelayed(key, this::decidedElsewhere);
            }
            case RelayVerifier.Invalid(Refusal refusal, String description) ->
                    refuse(refusal, error(RtmpReplies.DENIED, description));
        }
    }

    private void hold() {
        connection.hold();
        undecided();
    }

    @Override
    public void undecided() {
        state = State.DECIDING;
        entry.begin();
    }

    private void decidedElsewhere(PublishAdmission.Outcome outcome) {
        connection.execute(() -> decided(outcome));
    }

    @Override
    public void decided(PublishAdmission.Outcome outcome) {
        if (state != State.DECIDING) {
            return;
        }
        state = State.OPEN;
        switch (outcome) {
            case PublishAdmission.Admitted admitted -> admit(admitted);
            case PublishAdmission.Relayed relayed -> relay(relayed);
            case PublishAdmission.Refused(Refusal refusal, String code, String description) ->
                    refuse(refusal, error(code, description));
        }
        proceed();
    }

    /** Reads what has waited for a decision, if it is there. */
    private void proceed() {
        if (state != State.DECIDING) {
            connection.resumeDecoding();
        }
        flush();
        if (state != State.DECIDING) {
            connection.resumeReading();
        }
    }

    private void relay(PublishAdmission.Relayed to) {
        RtmpRelay relay =
                publisher instanceof RtmpRelay running
                        ? running
                        : dependencies.relay(connection, connect, this);
        publisher = relay;
        state = State.DECIDING;
        relay.connect(to);
    }

    @Override
    public void relayed(RtmpMessage.Command status) {
        accepted(new RtmpMessage.Command(publishedOn, "onStatus", 0, status.arguments()));
        proceed();
    }

    @Override
    public void relayEnded(RtmpMessage.Command status) {
        end("ended by the owner");
        sendLast(new RtmpMessage.Command(publishedOn, "onStatus", 0, status.arguments()));
    }

    private void admit(PublishAdmission.Admitted admitted) {
        String encoder = (client + " " + connection.peer()).strip();
        Consumer<EndReason> onCut = reason -> connection.execute(() -> cut(reason));
        switch (entry.enter(admitted.request(encoder, onCut), publishedOn)) {
            case StreamEntry.Entered entered -> started(entered);
            case StreamEntry.Busy _ -> {
                state = State.DECIDING;
                connection.later(() -> decided(admitted), StreamEntry.RETRY_MS);
            }
            case StreamEntry.Refused(Refusal refusal, Status status) -> refuse(refusal, status);
        }
    }

    private void started(StreamEntry.Entered entered) {
        PublishedMedia before = publisher;
        publisher =
                new RtmpPublisher(
                        entered.request(),
                        entered.publication(),
                        dependencies.refusals().counters(),
                        dependencies.admission(),
                        ctx.executor().ticker().nanoTime());
        if (before instanceof RtmpRelay relay) {
            relay.close("served here");
            if (relay.isAccepted()) {
                state = State.PUBLISHING;
                relay.headers().forEach(this::receive);
                return;
            }
        }
        accepted(
                new Status(publishedOn, false, RtmpReplies.START, "Publishing started.").message());
    }

    private void accepted(RtmpMessage start) {
        state = State.PUBLISHING;
        hasPublished = true;
        connection.admitted();
        connection.touch();
        connection.answer(
                new RtmpMessage.UserControl(RtmpMessage.UserControl.STREAM_BEGIN, publishedOn));
        connection.answer(start);
    }

    private void unpublish(RtmpMessage.Command command) {
        int id = command.argument(1).number().orElse(0.0).intValue();
        boolean deletes = command.name().equals("deleteStream");
        boolean ofAnother = deletes && id != 0 && publishedOn != 0 && id != publishedOn;
        if (publisher == null || ofAnother) {
            return;
        }
        end(command.name());
        RtmpMessage answer = RtmpReplies.unpublished(publishedOn).message();
        if (state == State.DECIDING) {
            // A decision that comes later must not meet the next publish of this connection.
            sendLast(answer);
            return;
        }
        state = State.OPEN;
        connection.answer(answer);
    }

    private void refuse(Refusal refusal, Status status) {
        dependencies.refusals().publisher(refusal, connection.peer(), client, status);
        end("refused: " + status.description());
        boolean elsewhere = isRelayed && refusal == Refusal.NOT_OWNER;
        sendLast(elsewhere ? RelayMark.notOwner(status) : status.message());
    }

    private void sendLast(RtmpMessage message) {
        state = State.CLOSED;
        connection.sendLast(message);
    }

    private void end(String reason) {
        PublishedMedia leaving = publisher;
        publisher = null;
        if (leaving != null) {
            leaving.close(reason);
        }
    }

    private Status error(String code, String description) {
        return new Status(publishedOn, true, code, description);
    }
}
