package touchline.ingest.rtmp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.ingest.amf.AmfValue;
import touchline.media.AccessUnit;
import touchline.media.CodecConfig;
import touchline.media.FeedItem;
import touchline.media.StreamId;
import touchline.media.Timeline;
import touchline.media.Timescale;
import touchline.media.Track;
import touchline.media.codec.HevcConfig;
import touchline.media.hub.LiveStreams;
import touchline.media.net.FreePorts;
import touchline.testing.SyntheticStream;

/** The client on real sockets: to this server, and to targets that misbehave. */
class RtmpPushIT {
    private static final StreamId STREAM = new StreamId("str_it");
    private static final String KEY = "it-key";
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final RtmpPushClient.Limits PATIENT =
            new RtmpPushClient.Limits(LONG, LONG, LONG);

    /** For targets that do not answer, or do not read. */
    private static final RtmpPushClient.Limits SHORT_PUBLISH =
            new RtmpPushClient.Limits(LONG, Duration.ofMillis(500), LONG);

    private static final RtmpPushClient.Limits SHORT_STALL =
            new RtmpPushClient.Limits(LONG, LONG, Duration.ofMillis(500));

    private static final CodecConfig HEVC =
            new CodecConfig.Hevc(
                    HevcConfig.parse(MemorySegment.ofArray(RtmpBytes.hex(RtmpBytes.HEVC_CONFIG))));

    private final SessionCollector collector = new SessionCollector();
    private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1);
    private final LiveStreams streams = new LiveStreams(InstantSource.system(), timer, collector);
    private final RtmpServer server =
            new RtmpServer(
                    Encoder.CONFIG,
                    OptionalInt.empty(),
                    Optional.empty(),
                    new FakeGate().main(KEY, STREAM),
                    streams,
                    _ -> false);
    private final RtmpPushClient client = new RtmpPushClient(PATIENT);

    @AfterEach
    void close() {
        client.close();
        server.close();
        timer.shutdownNow();
    }

    @Test
    void everyUnit_arrivesWithItsBytesAndTimes() throws Exception {
        server.start();
        SyntheticStream media = SyntheticStream.standard();

        try (RtmpPush push = open(server.port())) {
            push.begin(timeline(media, 5_000_000));
            for (AccessUnit unit : media.units()) {
                push.write(unit);
                push.flush();
            }
            push.finish();
        }

        List<FeedItem> arrived = collector.collected();
        for (boolean video : List.of(true, false)) {
            List<AccessUnit> sent =
                    media.published(0).stream()
                            .filter(unit -> unit.track().isVideo() == video)
                            .toList();
            List<AccessUnit> got = SessionCollector.units(arrived, video);
            assertEquals(sent.size(), got.size());
            for (int i = 0; i < sent.size(); i++) {
                assertEquals(-1, sent.get(i).payload().mismatch(got.get(i).payload()));
                assertEquals(sent.get(i).idr(), got.get(i).idr());
            }
        }
        assertEquals(1, SessionCollector.timelines(arrived).size());
        assertEquals(media.tracks(), SessionCollector.timelines(arrived).getFirst().tracks());
    }

    @Test
    void changedFormat_isANewTimelineAtTheTarget_onTheSameConnection() throws Exception {
        server.start();
        SyntheticStream media = SyntheticStream.standard().seconds(1);

        try (RtmpPush push = open(server.port())) {
            push.begin(timeline(media, 0));
            send(push, media.units());
            SyntheticStream next = media.withoutAudio();
            push.begin(timeline(next, 1_000_000));
            send(push, next.units());
            push.finish();
        }

        assertEquals(
                2L * media.withoutAudio().units().size(),
                SessionCollector.units(collector.collected(), true).size());
        assertEquals(1, server.counters().accepted());
    }

    @Test
    void hevc_goesToTargetsThatNameIt_andToNoOther() throws Exception {
        server.start();
        Track hevc = new Track(Track.VIDEO_ID, Timescale.VIDEO, HEVC);
        Timeline timeline = new Timeline(0, List.of(hevc), 0, SyntheticStream.STARTED_AT);
        try (RtmpPush push = open(server.port())) {
            push.begin(timeline);
            push.write(
                    new AccessUnit(
                            hevc,
                            0,
                            0,
                            true,
                            MemorySegment.ofArray(RtmpBytes.hex("000000032601af"))));
            push.finish();
        }
        assertEquals(
                List.of(hevc),
                SessionCollector.timelines(collector.collected()).getFirst().tracks());

        try (ServerSocket listener = listener();
                AutoCloseable _ = answering(listener);
                RtmpPush push = open(listener.getLocalPort())) {
            assertEquals(
                    "the target does not take HEVC",
                    assertThrows(RtmpPushException.class, () -> push.begin(timeline)).reason());
        }
    }

    @Test
    void ffmpegAsListener_getsEveryFrame(@TempDir Path folder) throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/ffmpeg")), "skipped: no ffmpeg");
        int port = FreePorts.next();
        Path file = folder.resolve("got.mkv");
        SyntheticStream media = SyntheticStream.standard().seconds(4);
        Process ffmpeg =
                new ProcessBuilder(
                                "ffmpeg -v error -nostdin -listen 1 -i rtmp://127.0.0.1:%d/live/%s -c copy %s"
                                        .formatted(port, KEY, file)
                                        .split(" ", -1))
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("ffmpeg.txt").toFile())
                        .start();
        try {
            try (RtmpPush push = openSoon(port)) {
                push.begin(timeline(media, 0));
                send(push, media.units());
                push.finish();
            }
            assertTrue(ffmpeg.waitFor(30, TimeUnit.SECONDS));
        } finally {
            ffmpeg.destroyForcibly().waitFor();
        }
        assertEquals(media.withoutAudio().units().size(), packets(file, "v"));
        assertEquals(media.withoutVideo().units().size(), packets(file, "a"));
    }

    /** Until ffmpeg listens. */
    private RtmpPush openSoon(int port) throws Exception {
        long endNs = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (true) {
            try {
                return open(port);
            } catch (RtmpPushException e) {
                if (System.nanoTime() > endNs) {
                    throw e;
                }
                Thread.sleep(50);
            }
        }
    }

    private static int packets(Path file, String kind) throws Exception {
        Process ffprobe =
                new ProcessBuilder(
                                "ffprobe -v error -count_packets -select_streams %s -show_entries stream=nb_read_packets -of csv=p=0 %s"
                                        .formatted(kind, file)
                                        .split(" ", -1))
                        .start();
        String text = new String(ffprobe.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, ffprobe.waitFor());
        return Integer.parseInt(text.strip());
    }

    @Test
    void stalledTarget_holdsTheSenderWithinBounds_andFails() throws Exception {
        try (ServerSocket listener = listener();
                AutoCloseable _ = answering(listener);
                RtmpPushClient impatient = new RtmpPushClient(SHORT_STALL);
                RtmpPush push = open(impatient, listener.getLocalPort())) {
            List<AccessUnit> units =
                    SyntheticStream.standard().withoutAudio().frameBytes(60_000).units();
            push.begin(timeline(SyntheticStream.standard().withoutAudio(), 0));

            RtmpPushException stalled =
                    assertThrows(
                            RtmpPushException.class,
                            () -> {
                                while (true) {
                                    send(push, units);
                                }
                            });

            assertEquals("the target takes no data", stalled.reason());
        }
    }

    @Test
    void targetsThatRefuse_stayMute_orReset_areNamed() throws Exception {
        int closedPort = FreePorts.next();
        assertEquals(
                "the target refuses the connection",
                assertThrows(RtmpPushException.class, () -> open(closedPort)).reason());
        try (ServerSocket mute = listener();
                RtmpPushClient impatient = new RtmpPushClient(SHORT_PUBLISH)) {
            assertEquals(
                    "the target has not answered the handshake within 0 s",
                    assertThrows(
                                    RtmpPushException.class,
                                    () -> open(impatient, mute.getLocalPort()))
                            .reason());
        }
        try (ServerSocket listener = listener();
                AutoCloseable _ = resetting(listener)) {
            String reason =
                    assertThrows(RtmpPushException.class, () -> open(listener.getLocalPort()))
                            .reason();
            assertTrue(
                    reason.equals("the connection was reset")
                            || reason.startsWith("the target has closed the connection"),
                    reason);
        }
        assertEquals(
                "the host's name has no address now",
                assertThrows(
                                RtmpPushException.class,
                                () -> client.open(target(closedPort), KEY, List.of()))
                        .reason());
    }

    private RtmpPush open(int port) throws Exception {
        return open(client, port);
    }

    private static RtmpPush open(RtmpPushClient client, int port) throws Exception {
        return client.open(target(port), KEY, List.of(InetAddress.getLoopbackAddress()));
    }

    private static RtmpTarget target(int port) {
        return RtmpTarget.parse("rtmp://127.0.0.1:" + port + "/live");
    }

    private static Timeline timeline(SyntheticStream media, long startUs) {
        return new Timeline(0, media.tracks(), startUs, SyntheticStream.STARTED_AT);
    }

    private static void send(RtmpPush push, List<AccessUnit> units) throws Exception {
        for (AccessUnit unit : units) {
            push.write(unit);
        }
        push.flush();
    }

    private static ServerSocket listener() throws IOException {
        ServerSocket listener = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        listener.setReceiveBufferSize(16 << 10);
        return listener;
    }

    private static AutoCloseable resetting(ServerSocket listener) {
        return peer(
                listener,
                socket -> {
                    int _ = socket.getInputStream().read();
                    socket.setSoLinger(true, 0);
                });
    }

    /** Accepts the publish of one client, and reads nothing of it. */
    private static AutoCloseable answering(ServerSocket listener) {
        return peer(
                listener,
                socket -> {
                    InputStream in = socket.getInputStream();
                    byte[] _ = in.readNBytes(1 + RtmpBytes.HANDSHAKE_BYTES);
                    socket.getOutputStream()
                            .write(
                                    RtmpBytes.join(
                                            new byte[] {3},
                                            new byte[2 * RtmpBytes.HANDSHAKE_BYTES],
                                            result(1, Encoder.object()),
                                            result(4, Encoder.num(1)),
                                            RtmpBytes.command(
                                                    1,
                                                    "onStatus",
                                                    Encoder.num(0),
                                                    Encoder.object(
                                                            "level",
                                                            "status",
                                                            "code",
                                                            "NetStream.Publish.Start"))));
                    new CompletableFuture<Void>().get(60, TimeUnit.SECONDS);
                });
    }

    private static byte[] result(int transactionId, AmfValue information) {
        return RtmpBytes.command(
                0, "_result", Encoder.num(transactionId), AmfValue.Absent.NULL, information);
    }

    @FunctionalInterface
    private interface Peer {
        void serve(Socket socket) throws Exception;
    }

    /** Serves one connection on a thread that ends with the result's close. */
    private static AutoCloseable peer(ServerSocket listener, Peer peer) {
        Thread thread =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    try (Socket socket = listener.accept()) {
                                        peer.serve(socket);
                                    } catch (Exception _) {
                                        // The test is over.
                                    }
                                });
        return () -> {
            thread.interrupt();
            thread.join();
        };
    }
}
