package touchline.ingest.rtmp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.config.RtmpConfig;
import touchline.config.TlsConfig;
import touchline.media.AccessUnit;
import touchline.media.CodecConfig;
import touchline.media.FeedItem;
import touchline.media.StreamId;
import touchline.media.Timeline;
import touchline.media.hub.LiveStreams;
import touchline.media.tls.CurrentCertificate;
import touchline.testing.SyntheticStream;

/** The encoders that this machine has, pushing to the server on real sockets. */
class EncodersIT {
    private static final StreamId STREAM = new StreamId("str_it");
    private static final String KEY = "it-key";
    private static final TlsConfig NO_TLS =
            new TlsConfig(OptionalInt.empty(), Optional.empty(), Optional.empty());

    @TempDir Path folder;

    private final FakeGate gate = new FakeGate().main(KEY, STREAM);
    private final SessionCollector collector = new SessionCollector();
    private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1);
    private final LiveStreams streams = new LiveStreams(InstantSource.system(), timer, collector);
    private final List<RtmpServer> servers = new ArrayList<>();

    @AfterEach
    void close() {
        servers.forEach(RtmpServer::close);
        timer.shutdownNow();
        servers.forEach(server -> assertEquals(0, server.counters().connections()));
        servers.forEach(server -> assertEquals(0, server.counters().publishers()));
    }

    @Test
    void ffmpeg_pushes_everyFrameArrives() throws Exception {
        requireProgram("ffmpeg");
        RtmpServer server = start(100, 0, NO_TLS);

        Finished ffmpeg = run(ffmpeg("rtmp://127.0.0.1:" + server.port() + "/live/" + KEY));

        assertEquals(0, ffmpeg.exitCode(), ffmpeg.output());
        assertTwoSecondsOfMedia(collector.collected());
        assertTrue(server.counters().bytesIn() > 10_000);
    }

    @Test
    void ffmpeg_withAWrongKey_getsTheReason() throws Exception {
        requireProgram("ffmpeg");
        RtmpServer server = start(100, 0, NO_TLS);

        Finished ffmpeg = run(ffmpeg("rtmp://127.0.0.1:" + server.port() + "/live/wrong"));

        assertNotEquals(0, ffmpeg.exitCode());
        assertTrue(ffmpeg.output().contains("Unknown stream key."), ffmpeg.output());
    }

    @Test
    void ffmpeg_overTls_everyFrameArrives() throws Exception {
        requireProgram("ffmpeg");
        RtmpServer server = start(100, 0, selfSigned());

        Finished ffmpeg =
                run(
                        ffmpeg(
                                "rtmps://127.0.0.1:"
                                        + server.rtmpsPort().orElseThrow()
                                        + "/live/"
                                        + KEY));

        assertEquals(0, ffmpeg.exitCode(), ffmpeg.output());
        assertTwoSecondsOfMedia(collector.collected());
    }

    /** The certificate names localhost, and no authority has signed it. */
    @Test
    void pushClient_overTls_wantsATrustedCertificateForTheName() throws Exception {
        TlsConfig tls = selfSigned();
        RtmpServer server = start(100, 0, tls);
        int port = server.rtmpsPort().orElseThrow();
        SslContext trusting =
                SslContextBuilder.forClient()
                        .trustManager(tls.cert().orElseThrow().toFile())
                        .build();
        try (RtmpPushClient usual = new RtmpPushClient(RtmpPushClient.Limits.USUAL);
                RtmpPushClient client =
                        new RtmpPushClient(RtmpPushClient.Limits.USUAL, () -> trusting)) {
            assertRefused(usual, "localhost", port);
            assertRefused(client, "127.0.0.1", port);

            SyntheticStream media = SyntheticStream.standard().seconds(2);
            try (RtmpPush push = open(client, "localhost", port)) {
                push.begin(new Timeline(0, media.tracks(), 0, SyntheticStream.STARTED_AT));
                for (AccessUnit unit : media.units()) {
                    push.write(unit);
                }
                push.finish();
            }
            assertEquals(60, SessionCollector.units(collector.collected(), true).size());
        }
    }

    private static void assertRefused(RtmpPushClient client, String host, int port) {
        String reason =
                assertThrows(RtmpPushException.class, () -> open(client, host, port)).reason();
        assertTrue(reason.startsWith("TLS: "), reason);
    }

    private static RtmpPush open(RtmpPushClient client, String host, int port) throws Exception {
        return client.open(
                RtmpTarget.parse("rtmps://" + host + ":" + port + "/live"),
                KEY,
                List.of(InetAddress.getLoopbackAddress()));
    }

    @Test
    void gstreamer_pushes_everyFrameArrives() throws Exception {
        requireProgram("gst-launch-1.0");
        Assumptions.assumeTrue(
                run(List.of("gst-inspect-1.0", "rtmp2sink")).exitCode() == 0
                        && run(List.of("gst-inspect-1.0", "x264enc")).exitCode() == 0,
                "skipped: this GStreamer has no rtmp2sink or no x264enc");
        RtmpServer server = start(100, 0, NO_TLS);

        Finished gstreamer =
                run(
                        List.of(
                                "gst-launch-1.0",
                                "-q",
                                "videotestsrc",
                                "num-buffers=60",
                                "!",
                                "video/x-raw,width=320,height=180,framerate=30/1",
                                "!",
                                "x264enc",
                                "key-int-max=30",
                                "!",
                                "h264parse",
                                "!",
                                "flvmux",
                                "streamable=true",
                                "!",
                                "rtmp2sink",
                                "location=rtmp://127.0.0.1:" + server.port() + "/live/" + KEY));

        assertEquals(0, gstreamer.exitCode(), gstreamer.output());
        assertEquals(60, SessionCollector.units(collector.collected(), true).size());
    }

    private RtmpServer start(int maxConnections, int maxPerAddress, TlsConfig tls) {
        RtmpServer server =
                new RtmpServer(
                        config(0, maxConnections, maxPerAddress),
                        tls.rtmpsPort(),
                        CurrentCertificate.ofFiles(tls.cert(), tls.key()),
                        gate,
                        streams,
                        _ -> false);
        servers.add(server);
        server.start();
        return server;
    }

    private static RtmpConfig config(int port, int maxConnections, int maxPerAddress) {
        return new RtmpConfig(
                "127.0.0.1",
                port,
                4 << 20,
                maxConnections,
                maxPerAddress,
                Duration.ofSeconds(10),
                Duration.ofSeconds(5),
                Duration.ofSeconds(15),
                Duration.ofSeconds(30));
    }

    private static void assertTwoSecondsOfMedia(List<FeedItem> items) {
        assertEquals(1, SessionCollector.timelines(items).size());
        var tracks = SessionCollector.timelines(items).getFirst().tracks();
        assertTrue(tracks.getFirst().codec() instanceof CodecConfig.Avc);
        assertTrue(tracks.getLast().codec() instanceof CodecConfig.Aac);
        List<AccessUnit> frames = SessionCollector.units(items, true);
        assertEquals(60, frames.size());
        assertEquals(2, frames.stream().filter(AccessUnit::isKeyFrame).count());
        assertTrue(frames.stream().anyMatch(unit -> unit.compositionTimeOffsetTicks() > 0));
        long audio = SessionCollector.units(items, false).size();
        assertTrue(audio > 85 && audio < 100, "frames of audio: " + audio);
    }

    private static List<String> ffmpeg(String url) {
        return List.of(
                "ffmpeg",
                "-nostdin",
                "-v",
                "error",
                "-f",
                "lavfi",
                "-i",
                "testsrc2=size=320x180:rate=30",
                "-f",
                "lavfi",
                "-i",
                "sine=sample_rate=48000",
                "-t",
                "2",
                "-c:v",
                "libx264",
                "-preset",
                "ultrafast",
                "-bf",
                "2",
                "-g",
                "30",
                "-pix_fmt",
                "yuv420p",
                "-c:a",
                "aac",
                "-ac",
                "2",
                "-f",
                "flv",
                url);
    }

    private record Finished(int exitCode, String output) {}

    private Finished run(List<String> command) throws IOException, InterruptedException {
        Path output = folder.resolve("output.txt");
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        try {
            assertTrue(process.waitFor(60, TimeUnit.SECONDS), "still running: " + command);
            return new Finished(process.exitValue(), Files.readString(output));
        } finally {
            process.destroyForcibly();
        }
    }

    private static void requireProgram(String name) {
        boolean found =
                Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
                        .anyMatch(folder -> Files.isExecutable(Path.of(folder, name)));
        Assumptions.assumeTrue(found, "skipped: " + name + " is not installed");
    }

    /** A certificate of this test's own, by the JDK's keytool. */
    private TlsConfig selfSigned() throws Exception {
        Path store = folder.resolve("store.p12");
        Finished keytool =
                run(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "keytool")
                                        .toString(),
                                "-genkeypair",
                                "-alias",
                                "it",
                                "-keyalg",
                                "EC",
                                "-storetype",
                                "PKCS12",
                                "-storepass",
                                "changeit",
                                "-dname",
                                "CN=localhost",
                                "-keystore",
                                store.toString()));
        assertEquals(0, keytool.exitCode(), keytool.output());
        KeyStore keys = KeyStore.getInstance(store.toFile(), "changeit".toCharArray());
        return new TlsConfig(
                OptionalInt.of(0),
                Optional.of(pem("CERTIFICATE", keys.getCertificate("it").getEncoded())),
                Optional.of(
                        pem(
                                "PRIVATE KEY",
                                keys.getKey("it", "changeit".toCharArray()).getEncoded())));
    }

    private Path pem(String type, byte[] bytes) throws IOException {
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        return Files.writeString(
                folder.resolve(type + ".pem"),
                "-----BEGIN " + type + "-----\n" + body + "\n-----END " + type + "-----\n");
    }
}
