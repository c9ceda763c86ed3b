package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static touchline.api.app.GuideCommands.blocks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.config.ConfigLoader;
import touchline.config.ServerConfig;
import touchline.media.net.FreePorts;

/** Runs the commands of docs/guides as they stand there, and looks at what they produce. */
class GuidesIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path MODULES = Path.of("..", "target", "touchline", "npm", "node_modules");

    /** The guide with programs in two languages, which print the same. */
    private static final String PROGRAMS = "use-python-or-typescript";

    @TempDir private static Path data;
    private static TestServer server;

    @TempDir private Path folder;
    private GuideCommands guides;

    @BeforeAll
    static void start() throws IOException {
        server =
                TestServer.start(
                        data,
                        Map.of(
                                "TOUCHLINE_MODERATION_DEMO_MODELS", "true",
                                // The machine may be busy: renditions must not be dropped.
                                "TOUCHLINE_ENCODER_SPEED", "ultrafast",
                                "TOUCHLINE_EGRESS_ALLOW", "127.0.0.0/8",
                                "TOUCHLINE_OVERLAY_ALLOW_NO_SANDBOX", "true"));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void newFolderAndPort() throws IOException {
        guides = new GuideCommands(server, folder, FreePorts.next());
    }

    @Test
    void pushWithGstreamer_playsInEveryBrowser() throws Exception {
        String output = guides.run("push-with-gstreamer");

        JsonNode session = JSON.readTree(folder.resolve("session.json").toFile());
        assertTrue(session.path("codecs").path(0).asText().startsWith("avc1.4d"), output);
        assertEquals("mp4a.40.2", session.path("codecs").path(1).asText(), output);
        assertEquals(0, session.path("warnings").size(), session::toString);
    }

    @Test
    void metrics_ofTheServer_keepTheRulesOfPrometheus() {
        String metrics = server.get(server.api("/observe/metrics")).body();

        assertEquals(List.of(), MetricRules.faults(metrics));
        for (String name : List.of("process_resident_memory_bytes", "touchline_disk_free_bytes")) {
            assertTrue(
                    metrics.lines().anyMatch(line -> line.matches(name + " [1-9][0-9.E]+")), name);
        }
    }

    @Test
    void addAScoreboard_endsWithAFrame() throws Exception {
        guides.run("add-a-scoreboard");

        BufferedImage frame = ImageIO.read(folder.resolve("frame.jpg").toFile());
        assertEquals(640, frame.getWidth());
    }

    @Test
    void runTheScoreboardFromAPhone_countsOnce_andEndsWithTheLink() throws Exception {
        guides.run("run-the-scoreboard-from-a-phone");

        JsonNode action = JSON.readTree(folder.resolve("action.json").toFile());
        assertEquals(1, action.at("/data/scoreboard/home/score").asInt(), action::toString);
        JsonNode links = JSON.readTree(folder.resolve("links.json").toFile());
        assertTrue(links.at("/data/0/last_used_at").isNumber(), links::toString);
        JsonNode refused = JSON.readTree(folder.resolve("refused.json").toFile());
        assertEquals(40102, refused.path("code").asInt(), refused::toString);
    }

    @Test
    void moderateAStream_findsTheWeapon() throws Exception {
        guides.run("moderate-a-stream");

        JsonNode record = JSON.readTree(folder.resolve("record.json").toFile());
        JsonNode found = JSON.readTree(record.path("detect_info").asText()).path(0);
        assertEquals("weapon", found.path("model").asText());
        assertTrue(found.path("confidence").asDouble() > 0.5, found::toString);
        assertNotNull(ImageIO.read(folder.resolve("evidence.jpg").toFile()));
    }

    @Test
    void keepTheProgrammeOnTheAir_goesOnWithoutTheEncoder() throws Exception {
        guides.run("keep-the-programme-on-the-air");

        JsonNode standby = JSON.readTree(folder.resolve("standby.json").toFile());
        assertEquals("encoder_lost", standby.path("reason").asText());
    }

    @Test
    void cutAClip_downloadsTwoSeconds() throws Exception {
        String output = guides.run("cut-a-clip");

        assertTrue(output.contains("#EXTM3U"), output);
        String seconds =
                guides.command(
                        "ffprobe",
                        "-v",
                        "error",
                        "-show_entries",
                        "format=duration",
                        "-of",
                        "csv=p=0",
                        "goal.mp4");
        assertEquals(2.0, Double.parseDouble(seconds.strip()), 0.1);
        // 25 frames a second: 0.2 to 2.2 s, and 1.5 to 3.5 s.
        String frames =
                guides.command(
                        "ffprobe",
                        "-v",
                        "error",
                        "-count_packets",
                        "-select_streams",
                        "v",
                        "-show_entries",
                        "stream=nb_read_packets",
                        "-of",
                        "csv=p=0",
                        "reel.mp4");
        assertEquals("100", frames.strip().replace(",", ""));
        // The second range begins with the frame at 1.52 s.
        assertTrue(output.contains("00:00:01.000 --> 00:00:02.980\nGoal"), output);
    }

    @Test
    void restreamToOtherPlatforms_arrivesAtTheTarget() throws Exception {
        guides.run("restream-to-other-platforms");

        JsonNode restream = JSON.readTree(folder.resolve("restream.json").toFile()).path("data");
        assertFalse(restream.path("enabled").asBoolean(), restream::toString);
        assertEquals("idle", restream.path("state").asText(), restream::toString);
    }

    @Test
    void verifyAWebhook_receivesTheTestEvent() throws Exception {
        Files.writeString(
                folder.resolve("receiver.py"), blocks("verify-a-webhook", "python").getFirst());

        guides.run("verify-a-webhook");

        assertTrue(
                Files.readString(folder.resolve("received.txt")).startsWith("webhook.test evt_"));
    }

    @Test
    void countViewers_countsTwoPlayers() throws Exception {
        String output = guides.run("count-viewers");

        assertTrue(output.contains("\"now\": 2"), output);
        JsonNode day = JSON.readTree(folder.resolve("day.json").toFile()).path("data");
        assertEquals(3_600, day.path("step").asInt());
        assertTrue(day.path("peak").asInt() >= 2, day::toString);
    }

    @Test
    void embedAPlayer_hasCodeForAPage_andNamesTheSites() throws Exception {
        String output = guides.run("embed-a-player");

        JsonNode code = JSON.readTree(folder.resolve("oembed.json").toFile());
        assertEquals("Rovers - Albion", code.path("title").asText());
        assertTrue(output.contains("/embed\" width=\"640\""), output);
        assertTrue(output.contains("frame-ancestors *"), output);
        Path file = folder.resolve("touchline.yaml");
        Files.writeString(file, blocks("embed-a-player", "yaml").getFirst());
        assertEquals(
                List.of("https://club.example", "https://*.league.example"),
                new ConfigLoader(Map.of(), folder).load(file).playback().pages().embedOrigins());
    }

    @Test
    void signPlayback_playsWithTheTokenOnly() throws Exception {
        String output = guides.run("sign-playback");

        assertTrue(output.contains("#EXT-X-STREAM-INF"), output);
    }

    @Test
    void servePhonesAndTelevisions_hasASmallFrameForThePhone() throws Exception {
        guides.whereNothingIsDropped(
                () -> {
                    String output = guides.run("serve-phones-and-televisions");

                    assertTrue(output.contains("640x360: 900 kbit/s, running"), output);
                    BufferedImage frame = ImageIO.read(folder.resolve("phone.png").toFile());
                    assertEquals(640, frame.getWidth());
                    assertTrue(output.contains("\"frame_rate\": 15"), output);
                });
    }

    @Test
    void usePython_livesAStreamsLife() throws Exception {
        Files.writeString(folder.resolve("life.py"), blocks(PROGRAMS, "python").getFirst());

        String printed = blocks(PROGRAMS, "text").getFirst();
        String commands = blocks(PROGRAMS, "sh").getFirst();
        guides.whereNothingIsDropped(() -> assertEquals(printed, guides.script(commands)));
    }

    @Test
    void useTypeScript_livesAStreamsLife() throws Exception {
        assumeTrue(
                Files.isDirectory(MODULES),
                () -> MODULES + " is missing: ./touchline test installs it");
        Files.createSymbolicLink(
                folder.resolve("node_modules"), MODULES.toAbsolutePath().normalize());
        Files.writeString(folder.resolve("life.mts"), blocks(PROGRAMS, "ts").getFirst());

        String printed = "\n" + blocks(PROGRAMS, "text").getFirst();
        String commands = blocks(PROGRAMS, "sh").getLast();
        guides.whereNothingIsDropped(
                () -> {
                    String output = guides.script(commands);
                    assertTrue(output.endsWith(printed), output);
                });
    }

    @Test
    void backUpAndRestore_makesAFolderOfTheSameServer() throws Exception {
        String id = server.createStream("{\"title\": \"kept\"}").path("id").asText();
        launcher();

        String output = guides.run("back-up-and-restore");

        assertTrue(output.contains("SHA256SUMS\n"), output);
        assertTrue(output.contains("\"media\": true"), output);
        try (TestServer restored =
                TestServer.start(
                        folder.resolve("restored"),
                        Map.of(
                                "TOUCHLINE_MASTER_KEY",
                                Files.readString(data.resolve("master-key")).strip()))) {
            assertEquals("kept", restored.stream(id).path("title").asText());
        }
    }

    /** Instead of the launcher, which would build: the same command of the classes under test. */
    private void launcher() throws IOException {
        Path script = folder.resolve("touchline");
        Files.writeString(
                script,
                """
                #!/bin/sh
                export TOUCHLINE_DATA_DIR='%s' TOUCHLINE_API_PORT=%d TOUCHLINE_ADMIN_SECRET='%s'
                exec '%s' -XX:TieredStopAtLevel=1 -XX:+UseSerialGC --enable-native-access=ALL-UNNAMED \\
                  -cp '%s' touchline.api.app.Main "$@"
                """
                        .formatted(
                                data,
                                server.api("/").getPort(),
                                server.token().substring("admin.".length()),
                                Path.of(System.getProperty("java.home"), "bin", "java"),
                                System.getProperty("java.class.path")));
        assertTrue(script.toFile().setExecutable(true));
    }

    @Test
    void runAsAService_hasAConfigurationThatLoads() throws Exception {
        Path file = folder.resolve("touchline.yaml");
        Files.writeString(file, blocks("run-as-a-service", "yaml").getFirst());

        ServerConfig config = new ConfigLoader(Map.of(), folder).load(file);

        assertEquals("/var/lib/touchline", config.dataDir().toString());
        String unit = blocks("run-as-a-service", "ini").getFirst();
        assertTrue(unit.contains("touchline serve --config /etc/touchline.yaml\n"), unit);
        assertTrue(unit.contains("\nStateDirectory=touchline\n"), unit);
        assertTrue(
                blocks("run-as-a-service", "conf").getFirst().startsWith("u touchline -"),
                "makes the unit's user");
    }

    @Test
    void guides_areAllRunHere() throws IOException {
        try (Stream<Path> pages = Files.list(GuideCommands.folderOfAll())) {
            TreeSet<String> names = new TreeSet<>();
            pages.forEach(page -> names.add(page.getFileName().toString()));
            assertEquals(
                    new TreeSet<>(
                            List.of(
                                    "README.md",
                                    "add-a-scoreboard.md",
                                    "back-up-and-restore.md",
                                    "count-viewers.md",
                                    "cut-a-clip.md",
                                    "embed-a-player.md",
                                    "keep-the-programme-on-the-air.md",
                                    "moderate-a-stream.md",
                                    "push-with-gstreamer.md",
                                    "restream-to-other-platforms.md",
                                    "run-the-scoreboard-from-a-phone.md",
                                    "run-as-a-service.md",
                                    "serve-phones-and-televisions.md",
                                    "sign-playback.md",
                                    "use-python-or-typescript.md",
                                    "verify-a-webhook.md")),
                    names);
        }
    }
}
