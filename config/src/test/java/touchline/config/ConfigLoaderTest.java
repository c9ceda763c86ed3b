package touchline.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

final class ConfigLoaderTest {
    private static final Path HOME = Path.of("/opt/touchline");

    @TempDir private Path folder;

    @Test
    void everyDefault_isWhatTheContractSays() {
        ServerConfig expected =
                new ServerConfig(
                        Path.of("data").toAbsolutePath(),
                        new ApiConfig("127.0.0.1", 8080, List.of(), 64 << 10, 256, false),
                        new PlaybackConfig(
                                "0.0.0.0",
                                8081,
                                20_000,
                                512,
                                Duration.ofSeconds(60),
                                Duration.ofSeconds(10),
                                25,
                                32 << 20),
                        new RtmpConfig(
                                "0.0.0.0",
                                1935,
                                4 << 20,
                                20_000,
                                64,
                                Duration.ofSeconds(10),
                                Duration.ofSeconds(5),
                                Duration.ofSeconds(15),
                                Duration.ofSeconds(30)),
                        new TlsConfig(OptionalInt.empty(), Optional.empty(), Optional.empty()),
                        new PublicConfig(
                                URI.create("http://127.0.0.1:8080"),
                                URI.create("http://127.0.0.1:8081"),
                                URI.create("rtmp://127.0.0.1:1935/live")),
                        new AuthConfig(Optional.empty(), Optional.empty()),
                        new DatabaseConfig(
                                Optional.empty(), Optional.empty(), Optional.empty(), 10),
                        ClusterConfig.OFF,
                        new EgressConfig(List.of()),
                        new HttpConfig(List.of()),
                        new StorageConfig(
                                1L << 30,
                                10_000,
                                Optional.empty(),
                                RetentionConfig.OFF,
                                EvidenceConfig.DEFAULT,
                                HomeConfig.LOCAL),
                        new PackagerConfig(
                                Duration.ofSeconds(60),
                                Duration.ofMillis(250),
                                Set.of(AudioCodec.MP3)),
                        new MediaConfig(0, MediaConfig.Isolated.THUMBNAILS),
                        new OverlayConfig(
                                Optional.empty(),
                                false,
                                "nobody",
                                0,
                                new PageLimits(512L << 20, 150, 256L << 20, 64)),
                        ModerationConfig.of(HOME.resolve("config/models"), false, "auto"),
                        new EncoderConfig("auto", 0, "veryfast", 0, "auto", 0),
                        new JobsConfig(2, 1, JobsConfig.WorkerIsolation.AUTO),
                        new EventsConfig(Duration.ofDays(30), 1_000_000),
                        new ViewersConfig(Duration.ofDays(400)),
                        new TranscodingConfig(0, 20L << 30, Duration.ofHours(6)),
                        OtelConfig.OFF,
                        new LogConfig(LogConfig.Format.TEXT, LogConfig.Level.INFO));

        assertEquals(expected, loader(Map.of()).load());
    }

    @Test
    void value_inFileAndEnvironment_environmentWins() throws IOException {
        Path file = file("rtmp:\n  port: 2000\n  idle-timeout: 20s\n");

        RtmpConfig rtmp = loader(Map.of("TOUCHLINE_RTMP_PORT", "3000")).load(file).rtmp();

        assertEquals(3000, rtmp.port());
        assertEquals(Duration.ofSeconds(20), rtmp.idleTimeout());
    }

    @Test
    void transcodeAudio_isAListOfCodecs() throws IOException {
        assertEquals(
                Set.of(AudioCodec.MP3, AudioCodec.OPUS),
                loader(Map.of("TOUCHLINE_PACKAGER_TRANSCODE_AUDIO", "Opus, mp3"))
                        .load()
                        .packager()
                        .transcodeAudio());
        assertEquals(
                Set.of(),
                loader(Map.of())
                        .load(file("packager:\n  transcode-audio: ''\n"))
                        .packager()
                        .transcodeAudio());
        String refused =
                refusal(
                        () ->
                                loader(Map.of("TOUCHLINE_PACKAGER_TRANSCODE_AUDIO", "mp3,flac"))
                                        .load());
        assertTrue(refused.contains("expected: mp3, opus, both or none"), refused);
    }

    @Test
    void value_setByTheCommand_winsOverAll() {
        ConfigLoader loader = loader(Map.of("TOUCHLINE_MODERATION_DEMO_MODELS", "false"));

        assertTrue(loader.with("moderation.demo-models", "true").load().moderation().demoModels());
    }

    @Test
    void list_asYamlListOrText_isTheSame() throws IOException {
        List<String> expected = List.of("10.0.0.0/8", "fd00::/8");

        assertEquals(
                expected,
                loader(Map.of())
                        .load(file("egress:\n  allow: [10.0.0.0/8, 'fd00::/8']\n"))
                        .egress()
                        .allow());
        assertEquals(
                expected,
                loader(Map.of("TOUCHLINE_EGRESS_ALLOW", "10.0.0.0/8, fd00::/8"))
                        .load()
                        .egress()
                        .allow());
    }

    @Test
    void file_emptySectionsAndValues_leaveTheDefaults() throws IOException {
        Path file = file("rtmp:\ntls:\n  cert:\n  key: ''\n# nothing else\n");

        assertEquals(loader(Map.of()).load(), loader(Map.of()).load(file));
        assertEquals(loader(Map.of()).load(), loader(Map.of()).load(file("")));
    }

    @Test
    void variable_empty_countsAsNotSet() {
        assertEquals(8080, loader(Map.of("TOUCHLINE_API_PORT", "")).load().api().port());
    }

    @Test
    void value_withDollarBraces_isTakenLiterally() throws IOException {
        Path file = file("auth:\n  admin-secret: ${rtmp.port}abcdef\n");

        assertEquals(
                Optional.of("${rtmp.port}abcdef"),
                loader(Map.of()).load(file).auth().adminSecret());
    }

    @Test
    void publicUrls_listenerOnAllAddresses_areLoopback() {
        PublicConfig urls =
                loader(Map.of("TOUCHLINE_API_HOST", "::", "TOUCHLINE_RTMP_HOST", "fd00::5"))
                        .load()
                        .publicUrls();

        assertEquals(URI.create("http://[::1]:8080"), urls.apiUrl());
        assertEquals(URI.create("http://127.0.0.1:8081"), urls.playbackUrl());
        assertEquals(URI.create("rtmp://[fd00::5]:1935/live"), urls.rtmpUrl());
    }

    @Test
    void publicUrls_given_areKeptWithoutTrailingSlash() {
        PublicConfig urls =
                loader(
                                Map.of(
                                        "TOUCHLINE_PUBLIC_API_URL", "https://live.example/control/",
                                        "TOUCHLINE_PUBLIC_PLAYBACK_URL", "https://cdn.example/",
                                        "TOUCHLINE_PUBLIC_RTMP_URL", "rtmp://push.example/"))
                        .load()
                        .publicUrls();

        assertEquals(URI.create("https://live.example/control"), urls.apiUrl());
        assertEquals(URI.create("https://cdn.example"), urls.playbackUrl());
        assertEquals(URI.create("rtmp://push.example/live"), urls.rtmpUrl());
    }

    @Test
    void publicUrls_ofPortZero_takeTheBoundPort() {
        PublicConfig urls =
                loader(
                                Map.of(
                                        "TOUCHLINE_API_PORT", "0",
                                        "TOUCHLINE_RTMP_PORT", "0",
                                        "TOUCHLINE_PUBLIC_PLAYBACK_URL", "http://cdn.example"))
                        .load()
                        .publicUrls()
                        .withBoundPorts(4001, 4002, 4003);

        assertEquals(URI.create("http://127.0.0.1:4001"), urls.apiUrl());
        assertEquals(URI.create("http://cdn.example"), urls.playbackUrl());
        assertEquals(URI.create("rtmp://127.0.0.1:4003/live"), urls.rtmpUrl());
    }

    @Test
    void publicUrls_withTls_areSecure() throws IOException {
        Path pem = file("pem");
        PublicConfig urls =
                loader(
                                Map.of(
                                        "TOUCHLINE_TLS_CERT", pem.toString(),
                                        "TOUCHLINE_TLS_KEY", pem.toString(),
                                        "TOUCHLINE_RTMPS_PORT", "1936"))
                        .load()
                        .publicUrls();

        assertEquals(URI.create("https://127.0.0.1:8080"), urls.apiUrl());
        assertEquals(URI.create("rtmps://127.0.0.1:1936/live"), urls.rtmpUrl());
    }

    @Test
    void key_unknown_isNamedWithItsNeighbour() throws IOException {
        Path file = file("rtmp:\n  prot: 1935\n");

        assertProblem(
                "rtmp.prot: unknown key in " + file + " (did you mean rtmp.port?)",
                () -> loader(Map.of()).load(file));
    }

    @Test
    void variable_unknown_isNamedWithItsNeighbour() {
        assertProblem(
                "TOUCHLINE_RTMP_PROT: unknown environment variable (did you mean"
                        + " TOUCHLINE_RTMP_PORT?)",
                () -> loader(Map.of("TOUCHLINE_RTMP_PROT", "1")).load());
    }

    @Test
    void value_outOfRange_isNamedWithRangeAndOrigin() {
        assertProblem(
                "packager.low-part: '2s' (expected: 100ms to 1s; from environment variable"
                        + " TOUCHLINE_PACKAGER_LOW_PART)",
                () -> loader(Map.of("TOUCHLINE_PACKAGER_LOW_PART", "2s")).load());
    }

    @Test
    void faults_inSeveralKeys_areNamedAtOnce() throws IOException {
        Path file = file("api:\n  port: 99999\nencoder:\n  video: vp8\nrtmp: 7\n");

        assertProblem(
                String.join(
                        System.lineSeparator(),
                        "rtmp: a value in " + file + " (expected: a section with keys below it)",
                        "api.port: '99999' (expected: 0 to 65535; from " + file + ")",
                        "encoder.video: 'vp8' (expected: auto, nvenc, x264 or openh264; from "
                                + file
                                + ")"),
                () -> loader(Map.of()).load(file));
    }

    @Test
    void secret_malformed_isNotShown() {
        for (String variable :
                List.of("TOUCHLINE_MASTER_KEY", "TOUCHLINE_ADMIN_SECRET", "TOUCHLINE_DB_URL")) {
            String refusal = refusal(() -> loader(Map.of(variable, "hunter2 \u0007")).load());
            assertFalse(refusal.contains("hunter2"), refusal);
            assertTrue(refusal.contains(variable), refusal);
        }
    }

    @Test
    void file_brokenYaml_namesLineAndNotTheText() throws IOException {
        Path file = file("auth:\n  admin-secret: hunter2\n bad: [\n");

        String refusal = refusal(() -> loader(Map.of()).load(file));

        assertTrue(refusal.startsWith(file + ": not a YAML mapping (line 3, column 2"));
        assertFalse(refusal.contains("hunter2"));
    }

    @Test
    void file_notAMapping_isRefused() throws IOException {
        Path file = file("- a\n- b\n");

        String refusal = refusal(() -> loader(Map.of()).load(file));

        assertTrue(refusal.startsWith(file + ": not a YAML mapping"));
    }

    @Test
    void file_missingOrTooLarge_isNamed() throws IOException {
        Path missing = folder.resolve("none.yaml");
        Path large = file("#".repeat((1 << 20) + 1));

        assertProblem(
                missing + ": cannot be read (NoSuchFileException)",
                () -> loader(Map.of()).load(missing));
        assertProblem(
                large + ": 1048577 bytes (expected: <= 1048576)",
                () -> loader(Map.of()).load(large));
    }

    @Test
    void tls_halfGiven_namesTheMissingKey() throws IOException {
        Path pem = file("pem");

        assertProblem(
                "tls.key: empty (expected: a file, as tls.cert and tls.key go together)",
                () -> loader(Map.of("TOUCHLINE_TLS_CERT", pem.toString())).load());
        assertProblem(
                "tls.rtmps-port: set without tls.cert (expected: both or none)",
                () -> loader(Map.of("TOUCHLINE_RTMPS_PORT", "1936")).load());
    }

    @Test
    void variables_twoNamesOfOneKey_mustAgree() {
        assertProblem(
                "encoder.video: set twice, by environment variable TOUCHLINE_ENCODER_VIDEO and"
                        + " environment variable TOUCHLINE_VIDEO_ENCODER",
                () ->
                        loader(
                                        Map.of(
                                                "TOUCHLINE_ENCODER_VIDEO", "x264",
                                                "TOUCHLINE_VIDEO_ENCODER", "nvenc"))
                                .load());
    }

    private static ConfigLoader loader(Map<String, String> environment) {
        return new ConfigLoader(environment, HOME);
    }

    private Path file(String text) throws IOException {
        return Files.writeString(Files.createTempFile(folder, "config", ".yaml"), text);
    }

    private static void assertProblem(String message, Executable load) {
        assertEquals(message, refusal(load));
    }

    private static String refusal(Executable load) {
        return String.valueOf(assertThrows(ConfigException.class, load).getMessage());
    }
}
