package touchline.packager.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.PooledByteBufAllocator;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.packager.hls.LivePlayback.PlaylistKind;
import touchline.packager.hls.MediaBody;
import touchline.testing.Await;

/** Hundreds of viewers of each bad kind against a real server, and a good one beside them. */
class HostileViewersIT {
    private static final int OF_EACH_KIND = 150;
    private static final int SEGMENT_BYTES = 1_500_000;
    private static final Duration SOON = Duration.ofMillis(1500);

    /** A pause of the machine between a connect and its request must not pass for a silent one. */
    private static final Duration IDLE = SOON.multipliedBy(4);

    private final NettyMediaMemory memory = new NettyMediaMemory();
    private final FakePlayback session = new FakePlayback("ses", memory);
    private final List<Socket> sockets = new ArrayList<>();

    @TempDir Path folder;

    @BeforeEach
    void fill() throws IOException {
        byte[] media = new byte[SEGMENT_BYTES];
        new Random(8).nextBytes(media);
        Path file = Files.write(folder.resolve("f"), media);
        session.playlistText(PlaylistKind.WINDOW, 1, "#EXTM3U\n".repeat(100))
                .blocks("s1", media)
                .blocks("s1.0", new byte[60_000])
                .file("s2", new MediaBody.FileRange(file, 0, SEGMENT_BYTES));
    }

    @AfterEach
    void end() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
        session.close();
        assertEquals(0, memory.usedBytes());
    }

    private static DeliveryLimits limits() {
        DeliveryLimits patient = ServerBench.patient();
        return new DeliveryLimits(
                IDLE, SOON, SOON, patient.work(), SOON, 16 * 1024, SOON, patient.linger());
    }

    /** A few hundred of each kind: their requests, and the size of their receive buffers. */
    private void attack(ServerBench bench) throws IOException {
        for (int i = 0; i < OF_EACH_KIND; i++) {
            open(bench, "", 0);
            open(bench, "GET /id/ses/s1", 0);
            open(bench, "GET /id.m3u8 HTTP/1.1\r\nHost: t\r\nX-A: b\r\n", 0);
            open(bench, ServerBench.get("/id/ses/s1.m4s"), 2048);
            open(bench, ServerBench.get("/id/ses/s2.m4s"), 2048);
            open(bench, ServerBench.get("/id/ses/s1.m4s").repeat(50), 2048);
            open(bench, ServerBench.get("/id/ses/media.m3u8?_HLS_msn=9").repeat(3), 0);
            open(bench, ServerBench.get("/id/ses/s1.0.m4s") + "\u0016\u0003\u0001 garbage", 0);
        }
    }

    private void open(ServerBench bench, String request, int receiveBufferBytes)
            throws IOException {
        Socket socket = bench.connect(receiveBufferBytes);
        sockets.add(socket);
        ServerBench.send(socket, request);
    }

    @Test
    void hundredsOfEachKind_areAllClosedAndAGoodViewerIsServed() throws Exception {
        ServerBench bench =
                new ServerBench(Viewer.showing(session), limits(), Optional.empty(), 0, 5000);
        long pinnedBefore = pinnedBytes();
        attack(bench);
        Await.until(() -> bench.counters.openConnections() > 0, "some are there");
        assertTrue(pinnedBytes() > pinnedBefore, "half heads lie in buffers");
        int served = 0;
        try (Socket good = bench.connect(0)) {
            InputStream in = good.getInputStream();
            do {
                ServerBench.send(good, ServerBench.get("/id/ses/s1.0.m4s"));
                assertTrue(ServerBench.answer(in).startsWith("HTTP/1.1 200 "));
                served++;
            } while (bench.counters.openConnections() > 1 && served < 1_000_000);
            assertEquals(1, bench.counters.openConnections());
        }
        assertTrue(served > 10, "served meanwhile: " + served);
        assertEquals(
                "3 slow, 4 silent",
                "%s slow, %s silent"
                        .formatted(
                                perKind(bench.counters.slowViewersCut()),
                                perKind(bench.counters.timeouts())));
        assertEquals(0, bench.counters.blockedNow());
        Await.until(() -> pinnedBytes() <= pinnedBefore, "buffers are given back");
        bench.leavesNothing(memory, session);
    }

    private static String perKind(long count) {
        return count % OF_EACH_KIND == 0
                ? Long.toString(count / OF_EACH_KIND)
                : "%d of %d".formatted(count, OF_EACH_KIND);
    }

    @Test
    void head_dripping_isCutThoughEachByteComesInTime() throws Exception {
        ServerBench bench =
                new ServerBench(Viewer.showing(session), limits(), Optional.empty(), 0, 5000);
        for (int i = 0; i < OF_EACH_KIND; i++) {
            open(bench, ServerBench.get("/id/ses/media.m3u8") + "G", 0);
        }
        long begin = System.nanoTime();
        int open = OF_EACH_KIND;
        while (open > 0 && System.nanoTime() - begin < 10 * SOON.toNanos()) {
            open = 0;
            for (Socket socket : sockets) {
                open += drip(socket) ? 1 : 0;
            }
        }
        Await.until(() -> bench.counters.openConnections() == 0, "all are cut");
        assertEquals(OF_EACH_KIND, bench.counters.timeouts());
        bench.leavesNothing(memory, session);
    }

    private static boolean drip(Socket socket) throws IOException {
        try {
            ServerBench.send(socket, "x");
            return true;
        } catch (SocketException _) {
            return false;
        }
    }

    /** What connections hold of Netty's pool in this JVM. */
    private static long pinnedBytes() {
        return PooledByteBufAllocator.DEFAULT.pinnedDirectMemory()
                + PooledByteBufAllocator.DEFAULT.pinnedHeapMemory();
    }
}
