package touchline.media.ffmpeg;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import touchline.media.AccessUnit;
import touchline.media.Track;
import touchline.media.file.MediaInfo;
import touchline.media.file.MediaProbe;
import touchline.media.net.FreePorts;

/** Pushes to the ffmpeg command line, which listens as an independent RTMP server. */
@Timeout(480)
final class RtmpPushIT {
    private static final String KEY = "secret-key-1";
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    @TempDir Path folder;

    @Test
    void push_toListener_arrivesAsH264AndAac() throws Exception {
        assumeFfmpeg();
        Path file = folder.resolve("received.flv");
        int port = FreePorts.next();
        Process listener = listen(port, file);
        List<AccessUnit> units = threeSeconds();

        try (RtmpPush push = connect(port, tracksOf(units), listener)) {
            units.forEach(push::write);
        }
        assertTrue(listener.waitFor(20, TimeUnit.SECONDS));

        MediaInfo info = MediaProbe.probe(file, MediaProbe.Limits.DEFAULT);
        assertEquals("h264", info.video().orElseThrow().codec());
        assertEquals(320, info.video().orElseThrow().width());
        assertEquals("aac", info.audio().orElseThrow().codec());
        assertEquals(48_000, info.audio().orElseThrow().sampleRateHz());
        String log = Files.readString(folder.resolve("listener.log"));
        assertFalse(log.contains("Error while decoding"), log);
        assertEquals(75, packets(file, "v:0"));
        assertEquals(
                units.stream().filter(unit -> !unit.track().isVideo()).count(),
                packets(file, "a:0"));
    }

    @Test
    void open_noListener_namesTheCallAndNotTheKey() throws IOException {
        int port = FreePorts.next();
        FfmpegException e =
                assertThrows(
                        FfmpegException.class,
                        () -> RtmpPush.open(target(port), tracksOf(threeSeconds()), _ -> {}));

        assertEquals("avio_open2", e.call());
        assertFalse(String.valueOf(e.getMessage()).contains(KEY), e.getMessage());
        assertFalse(target(port).toString().contains(KEY));
    }

    @Test
    void stop_serverSaysNothing_endsTheWaitAtOnce() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 1, LOOPBACK)) {
            CompletableFuture<RtmpPush.Stopper> stopper = new CompletableFuture<>();
            CompletableFuture<Throwable> failure = new CompletableFuture<>();
            List<Track> tracks = tracksOf(threeSeconds());
            PushTarget patient =
                    new PushTarget(server(silent.getLocalPort()), KEY, Duration.ofMinutes(2));
            Thread thread =
                    Thread.ofPlatform()
                            .start(
                                    () -> {
                                        try (RtmpPush _ =
                                                RtmpPush.open(patient, tracks, stopper::complete)) {
                                            failure.completeExceptionally(
                                                    new AssertionError("connected"));
                                        } catch (FfmpegException e) {
                                            failure.complete(e);
                                        }
                                    });
            try (Socket _ = silent.accept()) {
                stopper.get(20, TimeUnit.SECONDS).stop();
                // Far sooner than the timeout, on a busy machine too.
                failure.get(10, TimeUnit.SECONDS);
                thread.join();
            }
        }
    }

    @Test
    void open_serverSaysNothing_givesUpAtTheTimeout() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 1, LOOPBACK)) {
            PushTarget target =
                    new PushTarget(server(silent.getLocalPort()), KEY, Duration.ofMillis(300));
            long start = System.nanoTime();
            assertThrows(
                    FfmpegException.class,
                    () -> RtmpPush.open(target, tracksOf(threeSeconds()), _ -> {}));
            long tookMs = (System.nanoTime() - start) / 1_000_000;
            assertTrue(tookMs >= 300, "took " + tookMs + " ms");
        }
    }

    private static PushTarget target(int port) {
        return new PushTarget(server(port), KEY, Duration.ofSeconds(10));
    }

    private static URI server(int port) {
        return URI.create("rtmp://127.0.0.1:" + port + "/live");
    }

    /** The listener needs time to bind: refused connections are retried. */
    private static RtmpPush connect(int port, List<Track> tracks, Process listener) {
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (true) {
            try {
                return RtmpPush.open(target(port), tracks, _ -> {});
            } catch (FfmpegException e) {
                if (!listener.isAlive() || !isRefused(e) || System.nanoTime() > endNs) {
                    throw e;
                }
                Thread.onSpinWait();
            }
        }
    }

    private static boolean isRefused(FfmpegException e) {
        return String.valueOf(e.getMessage()).contains("Connection refused");
    }

    private Process listen(int port, Path file) throws IOException {
        return new ProcessBuilder(
                        "ffmpeg",
                        "-hide_banner",
                        "-y",
                        "-listen",
                        "1",
                        "-i",
                        "rtmp://127.0.0.1:" + port + "/live/" + KEY,
                        "-c",
                        "copy",
                        file.toString())
                .redirectInput(ProcessBuilder.Redirect.from(new java.io.File("/dev/null")))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("listener.log").toFile())
                .start();
    }

    private static List<AccessUnit> threeSeconds() {
        FrameFormat format = new FrameFormat(320, 240, Colour.BT709);
        List<AccessUnit> units = new ArrayList<>();
        units.addAll(
                TestMedia.video(
                        VideoSettings.live(format, FrameRate.of(25), TestMedia.encoder()), 75));
        units.addAll(
                TestMedia.audio(
                        new AudioSettings(48_000, 2, 96_000),
                        TestMedia.tones(48_000, 144_000, 440, 660)));
        units.sort(Comparator.comparingLong(AccessUnit::dtsUs));
        return units;
    }

    private static List<Track> tracksOf(List<AccessUnit> units) {
        return units.stream()
                .map(AccessUnit::track)
                .distinct()
                .sorted(Comparator.comparingInt(Track::id))
                .toList();
    }

    private static long packets(Path file, String stream) throws Exception {
        Process probe =
                new ProcessBuilder(
                                "ffprobe",
                                "-v",
                                "error",
                                "-select_streams",
                                stream,
                                "-show_entries",
                                "packet=pts",
                                "-of",
                                "csv=p=0",
                                file.toString())
                        .start();
        try (var lines = probe.inputReader()) {
            return lines.lines().filter(line -> !line.isBlank()).count();
        }
    }

    private static void assumeFfmpeg() throws InterruptedException {
        try {
            new ProcessBuilder("ffmpeg", "-version")
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            System.out.println("skipped: the ffmpeg command line is not installed");
            Assumptions.abort("the ffmpeg command line is not installed");
        }
    }
}
