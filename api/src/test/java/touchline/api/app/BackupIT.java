package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.access.SecretException;
import touchline.api.access.TokenForge;

/** The commands backup and restore: a server under load, and servers on what was restored. */
class BackupIT {
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final String ASSETS = "/video-streams/v1/assets";

    @TempDir private Path folder;

    private final HttpClient client = HttpClient.newHttpClient();
    private final CountDownLatch inputOpen = new CountDownLatch(1);
    private HttpServer inputs;

    /** What a command has printed. */
    private record Printed(int code, String out, String err) {
        @Override
        public String toString() {
            return code + "\n" + out + "\n" + err;
        }
    }

    @BeforeEach
    void serveInputs() throws IOException {
        inputs = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        inputs.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        inputs.createContext("/", this::input);
        inputs.start();
    }

    @AfterEach
    void stopInputs() {
        inputOpen.countDown();
        inputs.stop(0);
    }

    /** The input of a transcoding task, which comes when the test wants it. */
    private void input(HttpExchange exchange) throws IOException {
        try (exchange) {
            inputOpen.await();
            Path file =
                    EncodedInputs.get(
                            "mp4",
                            List.of(
                                    "-f lavfi -i testsrc2=s=160x90:r=25:d=1 -c:v libx264 -preset ultrafast"
                                            .split(" ", -1)));
            exchange.sendResponseHeaders(200, Files.size(file));
            try (OutputStream out = exchange.getResponseBody()) {
                Files.copy(file, out);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private TestServer server(String name, Map<String, String> more) throws IOException {
        Map<String, String> environment = new TreeMap<>(more);
        environment.put("TOUCHLINE_EGRESS_ALLOW", "127.0.0.0/8");
        environment.put("TOUCHLINE_STORAGE_FILE_ROOT", folder.resolve("root").toString());
        environment.put("TOUCHLINE_STORAGE_MIN_FREE", "0");
        return TestServer.start(folder.resolve(name), environment);
    }

    private static Printed run(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code =
                Main.commandLine()
                        .setOut(new PrintWriter(out, true))
                        .setErr(new PrintWriter(err, true))
                        .execute(arguments);
        return new Printed(code, out.toString(), err.toString());
    }

    private Printed backup(TestServer server, Path file, String... options) throws IOException {
        Path config = folder.resolve("touchline.yaml");
        Files.writeString(
                config,
                "data-dir: %s\napi:\n  port: %d\nauth:\n  admin-secret: %s\n"
                        .formatted(
                                folder.resolve("first"),
                                server.api("/").getPort(),
                                server.token().substring("admin.".length())));
        String[] all = new String[options.length + 4];
        all[0] = "backup";
        all[1] = file.toString();
        all[2] = "--config";
        all[3] = config.toString();
        System.arraycopy(options, 0, all, 4, options.length);
        return run(all);
    }

    @Test
    void backup_underLoad_isServedByAnotherServer() throws Exception {
        Path whole = folder.resolve("whole.tar");
        Path rows = folder.resolve("rows.tar");
        Kept kept;
        String keys;
        try (TestServer first = server("first", Map.of())) {
            Made made = make(first);
            try (Encoder encoder = Encoder.live(made.push());
                    StreamLoad load = new StreamLoad(first)) {
                kept = awaitLive(first, made);
                load.awaitWrites(20);
                Path acme = Files.createDirectories(folder.resolve("first/acme"));
                Files.writeString(acme.resolve("certificate.pem"), "certificate\n");

                Printed printed = backup(first, whole, "--with-media", "--with-keys");

                assertEquals(0, printed.code(), printed::toString);
                assertTrue(encoder.isRunning(), encoder::output);
                assertEquals("rw-------", mode(whole));
                Printed second = backup(first, rows);
                assertEquals(0, second.code(), second::toString);
                assertTrue(second.out().contains("Keep the master key "), second::toString);
            }
            assertShown(first);
            keys = Files.readString(folder.resolve("first/master-key")).strip();
        }

        restoredWhole(whole, kept);
        restoredWithoutKeys(rows, kept, keys);
    }

    private static String mode(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    /** What the first server has before the encoder pushes again. */
    private record Made(
            String stream,
            String push,
            String asset,
            TokenForge forge,
            String tokenId,
            String token,
            String task) {}

    /**
     * @param playbackIds open and signed, of the finished asset
     * @param growing the asset that was being recorded
     */
    private record Kept(Made made, List<String> playbackIds, String growing, long growingMs) {}

    private Made make(TestServer server) throws Exception {
        JsonNode stream =
                server.createStream(
                        """
                        {"policy": ["public", "signed"], "record": true, "latency_mode": "low",
                         "reconnect_window": 0}
                        """);
        String id = stream.path("id").asText();
        String push = server.push(stream.path("stream_key").asText());
        try (Encoder _ = Encoder.live(push)) {
            TestServer.await("a recording", SOON, () -> seconds(asset(server, true)) > 2);
        }
        TestServer.await("its end", SOON, () -> asset(server, false).isObject());
        JsonNode key = server.call("POST", SignedStream.KEYS, "", 200).path("data");
        JsonNode token =
                server.call(
                                "POST",
                                "/system/v1/access-tokens",
                                "{\"name\": \"kept\", \"scopes\": [\"live:read\"]}",
                                200)
                        .path("data");
        String storage =
                server.call(
                                "POST",
                                "/vodencoding/v1/add_storage",
                                "{\"type\": \"file\", \"bucket\": \"b\", \"notify\": \"%s\"}"
                                        .formatted(inputs("/done")),
                                200)
                        .at("/data/storage_id")
                        .asText();
        String task =
                server.call(
                                "POST",
                                "/vodencoding/v1/tasks",
                                "{\"storage_id\": \"%s\", \"input\": \"%s\", \"outputs\": [{\"format\": \"mp4\"}]}"
                                        .formatted(storage, inputs("/in.mp4")),
                                202)
                        .at("/data/tasks/0/task_id")
                        .asText();
        return new Made(
                id,
                push,
                asset(server, false).path("asset_id").asText(),
                TokenForge.of(key.path("id").asText(), key.path("private_key").asText()),
                token.path("id").asText(),
                token.path("token").asText(),
                task);
    }

    private URI inputs(String path) {
        return URI.create("http://127.0.0.1:" + inputs.getAddress().getPort() + path);
    }

    private static Kept awaitLive(TestServer server, Made made) throws Exception {
        TestServer.await("a second recording", SOON, () -> seconds(asset(server, true)) > 3);
        JsonNode growing = asset(server, true);
        JsonNode finished = asset(server, false);
        return new Kept(
                made,
                List.of(
                        finished.at("/playback_ids/0/id").asText(),
                        finished.at("/playback_ids/1/id").asText()),
                growing.path("asset_id").asText(),
                Math.round(1_000 * seconds(growing)));
    }

    /** The asset that is being recorded, or the one that is finished. */
    private static JsonNode asset(TestServer server, boolean live) {
        try {
            for (JsonNode asset : server.call("GET", ASSETS, "", 200).path("data")) {
                if (asset.path("is_live").asBoolean() == live
                        && asset.path("status").asText().equals("ready")) {
                    return asset;
                }
            }
            return MissingNode.getInstance();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static double seconds(JsonNode asset) {
        return asset.path("duration").asDouble();
    }

    /** Metrics and the API know the last one. */
    private static void assertShown(TestServer server) throws Exception {
        JsonNode shown = server.call("GET", BackupCommand.PATH, "", 200).path("data");
        assertFalse(shown.path("running").asBoolean());
        assertTrue(shown.at("/last/size_bytes").asLong() > 1_000, shown::toString);
        String metrics = server.get(server.api("/observe/metrics")).body();
        assertTrue(metrics.contains("touchline_backups_total{result=\"succeeded\"} 2"), metrics);
        assertTrue(
                metrics.lines()
                        .anyMatch(
                                line ->
                                        line.startsWith(
                                                "touchline_backup_last_timestamp_seconds 1.")),
                metrics);
    }

    private void restoredWhole(Path archive, Kept kept) throws Exception {
        Path data = folder.resolve("second");
        Printed printed = run("restore", archive.toString(), "--data-dir", data.toString());
        assertEquals(0, printed.code(), printed::toString);
        assertFalse(printed.out().contains("no files"), printed::toString);
        assertFalse(printed.out().contains("master key"), printed::toString);
        Path certificate = data.resolve("acme/certificate.pem");
        assertEquals("certificate\n", Files.readString(certificate));
        assertEquals("rw-------", mode(certificate));
        Printed again = run("restore", archive.toString(), "--data-dir", data.toString());
        assertEquals(1, again.code(), again::toString);
        assertTrue(again.err().contains(data + " is not empty"), again::toString);

        try (TestServer second = server("second", Map.of())) {
            String signed = kept.playbackIds().get(1);
            String token = kept.made().forge().good(signed, SignedStream.now() + 600);
            assertPlays(second, second.playback(kept.playbackIds().getFirst() + ".m3u8"));
            assertPlays(second, second.playback(signed + ".m3u8?token=" + token));
            assertEquals(403, second.get(second.playback(signed + ".m3u8")).statusCode());
            assertRecovered(second, kept);
            HttpResponse<String> reply =
                    client.send(
                            HttpRequest.newBuilder(
                                            second.api(
                                                    "/live/v1/live-streams/"
                                                            + kept.made().stream()))
                                    .header("Authorization", "Bearer " + kept.made().token())
                                    .build(),
                            BodyHandlers.ofString());
            assertEquals(200, reply.statusCode(), reply.body());
            inputOpen.countDown();
            TestServer.await("the job", SOON, () -> state(second, kept).equals("succeeded"));
            String key = second.stream(kept.made().stream()).path("stream_key").asText();
            try (Encoder _ = Encoder.live(second.push(key))) {
                TestServer.await(
                        "live again",
                        SOON,
                        () -> second.status(kept.made().stream()).equals("active"));
            }
        }
    }

    /** Every segment is there, and ffmpeg decodes all of it. */
    private static void assertPlays(TestServer server, URI multivariant) throws Exception {
        assertEquals(200, server.get(multivariant).statusCode());
        try (Encoder player =
                Encoder.run(
                        ("ffmpeg -v error -xerror -i " + multivariant + " -f null -")
                                .split(" ", -1))) {
            assertEquals(0, player.await(SOON), player::output);
            assertEquals("", player.output());
        }
    }

    /** The recording that was growing is as after a crash: whole, and no shorter than it was. */
    private static void assertRecovered(TestServer server, Kept kept) throws Exception {
        TestServer.await(
                "recovery", SOON, () -> !recovered(server, kept).path("is_live").asBoolean());
        JsonNode asset = recovered(server, kept);
        assertEquals("ready", asset.path("status").asText(), asset::toString);
        assertTrue(1_000 * seconds(asset) >= kept.growingMs(), asset::toString);
        assertPlays(server, server.playback(asset.at("/playback_ids/0/id").asText() + ".m3u8"));
    }

    private static JsonNode recovered(TestServer server, Kept kept) {
        try {
            return server.call("GET", ASSETS + "/" + kept.growing(), "", 200).path("data");
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static String state(TestServer server, Kept kept) {
        try {
            return server.call("GET", "/vodencoding/v1/tasks/" + kept.made().task(), "", 200)
                    .at("/data/status")
                    .asText();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private void restoredWithoutKeys(Path archive, Kept kept, String keys) throws Exception {
        Path data = folder.resolve("third");
        Printed printed = run("restore", archive.toString(), "--data-dir", data.toString());
        assertEquals(0, printed.code(), printed::toString);
        assertTrue(
                printed.out().contains("2 of 2 assets have no files in this backup"),
                printed::toString);
        String expected =
                printed.out().replaceAll("(?s).*The master key ([0-9a-f]{8}) is not in.*", "$1");
        assertEquals(8, expected.length(), printed::toString);

        String message =
                assertThrows(SecretException.class, () -> server("third", Map.of()).close())
                        .getMessage();
        assertTrue(String.valueOf(message).contains("master key " + expected), message);

        try (TestServer third = server("third", Map.of("TOUCHLINE_MASTER_KEY", keys))) {
            assertFalse(third.stream(kept.made().stream()).path("stream_key").asText().isEmpty());
            TestServer.await(
                    "missing files are found",
                    SOON,
                    () ->
                            error(third, kept.made().asset()).equals("files_missing")
                                    && error(third, kept.growing()).equals("files_missing"));
        }
    }

    private static String error(TestServer server, String asset) {
        try {
            return server.call("GET", ASSETS + "/" + asset, "", 200)
                    .at("/data/errors/0/type")
                    .asText();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
