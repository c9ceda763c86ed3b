package touchline.benchmarks.relay;

import java.io.BufferedWriter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import touchline.config.RtmpConfig;
import touchline.ingest.OwnerNode;
import touchline.ingest.PublishDecision;
import touchline.ingest.PublishGate;
import touchline.ingest.RelayKey;
import touchline.ingest.rtmp.RtmpServer;
import touchline.media.AccessUnit;
import touchline.media.FeedItem;
import touchline.media.StreamId;
import touchline.media.hub.EndReason;
import touchline.media.hub.LiveStream;
import touchline.media.hub.LiveStreams;
import touchline.media.hub.Subscription;

/**
 * An RTMP port in a process of its own. As a relay it sends every stream on to one owner; as an
 * owner it writes to a file when each video frame arrived. It prints its port, and ends when its
 * input does.
 *
 * <pre>
 * RelayNode owner FILE          RelayNode relay OWNER-PORT
 * </pre>
 */
public final class RelayNode {
    private static final String OWNER = "owner";
    private static final byte[] SECRET = "of the benchmark".getBytes(StandardCharsets.UTF_8);
    private static final long READER_BYTES = 64L << 20;

    private final ConcurrentLinkedQueue<List<Arrival>> arrivals = new ConcurrentLinkedQueue<>();

    /**
     * @param dtsMs media time since the stream's first frame
     * @param atNs {@link System#nanoTime}, which all processes of a machine share on Linux
     */
    private record Arrival(String stream, long dtsMs, long atNs) {}

    private RelayNode() {}

    /**
     * @param args as above
     */
    public static void main(String[] args) throws Exception {
        new RelayNode().run(args[0].equals(OWNER), args[1]);
    }

    private void run(boolean owns, String argument) throws Exception {
        ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
        LiveStreams streams =
                new LiveStreams(
                        InstantSource.system(),
                        timer,
                        new LiveStreams.Listener() {
                            @Override
                            public void sessionStarted(LiveStream live) {
                                read(live);
                            }

                            @Override
                            public void sessionEnded(LiveStream live, EndReason reason) {
                                // Its readers end with it.
                            }
                        });
        PublishGate gate =
                owns ? new Gate(OWNER, 0) : new Gate("relay", Integer.parseInt(argument));
        try (RtmpServer server =
                new RtmpServer(
                        config(),
                        OptionalInt.empty(),
                        Optional.empty(),
                        gate,
                        streams,
                        _ -> false)) {
            server.start();
            System.out.println(server.port());
            while (System.in.read() >= 0) {
                // Until the benchmark closes it.
            }
            if (owns) {
                write(Path.of(argument));
            }
        } finally {
            timer.shutdownNow();
        }
    }

    private static RtmpConfig config() {
        return new RtmpConfig(
                "127.0.0.1",
                0,
                4 << 20,
                20_000,
                0,
                Duration.ofSeconds(10),
                Duration.ofSeconds(5),
                Duration.ofSeconds(15),
                Duration.ofSeconds(30));
    }

    private void read(LiveStream live) {
        Subscription subscription = live.source().subscribe("bench", READER_BYTES);
        List<Arrival> own = new ArrayList<>();
        arrivals.add(own);
        String stream = live.stream().value();
        Thread.ofVirtual()
                .start(
                        () -> {
                            try (subscription) {
                                boolean more = true;
                                while (more) {
                                    more = subscription.drain(item -> note(own, stream, item));
                                }
                            } catch (InterruptedException _) {
                                Thread.currentThread().interrupt();
                            }
                        });
    }

    private static void note(List<Arrival> own, String stream, FeedItem item) {
        if (item instanceof AccessUnit unit && unit.track().isVideo()) {
            synchronized (own) {
                own.add(new Arrival(stream, unit.dtsUs() / 1_000, System.nanoTime()));
            }
        }
    }

    private void write(Path file) throws IOException {
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            for (List<Arrival> each : arrivals) {
                synchronized (each) {
                    for (Arrival one : each) {
                        out.write("%s %d %d%n".formatted(one.stream(), one.dtsMs(), one.atNs()));
                    }
                }
            }
        }
    }

    /**
     * Every key is that of a stream of the same name.
     *
     * @param ownerPort 0 for the owner itself
     */
    private record Gate(String node, int ownerPort) implements PublishGate, RelayKey {
        @Override
        public PublishDecision decide(String streamKey) {
            StreamId stream = new StreamId(streamKey);
            if (ownerPort == 0) {
                return new PublishDecision.Main(stream, Duration.ZERO);
            }
            InetSocketAddress owner =
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), ownerPort);
            return new PublishDecision.Relay(
                    stream,
                    new OwnerNode(OWNER, owner),
                    ended ->
                            new PublishDecision.Refused(
                                    PublishDecision.Reason.DENIED, "no owner: " + ended));
        }

        @Override
        public Optional<RelayKey> relayKey() {
            return Optional.of(this);
        }

        @Override
        public byte[] hmac(byte[] message) {
            try {
                Mac mac = Mac.getInstance("HmacSHA256");
                mac.init(new SecretKeySpec(SECRET, "HmacSHA256"));
                return mac.doFinal(message);
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("HMAC", e);
            }
        }
    }
}
