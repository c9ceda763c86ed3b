package touchline.ingest.rtmp;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import touchline.config.RtmpConfig;
import touchline.ingest.amf.AmfValue;
import touchline.media.FeedItem;
import touchline.media.StreamId;
import touchline.media.hub.EndReason;
import touchline.media.hub.IngestReport;
import touchline.media.hub.LiveStream;
import touchline.media.hub.LiveStreams;
import touchline.media.hub.Subscription;
import touchline.media.net.ConnectionLimits;
import touchline.testing.SettableClock;

/** An encoder in front of the whole pipeline of a connection, without a socket. */
final class Encoder implements AutoCloseable {
    static final StreamId STREAM = new StreamId("str_1");
    static final String KEY = "k3y";
    static final RtmpConfig CONFIG =
            new RtmpConfig(
                    "127.0.0.1",
                    0,
                    4 << 20,
                    20_000,
                    0,
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(15),
                    Duration.ofSeconds(30));

    /** What waits for a reader of the session, at most. */
    static final int READER_BYTES = 1 << 20;

    /** What is around all connections of one test. */
    static final class Dependencies implements LiveStreams.Listener, AutoCloseable {
        final FakeGate gate = new FakeGate().main(KEY, STREAM);
        final RtmpCounters counters = new RtmpCounters();
        final Refusals refusals = new Refusals(counters, System::nanoTime);
        final ReceiveBudget budget;
        final SettableClock clock = new SettableClock();
        final LiveStreams streams = new LiveStreams(clock, clock::nanoTime, clock.timer(), this);
        final List<FeedItem> items = new ArrayList<>();
        final List<String> life = new ArrayList<>();
        final List<String> warnings = new ArrayList<>();
        final List<Subscription> readers = new ArrayList<>();
        final Queue<Runnable> gateCalls = new ArrayDeque<>();
        boolean gateIsSlow;

        Dependencies() {
            this(64 << 20);
        }

        Dependencies(long receiveBudgetBytes) {
            budget = new ReceiveBudget(receiveBudgetBytes);
        }

        @Override
        public void ingestWarning(LiveStream live, IngestReport.Warning warning) {
            warnings.add(warning.code());
        }

        @Override
        public void sessionStarted(LiveStream live) {
            life.add("started " + live.stream() + " " + live.role());
            readers.add(live.source().subscribe("test", READER_BYTES));
        }

        @Override
        public void sessionEnded(LiveStream live, EndReason reason) {
            life.add("ended " + reason);
        }

        void decide() {
            for (Runnable call = gateCalls.poll(); call != null; call = gateCalls.poll()) {
                call.run();
            }
        }

        private PublishDependencies publishing() {
            ConnectionLimit limit =
                    new ConnectionLimit(new ConnectionLimits(100, 0, _ -> false), counters);
            return new PublishDependencies(
                    refusals,
                    streams,
                    new PublishAdmission(gate, this::execute),
                    new RelayVerifier(gate.relayKey(), limit, clock),
                    Optional.empty());
        }

        private void execute(Runnable call) {
            gateCalls.add(call);
            if (!gateIsSlow) {
                decide();
            }
        }

        @Override
        public void close() {
            streams.endAll();
        }
    }

    final EmbeddedChannel channel;
    private final Dependencies around;
    private final ServerOutput output = new ServerOutput();

    Encoder(Dependencies around) {
        this.around = around;
        channel =
                new EmbeddedChannel(
                        new RtmpHandshakeHandler(CONFIG.handshakeTimeout(), around.counters),
                        new RtmpChunkEncoder(),
                        new RtmpChunkDecoder(
                                CONFIG.maxMessageBytes(), around.counters, around.budget),
                        new RtmpPublishHandler(CONFIG, around.publishing()));
        channel.freezeTime();
    }

    Encoder handshake() {
        send(RtmpBytes.handshake());
        RtmpBytes.bytes(channel.readOutbound());
        return this;
    }

    void send(byte[]... parts) {
        channel.writeInbound(Unpooled.copiedBuffer(RtmpBytes.join(parts)));
        channel.runPendingTasks();
        around.clock.advance(Duration.ZERO);
    }

    List<RtmpMessage> replies() {
        channel.runPendingTasks();
        return output.read(channel);
    }

    /** Codes and levels of the {@code onStatus} messages among the replies. */
    List<String> statuses() {
        return replies().stream()
                .filter(
                        message ->
                                message instanceof RtmpMessage.Command(_, var name, _, _)
                                        && name.equals("onStatus"))
                .map(message -> status((RtmpMessage.Command) message))
                .toList();
    }

    /** The codes of {@link #statuses}. */
    List<String> codes() {
        return replies().stream()
                .filter(message -> message instanceof RtmpMessage.Command)
                .map(message -> ((RtmpMessage.Command) message).argument(1).property("code"))
                .flatMap(Optional::stream)
                .flatMap(code -> code.text().stream())
                .filter(code -> code.startsWith("NetStream."))
                .toList();
    }

    /** The network takes the connection away. */
    void disconnect() {
        channel.close().syncUninterruptibly();
        around.clock.advance(Duration.ZERO);
    }

    static String status(RtmpMessage.Command command) {
        AmfValue info = command.argument(1);
        return "%d %s %s: %s"
                .formatted(
                        command.messageStreamId(),
                        property(info, "level"),
                        property(info, "code"),
                        property(info, "description"));
    }

    void pass(Duration time) {
        channel.advanceTimeBy(time.toMillis(), TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();
        channel.runPendingTasks();
    }

    /** Connect, createStream and publish as most encoders do. */
    void publish(String app, String name) {
        connect(app);
        send(
                RtmpBytes.command(0, "createStream", num(2), AmfValue.Absent.NULL),
                RtmpBytes.command(
                        1, "publish", num(3), AmfValue.Absent.NULL, text(name), text("live")));
    }

    void connect(String app) {
        send(RtmpBytes.command(0, "connect", num(1), object("app", app, "flashVer", "test/1.0")));
    }

    static AmfValue num(double value) {
        return new AmfValue.Num(value);
    }

    static AmfValue text(String value) {
        return new AmfValue.Text(value);
    }

    static AmfValue object(String... keysAndTexts) {
        Map<String, AmfValue> properties = new LinkedHashMap<>();
        for (int i = 0; i < keysAndTexts.length; i += 2) {
            properties.put(keysAndTexts[i], text(keysAndTexts[i + 1]));
        }
        return new AmfValue.Obj(properties);
    }

    private static String property(AmfValue info, String name) {
        return info.property(name).flatMap(AmfValue::text).orElse("-");
    }

    /** Closes the connection, and fails where bytes are left over. */
    @Override
    public void close() {
        channel.runPendingTasks();
        output.read(channel);
        if (channel.finish()) {
            throw new AssertionError("left over: " + Arrays.asList(channel.inboundMessages()));
        }
        around.clock.advance(Duration.ZERO);
    }
}
