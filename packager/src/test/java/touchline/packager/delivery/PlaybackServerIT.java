package touchline.packager.delivery;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.config.PlaybackConfig;
import touchline.media.decoding.GopDecoders;
import touchline.packager.audience.Audience;
import touchline.packager.hls.LivePlayback.PlaylistKind;
import touchline.packager.hls.MediaBody;
import touchline.packager.thumbnail.Thumbnails;
import touchline.testing.Await;

/** The playback plane over real sockets. */
class PlaybackServerIT {
    private static final int FILE_BYTES = 3_000_000;

    private final NettyMediaMemory memory = new NettyMediaMemory();
    private final byte[] media = new byte[600_000];
    private final byte[] stored = new byte[FILE_BYTES];
    private final FakePlayback session = new FakePlayback("ses", memory);

    @TempDir Path folder;

    @BeforeEach
    void fill() throws IOException {
        Random random = new Random(5);
        random.nextBytes(media);
        random.nextBytes(stored);
        Path file = Files.write(folder.resolve("f"), stored);
        session.multivariantNaming("ses/media.m3u8")
                .playlistText(PlaylistKind.WINDOW, 1, "#EXTM3U\n".repeat(100))
                .blocks(
                        "s1",
                        Arrays.copyOfRange(media, 0, 200_000),
                        Arrays.copyOfRange(media, 200_000, 400_001),
                        Arrays.copyOfRange(media, 400_001, 600_000))
                .blocks("s1.0", Arrays.copyOfRange(media, 0, 60_000))
                .file("s2", new MediaBody.FileRange(file, 17, FILE_BYTES - 20L))
                .file("s3", ServerBench.inPieces(file, 17, FILE_BYTES - 20L));
    }

    @AfterEach
    void free() {
        session.close();
        assertEquals(0, memory.usedBytes());
    }

    private ServerBench patient() throws IOException {
        return new ServerBench(Viewer.showing(session), ServerBench.patient(), Optional.empty());
    }

    private static URI uri(ServerBench bench, String target) {
        return URI.create("http://127.0.0.1:" + bench.server.port() + target);
    }

    @Test
    void media_fromMemoryAndDisk_isByteExactOnOneConnection() throws Exception {
        ServerBench bench = patient();
        byte[] range = Arrays.copyOfRange(stored, 17, FILE_BYTES - 3);
        try (HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            for (int i = 0; i < 20; i++) {
                assertArrayEquals(media, bytes(client, bench, "/id/ses/s1.m4s").body());
                assertArrayEquals(range, bytes(client, bench, "/id/ses/s2.m4s").body());
                assertArrayEquals(range, bytes(client, bench, "/id/ses/s3.m4s").body());
                assertArrayEquals(
                        Arrays.copyOf(media, 60_000),
                        bytes(client, bench, "/id/ses/s1.0.m4s").body());
            }
            assertEquals(1, bench.counters.openConnections());
            HttpResponse<byte[]> part =
                    client.send(
                            HttpRequest.newBuilder(uri(bench, "/id/ses/s2.m4s"))
                                    .header("Range", "bytes=1000000-2000000")
                                    .build(),
                            HttpResponse.BodyHandlers.ofByteArray());
            assertEquals(206, part.statusCode());
            assertArrayEquals(Arrays.copyOfRange(range, 1_000_000, 2_000_001), part.body());
            HttpResponse<byte[]> head =
                    client.send(
                            HttpRequest.newBuilder(uri(bench, "/id/ses/s2.m4s")).HEAD().build(),
                            HttpResponse.BodyHandlers.ofByteArray());
            assertEquals(
                    FILE_BYTES - 20L, head.headers().firstValueAsLong("content-length").orElse(-1));
        }
        bench.leavesNothing(memory, session);
    }

    @Test
    void segment_aboveTheHighWaterMark_isSentOnceAndStaysWhole() throws Exception {
        byte[] large = new byte[4 * 330_000];
        new Random(6).nextBytes(large);
        session.blocks(
                "s3",
                Arrays.copyOfRange(large, 0, 330_000),
                Arrays.copyOfRange(large, 330_000, 660_000),
                Arrays.copyOfRange(large, 660_000, 990_000),
                Arrays.copyOfRange(large, 990_000, large.length));
        ServerBench bench = patient();
        try (HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            for (int i = 0; i < 10; i++) {
                assertArrayEquals(large, bytes(client, bench, "/id/ses/s3.m4s").body());
            }
        }
        bench.leavesNothing(memory, session);
    }

    private static HttpResponse<byte[]> bytes(HttpClient client, ServerBench bench, String target)
            throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(uri(bench, target)).build(),
                HttpResponse.BodyHandlers.ofByteArray());
    }

    @Test
    void pipelined_requests_areAnsweredInOrder() throws Exception {
        ServerBench bench = patient();
        try (Socket socket = bench.connect(0)) {
            ServerBench.send(
                    socket,
                    (ServerBench.get("/id/ses/s2.m4s")
                                    + ServerBench.get("/id/ses/media.m3u8")
                                    + ServerBench.get("/id/ses/s1.0.m4s")
                                    + ServerBench.get("/none"))
                            .repeat(10));
            InputStream in = socket.getInputStream();
            for (int i = 0; i < 10; i++) {
                assertTrue(ServerBench.answer(in).contains("content-length: 2999980\r\n"));
                assertTrue(ServerBench.answer(in).endsWith("#EXTM3U\n"));
                assertTrue(
                        ServerBench.answer(in)
                                .endsWith(new String(Arrays.copyOf(media, 60_000), ISO_8859_1)));
                assertTrue(ServerBench.answer(in).startsWith("HTTP/1.1 404 "));
            }
        }
        bench.leavesNothing(memory, session);
    }

    @Test
    void request_tooLong_isAnsweredAndClosed() throws Exception {
        ServerBench bench = patient();
        try (Socket socket = bench.connect(0)) {
            ServerBench.send(socket, ServerBench.get("/" + "a".repeat(200_000)));
            String answer = ServerBench.untilEnd(socket.getInputStream());
            assertTrue(answer.startsWith("HTTP/1.1 414 "), answer);
            assertTrue(answer.endsWith("\"}"), answer);
        }
        try (Socket socket = bench.connect(0)) {
            ServerBench.send(
                    socket,
                    "GET /id.m3u8 HTTP/1.1\r\nHost: t\r\nX: " + "a".repeat(200_000) + "\r\n\r\n");
            String answer = ServerBench.untilEnd(socket.getInputStream());
            assertTrue(answer.startsWith("HTTP/1.1 431 "), answer);
            assertTrue(answer.endsWith("\"}"), answer);
        }
        bench.leavesNothing(memory, session);
    }

    @Test
    void slowViewers_areCutAndHoldNothing() throws Exception {
        ServerBench bench =
                new ServerBench(
                        Viewer.showing(session),
                        ServerBench.impatient(Duration.ofMillis(400)),
                        Optional.empty());
        List<Socket> sockets = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            Socket socket = bench.connect(4096);
            sockets.add(socket);
            ServerBench.send(
                    socket,
                    ServerBench.get(i % 2 == 0 ? "/id/ses/s1.m4s" : "/id/ses/s2.m4s").repeat(20));
        }
        Await.until(() -> bench.counters.slowViewersCut() == 10, "all ten that never read are cut");
        Await.until(() -> bench.counters.openConnections() == 0, "all are closed");
        for (Socket socket : sockets) {
            socket.close();
        }
        try (Socket good = bench.connect(0)) {
            ServerBench.send(good, ServerBench.get("/id/ses/s1.m4s"));
            assertTrue(ServerBench.answer(good.getInputStream()).startsWith("HTTP/1.1 200 "));
        }
        bench.leavesNothing(memory, session);
    }

    @Test
    void steadyViewer_slowerThanTheNetwork_isNotCut() throws Exception {
        ServerBench bench =
                new ServerBench(
                        Viewer.showing(session),
                        ServerBench.impatient(Duration.ofSeconds(2)),
                        Optional.empty());
        try (Socket socket = bench.connect(64 * 1024)) {
            ServerBench.send(socket, ServerBench.get("/id/ses/s2.m4s"));
            InputStream in = socket.getInputStream();
            byte[] chunk = new byte[16 * 1024];
            long left = FILE_BYTES - 20L;
            long pace = System.nanoTime();
            long endNs = System.nanoTime() + Duration.ofSeconds(60).toNanos();
            while (left > 0) {
                assertTrue(System.nanoTime() < endNs, left + " bytes left after 60 s");
                int read = in.read(chunk);
                assertTrue(read > 0, "cut with " + left + " bytes left");
                left -= read;
                pace += read * 1000L; // 1 MB a second
                LockSupport.parkNanos(pace - System.nanoTime());
            }
        }
        assertEquals(0, bench.counters.slowViewersCut());
        bench.leavesNothing(memory, session);
    }

    @Test
    void reload_manyWaiters_areAllAnsweredByOneCall() throws Exception {
        ServerBench bench = patient();
        List<Socket> sockets = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            Socket socket = bench.connect(0);
            sockets.add(socket);
            ServerBench.send(socket, ServerBench.get("/id/ses/media.m3u8?_HLS_msn=5&_HLS_part=1"));
        }
        Await.until(() -> bench.counters.blockedNow() == 300, "all are held");
        for (Socket gone : sockets.subList(0, 100)) {
            gone.close();
        }
        Await.until(() -> bench.counters.blockedNow() == 200, "closed connections no longer wait");
        CompletableFuture.runAsync(() -> session.reached(5, OptionalInt.of(1), true)).join();
        for (Socket socket : sockets.subList(100, 300)) {
            assertTrue(
                    ServerBench.answer(socket.getInputStream()).startsWith("HTTP/1.1 200 OK\r\n"));
            socket.close();
        }
        assertEquals(0, bench.counters.blockedNow());
        bench.leavesNothing(memory, session);
    }

    @Test
    void connections_aboveTheAddressLimit_areRefusedAtAccept() throws Exception {
        ServerBench bench =
                new ServerBench(
                        Viewer.showing(session), ServerBench.patient(), Optional.empty(), 2);
        try (Socket first = bench.connect(0);
                Socket second = bench.connect(0)) {
            for (Socket socket : List.of(first, second)) {
                ServerBench.send(socket, ServerBench.get("/id.m3u8"));
                assertTrue(ServerBench.answer(socket.getInputStream()).startsWith("HTTP/1.1 200 "));
            }
            try (Socket third = bench.connect(0)) {
                String nothing = ServerBench.untilEnd(third.getInputStream());
                assertTrue(nothing.isEmpty() || nothing.equals("<reset>"), nothing);
            }
            assertEquals(1, bench.counters.refusedConnections());
        }
        bench.leavesNothing(memory, session);
    }

    @Test
    void close_heldAndIdleConnections_endInTime() throws Exception {
        ServerBench bench = patient();
        try (Socket idle = bench.connect(0);
                Socket held = bench.connect(0)) {
            ServerBench.send(held, ServerBench.get("/id/ses/media.m3u8?_HLS_msn=5"));
            Await.until(() -> bench.counters.blockedNow() == 1, "one is held");
            Await.until(() -> bench.counters.openConnections() == 2, "both are open");
            long begin = System.nanoTime();
            bench.close();
            assertTrue(System.nanoTime() - begin < 6_000_000_000L);
            assertEquals("", ServerBench.untilEnd(idle.getInputStream()));
            assertTrue(ServerBench.untilEnd(held.getInputStream()).startsWith("HTTP/1.1 503 "));
        }
        bench.leavesNothing(memory, session);
    }

    @Test
    void start_portTaken_saysWhich() throws Exception {
        ServerBench bench = patient();
        PlaybackConfig config =
                new PlaybackConfig(
                        "127.0.0.1",
                        bench.server.port(),
                        10,
                        0,
                        Duration.ofSeconds(60),
                        Duration.ofSeconds(10),
                        25,
                        1 << 20);
        try (PlaybackServer second =
                new PlaybackServer(
                        () -> config,
                        new PlaybackServer.Sources(
                                Viewer.showing(session),
                                Thumbnails.of(25, 1 << 20, GopDecoders.LOCAL, (_, _) -> {}),
                                WatchPages.NONE,
                                new Audience(
                                        new Audience.Limits(() -> 0, _ -> true),
                                        System::nanoTime,
                                        Viewer.CLOCK)),
                        new DeliveryCounters(),
                        List.of(),
                        Optional.empty())) {
            IOException e = assertThrows(IOException.class, second::start);
            assertEquals("playback: cannot bind 127.0.0.1:" + bench.server.port(), e.getMessage());
        }
        bench.leavesNothing(memory, session);
    }
}
