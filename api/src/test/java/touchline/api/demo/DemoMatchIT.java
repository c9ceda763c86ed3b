package touchline.api.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import touchline.media.ffmpeg.FrameRate;
import touchline.media.file.MediaInfo;
import touchline.media.file.MediaProbe;
import touchline.media.net.FreePorts;
import touchline.testing.Await;
import touchline.testing.LogLines;

/** The demo match against the ffmpeg command line as RTMP server. */
@Timeout(480)
final class DemoMatchIT {
    private static final String KEY = "k3y-of-the-demo";
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    /** The match gives its threads 1.8 s, and a connection that hangs 5 s. */
    private static final double SOON_S = 4;

    private final LogLines logged = LogLines.ofAll();

    @TempDir Path folder;

    @AfterEach
    void leave() {
        logged.close();
    }

    @Test
    void start_listenerGoesAndComes_publishesAgain() throws Exception {
        assumeFfmpeg();
        int port = FreePorts.next();
        Process listener;
        try (DemoMatch match = DemoMatch.start(settings(port))) {
            Process first = listen(port, folder.resolve("first.flv"));
            Await.until(() -> match.stats().unitsPushed() > 60);
            first.destroyForcibly().waitFor();
            Await.until(() -> !match.stats().publishing());
            Process second = listen(port, folder.resolve("second.flv"));
            Await.until(() -> match.stats().publishing() && match.stats().connects() >= 2);
            long pushed = match.stats().unitsPushed();
            Await.until(() -> match.stats().unitsPushed() > pushed + 200);
            System.out.println(match.stats());
            listener = second;
        }
        // The match ends its publication, and so the listener ends.
        awaitEnd(listener);
        MediaInfo info = MediaProbe.probe(folder.resolve("second.flv"), MediaProbe.Limits.DEFAULT);
        MediaInfo.Video video = info.video().orElseThrow();
        assertEquals("h264", video.codec());
        assertEquals(1280, video.width());
        assertEquals(720, video.height());
        assertEquals(30, video.framesPerSecond(), 1);
        assertEquals("aac", info.audio().orElseThrow().codec());
        assertEquals(2, info.audio().orElseThrow().channels());
        assertFalse(
                logged.texts().stream().anyMatch(line -> line.contains(KEY)),
                "the key is in no log line");
    }

    @Test
    void start_busyHost_publishesAgainWithFewerFrames() throws Exception {
        assumeFfmpeg();
        int port = FreePorts.next();
        FramePacing pacing =
                FramePacing.adaptive(4, FrameRate.of(30), Duration.ofMillis(300), () -> 0.99);
        Process listener;
        Path last;
        try (DemoMatch match = DemoMatch.start(settings(port), pacing)) {
            Process first = listen(port, folder.resolve("30.flv"));
            awaitEnd(first);
            Await.until(() -> pacing.divisor() == 3);
            // What has the port by now may be of 15 frames a second: the match leaves it as well.
            int publications = 0;
            do {
                last = folder.resolve("after-" + publications++ + ".flv");
                Process now = listen(port, last);
                Await.until(() -> !now.isAlive() || match.stats().publishing());
                long pushed = match.stats().unitsPushed();
                Await.until(() -> !now.isAlive() || match.stats().unitsPushed() > pushed + 200);
                listener = now;
            } while (!listener.isAlive());
        }
        awaitEnd(listener);
        MediaInfo info = MediaProbe.probe(last, MediaProbe.Limits.DEFAULT);
        assertEquals(10, info.video().orElseThrow().framesPerSecond(), 1);
        assertEquals("aac", info.audio().orElseThrow().codec());
    }

    @Test
    void close_withoutListener_endsSoon() throws Exception {
        DemoMatch match = DemoMatch.start(settings(FreePorts.next()));
        long start = System.nanoTime();
        match.close();
        match.close();
        double seconds = (System.nanoTime() - start) / 1e9;
        assertTrue(seconds < SOON_S, "seconds: " + seconds);
        Await.until(
                () ->
                        Thread.getAllStackTraces().keySet().stream()
                                .noneMatch(thread -> thread.getName().startsWith("demo-match")));
    }

    @Test
    void close_serverSaysNothing_endsSoon() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            DemoMatch match = DemoMatch.start(settings(silent.getLocalPort()));
            try (var _ = silent.accept()) {
                long start = System.nanoTime();
                match.close();
                double seconds = (System.nanoTime() - start) / 1e9;
                assertTrue(seconds < SOON_S, "seconds: " + seconds);
            }
        }
    }

    private static DemoMatch.Settings settings(int port) {
        return DemoMatch.Settings.of(URI.create("rtmp://127.0.0.1:" + port + "/live"), KEY);
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
                .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                .redirectErrorStream(true)
                .redirectOutput(Files.createTempFile(folder, "listener", ".log").toFile())
                .start();
    }

    private static void awaitEnd(Process listener) throws InterruptedException {
        assertTrue(listener.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS), "it still listens");
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
