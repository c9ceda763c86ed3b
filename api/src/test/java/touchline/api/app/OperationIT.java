package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.logging.LoggedLines;

/** The log, the reload and the host report of a server with a configuration file. */
final class OperationIT {
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final String ENDPOINT =
            "{\"url\":\"http://127.0.0.1:9/events\",\"events\":[\"*\"]}";

    @TempDir private static Path folder;

    private static Path file;
    private static TestServer server;
    private static LoggedLines log;

    @BeforeAll
    static void start() throws Exception {
        file = folder.resolve("touchline.yaml");
        Files.writeString(file, "");
        log = new LoggedLines();
        server =
                TestServer.start(
                        folder.resolve("data"),
                        Map.of(),
                        Start.USUAL.with((_, _, _) -> new PaintedPages()),
                        Optional.of(file));
    }

    @AfterAll
    static void stop() {
        server.close();
        log.close();
    }

    @Test
    void reload_appliesLimitsEgressAndLogLevel_andNamesTheRest() throws Exception {
        server.call("POST", "/system/v1/webhooks", ENDPOINT, 400);
        Files.writeString(
                file,
                """
                rtmp: {max-connections: 1}
                egress: {allow: [127.0.0.0/8]}
                log: {level: debug}
                db: {max-connections: 7}
                """);

        JsonNode report = server.call("POST", "/system/v1/reload", "", 200).path("data");

        assertEquals(
                List.of("egress.allow", "log.level", "rtmp.max-connections"),
                report.path("applied").findValuesAsText("key"));
        assertEquals("[\"db.max-connections\"]", report.path("restart_required").toString());
        server.call("POST", "/system/v1/webhooks", ENDPOINT, 200);
        try (Socket first = publisher();
                Socket second = publisher()) {
            assertTrue(isRefused(second), "the second connection is above the limit");
            assertTrue(first.isConnected());
        }
        TestServer.await(
                "a line of level DEBUG of a call",
                SOON,
                () ->
                        log.lines().stream()
                                .anyMatch(
                                        line ->
                                                line.path("level").asText().equals("DEBUG")
                                                        && !line.path("request_id")
                                                                .asText()
                                                                .isEmpty()));

        Files.writeString(file, "rtmp: {max-connections: 2}\nlog: {level: loud}\n");
        JsonNode refused = server.call("POST", "/system/v1/reload", "", 400);
        assertEquals(40_002, refused.path("code").asInt());
        assertEquals("log.level", refused.at("/errors/0/field").asText());
        try (Socket _ = publisher();
                Socket second = publisher()) {
            assertTrue(isRefused(second), "nothing has changed");
        }

        Files.writeString(file, "");
        JsonNode back = server.call("POST", "/system/v1/reload", "", 200).path("data");
        assertEquals(3, back.path("applied").size(), back.toString());
        server.call("POST", "/system/v1/webhooks", ENDPOINT, 400);
    }

    @Test
    void linesOfASession_haveItsIds_onEveryThread() throws Exception {
        JsonNode stream = server.createStream("{\"record\":true}");
        String id = stream.path("id").asText();
        try (Encoder _ = Encoder.live(server.push(stream.path("stream_key").asText()))) {
            TestServer.await("it is on the air", SOON, () -> server.status(id).equals("active"));
        }
        server.call("PUT", "/live/v1/live-streams/" + id + "/complete", "", 200);
        String session =
                server.call("GET", "/live/v1/live-streams/" + id + "/sessions", "", 200)
                        .at("/data/0/id")
                        .asText();
        TestServer.await(
                "the recorder's line", SOON, () -> lineOf(session, "Recorder").isPresent());

        for (String logger : List.of("RtmpPublisher", "PartPublisher", "Recorder")) {
            JsonNode line =
                    lineOf(session, logger)
                            .orElseThrow(() -> new AssertionError("no line of " + logger));
            assertEquals(id, line.path("stream").asText(), line.toString());
        }
        String key = stream.path("stream_key").asText();
        assertTrue(log.lines().stream().noneMatch(line -> line.toString().contains(key)));
    }

    @Test
    void host_showsDiskEncodersAndVersions() throws Exception {
        TestServer.await(
                "the encoders are tested",
                SOON,
                () -> !host().at("/encoders/selected").asText().isEmpty());

        JsonNode host = host();

        assertTrue(host.at("/disk/size_bytes").asLong() > 0, host.toString());
        assertTrue(host.at("/memory/resident_bytes").asLong() > 0, host.toString());
        assertTrue(host.at("/versions/database").asText().startsWith("H2 "), host.toString());
        assertTrue(!host.at("/versions/ffmpeg").asText().isEmpty(), host.toString());
        assertTrue(host.path("certificate").isNull(), host.toString());
        boolean cards = !host.at("/gpu/cards").isEmpty();
        assertEquals(!cards, !host.at("/gpu/reason").asText().isEmpty(), host.toString());
    }

    private static JsonNode host() {
        try {
            return server.call("GET", "/system/v1/host", "", 200).path("data");
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static Optional<JsonNode> lineOf(String session, String logger) {
        return log.lines().stream()
                .filter(line -> line.path("session").asText().equals(session))
                .filter(line -> line.path("logger").asText().endsWith("." + logger))
                .findFirst();
    }

    private static Socket publisher() throws IOException {
        String address = server.push("x");
        int port = Integer.parseInt(address.replaceFirst(".*:(\\d+)/.*", "$1"));
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(30_000);
        return socket;
    }

    /** The server says nothing before the client does: an end is a refusal. */
    private static boolean isRefused(Socket socket) {
        try {
            return socket.getInputStream().read() < 0;
        } catch (IOException _) {
            return true;
        }
    }
}
