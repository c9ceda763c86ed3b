package touchline.ingest.rtmp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import touchline.ingest.OwnerNode;
import touchline.ingest.PublishDecision;
import touchline.ingest.RelayedPublish;
import touchline.ingest.RelayedPublish.Ended;
import touchline.ingest.rtmp.RtmpCounters.Refusal;
import touchline.media.AccessUnit;
import touchline.media.CodecConfig;
import touchline.media.FeedItem;
import touchline.media.StreamId;
import touchline.media.Timeline;
import touchline.media.hub.LiveStream;
import touchline.media.net.FreePorts;
import touchline.testing.Await;
import touchline.testing.SyntheticStream;

/** Nodes on real sockets: an encoder at one of them, its stream at another. */
class RtmpRelayIT {
    private static final String KEY = "it-key";
    private static final StreamId STREAM = TestNode.STREAM;
    private static final String SECRET = TestNode.SECRET;
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private static final Duration STANDSTILL = Duration.ofMillis(300);

    private static final RtmpRelays.Limits SHORT =
            new RtmpRelays.Limits(PATIENCE, PATIENCE, PATIENCE, Duration.ofMillis(500), PATIENCE);

    private static final RtmpRelays.Limits PATIENT_WITH_PUBLISH =
            new RtmpRelays.Limits(
                    Duration.ofMillis(100),
                    PATIENCE.multipliedBy(2),
                    PATIENCE.multipliedBy(2),
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(10));

    private final List<TestNode> nodes = new ArrayList<>();
    private final List<CutLink> links = new ArrayList<>();
    private final Queue<Ended> asked = new ConcurrentLinkedQueue<>();
    private final Queue<PublishDecision> next = new ConcurrentLinkedQueue<>();
    private final RelayedPublish publish = this::nextDecision;

    private final TestNode door = open("node-a", RtmpRelays.Limits.USUAL);
    private final TestNode owner = open("node-b", RtmpRelays.Limits.USUAL);

    private TestNode open(String id, RtmpRelays.Limits times) {
        TestNode node = new TestNode(id, times);
        nodes.add(node);
        return node;
    }

    @AfterEach
    void close() throws Exception {
        for (CutLink each : links) {
            each.close();
        }
        nodes.forEach(TestNode::close);
    }

    @Test
    void push_isWholeAtTheOwner() throws Exception {
        door.gate.add(KEY, relay(owner.serves(KEY).node()));
        SyntheticStream media = SyntheticStream.standard();

        push(media);

        List<FeedItem> arrived = owner.collector.collected();
        assertEquals(media.tracks(), timeline(arrived).tracks());
        for (boolean video : List.of(true, false)) {
            List<AccessUnit> sent =
                    media.published(0).stream()
                            .filter(unit -> unit.track().isVideo() == video)
                            .toList();
            List<AccessUnit> got = SessionCollector.units(arrived, video);
            assertEquals(sent.size(), got.size());
            for (int i = 0; i < sent.size(); i++) {
                assertEquals(-1, sent.get(i).payload().mismatch(got.get(i).payload()));
                long sentUs = sent.get(i).dtsUs() - sent.getFirst().dtsUs();
                long gotUs = got.get(i).dtsUs() - got.getFirst().dtsUs();
                // Timestamps of RTMP are milliseconds; the session removes their jitter.
                assertTrue(Math.abs(sentUs - gotUs) <= 1_000, sentUs + " us");
            }
        }
        assertTrue(door.server.counters().relayedBytes() > 0);
        assertEquals(0, door.server.counters().relaysLost());
        assertEquals(List.of(), List.copyOf(asked));
    }

    @Test
    void enhancedHevc_andFurtherTracks_areAsTheyWereSent() throws Exception {
        door.gate.add(KEY, relay(owner.serves(KEY).node()));
        try (RawEncoder encoder = publish(door)) {
            encoder.await("Publish.Start");
            encoder.send(
                    RtmpBytes.data(
                            "@setDataFrame",
                            Encoder.text("onMetaData"),
                            Encoder.object("videocodecid", "hvc1")),
                    RtmpBytes.video(0, "90 68766331" + RtmpBytes.HEVC_CONFIG),
                    RtmpBytes.video(0, "96 00 61766331 01" + RtmpBytes.AVC_CONFIG),
                    RtmpBytes.video(0, "93 68766331 000000032601af"),
                    RtmpBytes.video(0, "96 03 61766331 01 00000003658884"),
                    RtmpBytes.video(40, "a3 68766331 000000030201d0"),
                    RtmpBytes.video(40, "a6 03 61766331 01 00000002419a"));

            LiveStream live = owner.collector.started();

            Await.until(() -> live.furtherTracks().list().size() == 1);
        }
        List<FeedItem> arrived = owner.collector.collected();
        assertTrue(timeline(arrived).tracks().getFirst().codec() instanceof CodecConfig.Hevc);
        assertEquals(2, SessionCollector.units(arrived, true).size());
    }

    @Test
    void refusal_ofTheOwner_isThatOfADirectPush() throws Exception {
        door.gate.add(KEY, relay(owner.node()));
        owner.gate.denied(KEY, "the stream is disabled");

        String direct;
        try (RawEncoder encoder = publish(owner)) {
            direct = encoder.lastStatus();
        }
        try (RawEncoder encoder = publish(door)) {
            assertEquals(direct, encoder.lastStatus());
        }
        assertTrue(direct.contains("the stream is disabled"));
        assertEquals(List.of(), List.copyOf(asked));
    }

    @Test
    void end_byTheOwner_reachesTheEncoder_andHoldsItsAddress() throws Exception {
        door.gate.add(KEY, relay(owner.serves(KEY).node()));
        try (RawEncoder encoder = publish(door).await("Publish.Start")) {
            encoder.send(RtmpBytes.publishedMedia());
            owner.collector.started();

            owner.streams.complete(STREAM, Duration.ofSeconds(30));

            assertTrue(encoder.lastStatus().contains("The session was completed."));
        }
        // The same encoder, directly: the owner knows its address.
        try (RawEncoder encoder = publish(owner)) {
            assertTrue(encoder.lastStatus().contains("this encoder may publish again in"));
        }
    }

    @Test
    void relayedConnections_countForTheAddressOfTheirEncoder() throws Exception {
        for (int i = 2; i <= 4; i++) {
            owner.gate.main(KEY + i, new StreamId("str_" + i));
            door.gate.add(KEY + i, relay(owner.node()));
        }
        owner.serves(KEY);
        // At most two of an address; the relay has one for all three.
        try (RawEncoder _ = started(door, KEY + 2, 2);
                RawEncoder _ = started(door, KEY + 3, 3);
                RawEncoder _ = started(door, KEY + 4, 4);
                RawEncoder _ = started(owner, KEY, 2)) {
            assertEquals(0, owner.server.counters().refused(Refusal.ADDRESS_LIMIT));
            try (Socket _ =
                    new Socket(
                            InetAddress.getLoopbackAddress(),
                            owner.server.port(),
                            InetAddress.getByAddress(new byte[] {127, 0, 0, 2}),
                            0)) {
                Await.until(() -> owner.server.counters().refused(Refusal.ADDRESS_LIMIT) == 1);
            }
        }
    }

    @Test
    void forgedAndExpiredCredentials_areRefused() throws Exception {
        owner.serves(KEY);
        InetSocketAddress encoder =
                new InetSocketAddress(InetAddress.ofLiteral("203.0.113.5"), 50_412);
        Instant now = Instant.now();
        for (RelayCredential wrong :
                List.of(
                        RelayCredential.issue(
                                new TestRelayKey("node-a", "guessed"),
                                owner.node(),
                                KEY,
                                encoder,
                                now),
                        RelayCredential.issue(
                                new TestRelayKey("node-a", SECRET),
                                owner.node(),
                                KEY,
                                encoder,
                                now.minus(Duration.ofMinutes(2))))) {
            try (RawEncoder relay =
                    new RawEncoder(
                            owner.server,
                            KEY,
                            Map.of(RelayCredential.PROPERTY, wrong.property()))) {
                assertTrue(relay.lastStatus().contains("NetStream.Publish.Denied"));
            }
        }
        assertEquals(2, owner.server.counters().refused(Refusal.RELAY_CREDENTIAL));
        assertEquals(List.of(), owner.gate.asked());
    }

    @Test
    void relayedPublish_isNotRelayedAgain() throws Exception {
        door.gate.add(KEY, relay(owner.node()));
        owner.gate.add(KEY, relay(door.node()));

        try (RawEncoder encoder = publish(door)) {
            assertTrue(encoder.lastStatus().contains("no owner"));
        }
        assertEquals(List.of(Ended.NOT_OWNER), List.copyOf(asked));
    }

    @Test
    void owner_thatIsNotThere_isSaid() throws Exception {
        InetSocketAddress closed =
                new InetSocketAddress(InetAddress.getLoopbackAddress(), FreePorts.next());
        door.gate.add(KEY, relay(new OwnerNode("node-x", closed)));
        try (RawEncoder encoder = publish(door)) {
            assertTrue(encoder.lastStatus().contains("no owner"));
        }
        assertEquals(List.of(Ended.CONNECTION_REFUSED), List.copyOf(asked));
    }

    @Test
    void slowOwner_slowsTheEncoder_andNothingIsLost() throws Exception {
        CutLink link = link(owner.serves(KEY));
        door.gate.add(KEY, relay(new OwnerNode(owner.id, link.address())));
        SyntheticStream media = SyntheticStream.standard().seconds(60).frameBytes(40_000);
        CompletableFuture<Void> pushed = CompletableFuture.runAsync(() -> push(media));
        Await.until(() -> door.server.counters().relayedBytes() > 0);
        link.stop(true);
        awaitStandstill(() -> door.server.counters().bytesIn());
        assertFalse(pushed.isDone());

        link.stop(false);

        pushed.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertEquals(
                media.withoutAudio().units().size(),
                SessionCollector.units(owner.collector.collected(), true).size());
    }

    @Test
    void lostOwners_areReplaced_untilThisNodeServes() throws Exception {
        TestNode third = open("node-c", RtmpRelays.Limits.USUAL).serves(KEY);
        CutLink first = link(owner.serves(KEY));
        next.add(relay(third.node()));
        next.add(new PublishDecision.Main(STREAM, Duration.ZERO));
        door.gate.add(KEY, relay(new OwnerNode(owner.id, first.address())));
        try (RawEncoder encoder = publish(door).await("Publish.Start")) {
            encoder.send(RtmpBytes.publishedMedia());
            owner.collector.started();

            first.kill();

            Await.until(() -> door.server.counters().relaysLost() == 1);
            Await.until(() -> door.server.counters().relays() == 1);
            encoder.send(RtmpBytes.video(80, RtmpBytes.FRAME), RtmpBytes.gop(120));
            third.collector.started();

            third.server.close();

            Await.until(() -> door.server.counters().publishers() == 1);
            encoder.send(RtmpBytes.video(200, RtmpBytes.FRAME), RtmpBytes.gop(240));
            door.collector.started();
        }
        assertEquals(2, SessionCollector.units(third.collector.collected(), true).size());
        List<FeedItem> here = door.collector.collected();
        assertEquals(2, timeline(here).tracks().size());
        assertTrue(SessionCollector.units(here, true).getFirst().idr());
        assertEquals(List.of(Ended.LOST, Ended.LOST), List.copyOf(asked));
        assertEquals(2, door.server.counters().relaysLost());
    }

    @Test
    void ownerThatStandsStill_isLost() throws Exception {
        TestNode impatient = open("node-c", SHORT);
        CutLink link = link(owner.serves(KEY));
        next.add(new PublishDecision.Main(STREAM, Duration.ZERO));
        impatient.gate.add(KEY, relay(new OwnerNode(owner.id, link.address())));
        try (RawEncoder _ = publish(impatient).await("Publish.Start")) {
            link.stop(true);

            Await.until(() -> impatient.server.counters().publishers() == 1);
        }
        assertEquals(List.of(Ended.LOST), List.copyOf(asked));
    }

    @Test
    void ownerThatTakesConnectionsOnly_isNotWaitedFor_asLongAsForAPublish() throws Exception {
        TestNode patient = open("node-c", PATIENT_WITH_PUBLISH);
        CutLink link = link(owner.serves(KEY));
        link.stop(true);
        next.add(new PublishDecision.Main(STREAM, Duration.ZERO));
        patient.gate.add(KEY, relay(new OwnerNode(owner.id, link.address())));
        try (RawEncoder _ = publish(patient)) {
            Await.until(() -> patient.server.counters().publishers() == 1);
        }
        assertEquals(List.of(Ended.TIMED_OUT), List.copyOf(asked));
    }

    /** Relays the stream; where it goes next is in {@link #next}. */
    private PublishDecision relay(OwnerNode to) {
        return new PublishDecision.Relay(STREAM, to, publish);
    }

    private PublishDecision nextDecision(Ended ended) {
        asked.add(ended);
        PublishDecision decision = next.poll();
        return decision != null
                ? decision
                : new PublishDecision.Refused(PublishDecision.Reason.DENIED, "no owner");
    }

    private CutLink link(TestNode to) throws IOException {
        CutLink link = new CutLink(to.server.port());
        links.add(link);
        return link;
    }

    private static RawEncoder started(TestNode at, String key, int host) throws IOException {
        return new RawEncoder(at.server, key, Map.of(), host).await("Publish.Start");
    }

    private static RawEncoder publish(TestNode at) throws IOException {
        return new RawEncoder(at.server, KEY, Map.of());
    }

    private void push(SyntheticStream media) {
        RtmpTarget target = RtmpTarget.parse("rtmp://127.0.0.1:" + door.server.port() + "/live");
        try (RtmpPushClient client = new RtmpPushClient(RtmpPushClient.Limits.USUAL);
                RtmpPush push =
                        client.open(target, KEY, List.of(InetAddress.getLoopbackAddress()))) {
            push.begin(new Timeline(0, media.tracks(), 0, SyntheticStream.STARTED_AT));
            for (AccessUnit unit : media.units()) {
                push.write(unit);
                push.flush();
            }
            push.finish();
        } catch (InterruptedException | RtmpPushException e) {
            throw new AssertionError(e);
        }
    }

    private static Timeline timeline(List<FeedItem> items) {
        return SessionCollector.timelines(items).getFirst();
    }

    /** Until a number does not change for a while. */
    private static void awaitStandstill(LongSupplier number) throws InterruptedException {
        AtomicLong before = new AtomicLong(-1);
        Await.until(
                () -> {
                    long now = number.getAsLong();
                    boolean same = now == before.getAndSet(now);
                    LockSupport.parkNanos(STANDSTILL.toNanos());
                    return same && now == number.getAsLong();
                });
    }
}
