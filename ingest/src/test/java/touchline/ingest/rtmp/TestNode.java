package touchline.ingest.rtmp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import touchline.config.RtmpConfig;
import touchline.ingest.OwnerNode;
import touchline.media.StreamId;
import touchline.media.hub.LiveStreams;

/** A server of one cluster, on a real socket, with at most two connections of an address. */
final class TestNode implements AutoCloseable {
    static final StreamId STREAM = new StreamId("str_it");
    static final String SECRET = "of the cluster";

    private static final RtmpConfig CONFIG =
            new RtmpConfig(
                    "127.0.0.1",
                    0,
                    4 << 20,
                    100,
                    /* maxConnectionsPerAddress= */ 2,
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(15),
                    Duration.ofSeconds(30));

    final String id;
    final FakeGate gate = new FakeGate();
    final SessionCollector collector = new SessionCollector();
    final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1);
    final LiveStreams streams = new LiveStreams(InstantSource.system(), timer, collector);
    final RtmpServer server;

    TestNode(String id, RtmpRelays.Limits times) {
        this.id = id;
        gate.node(new TestRelayKey(id, SECRET));
        server =
                new RtmpServer(
                        CONFIG, OptionalInt.empty(), Optional.empty(), gate, streams, _ -> false);
        server.relayTimes(times);
        server.start();
    }

    TestNode serves(String key) {
        gate.main(key, STREAM);
        return this;
    }

    OwnerNode node() {
        return new OwnerNode(
                id, new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
    }

    @Override
    public void close() {
        server.close();
        timer.shutdownNow();
        assertEquals(0, server.counters().connections());
        assertEquals(0, server.counters().publishers());
        assertEquals(0, server.counters().relays());
    }
}
