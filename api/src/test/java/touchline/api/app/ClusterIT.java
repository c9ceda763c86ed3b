package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.db.TestPostgres;
import touchline.config.DatabaseConfig;

/** Servers in processes of their own, on one PostgreSQL. */
@Timeout(480)
final class ClusterIT {
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final String STREAMS = "/live/v1/live-streams";
    private static final String OVERLAY =
            "{\"type\":\"html\",\"url\":\"https://a.example/\",\"overlay_settings\":{\"width\":\"50%\"}}";

    private static final String WATCHED =
            "{\"record\":true,\"reconnect_window\":120,\"signal_watch\":true}";
    private static final ObjectMapper JSON = new ObjectMapper();

    private final DatabaseConfig database = TestPostgres.newDatabase();

    @TempDir private Path folder;

    private StartedServer server(String name) throws Exception {
        return StartedServer.inProcess(folder.resolve(name), StartedServer.on(database));
    }

    private StartedServer node(String name, String... more) throws Exception {
        return StartedServer.inProcess(folder.resolve(name), environment(name, more));
    }

    private Map<String, String> environment(String name, String... more) {
        Map<String, String> environment = StartedServer.node(name, database);
        environment.put("TOUCHLINE_CLUSTER_LEASE", "8s");
        environment.put("TOUCHLINE_CLUSTER_HEARTBEAT", "1s");
        for (int i = 0; i < more.length; i += 2) {
            environment.put(more[i], more[i + 1]);
        }
        return environment;
    }

    private static void assertRefused(StartedServer started, String reason) throws Exception {
        try (started) {
            assertEquals(2, started.awaitExit(), started::output);
            assertTrue(started.output().contains(reason), started::output);
        }
    }

    /** Without {@code cluster.enabled}: one server at a time, in whatever way it ends. */
    @Test
    void secondServer_isRefusedWithCode2_andStartsOnceTheFirstHasEnded() throws Exception {
        try (StartedServer first = server("a").awaitReady()) {
            assertRefused(server("b"), "in use by the server");
            assertRefused(node("c"), "in use by the server");
            first.kill();
            try (StartedServer second =
                    StartedServer.inThisJvm(folder.resolve("b"), StartedServer.on(database))) {
                second.stop();
                first.restartInThisJvm();
            }
        }
    }

    @Test
    void nodes_leaveEachOthersStreamsAlone_andGoOnWithThoseOfDeadOnes() throws Exception {
        try (StartedServer a = node("node-a");
                StartedServer b =
                        StartedServer.inThisJvm(folder.resolve("node-b"), environment("node-b"))) {
            JsonNode stream = a.awaitReady().call("POST", STREAMS, WATCHED);
            String id = stream.path("id").asText();
            String key = stream.path("stream_key").asText();
            String session;
            try (Encoder atA = Encoder.live(a.push(key))) {
                TestServer.await("active", SOON, () -> a.status(id).equals("active"));
                session = active(a, id);
                assertNodes(a, "up", "up");
                assertOthersAreKeptOut();
                TestServer.await("shown by b", SOON, () -> streamsAt(b, 0) == 1);
                assertAnsweredByEither(b, id, session);
                assertServedByBoth(a, b, stream.at("/playback_ids/0/id").asText());
                TestServer.await("recorded", SOON, () -> assets(a, "ready", true) == 1);
                try (Encoder atB = Encoder.live(b.push(key))) {
                    atB.await(SOON);
                }
                TestServer.await("shown by b", SOON, () -> streamsAt(b, 0) == 1);
                assertTrue(atA.isRunning(), atA::output);
                assertTrue(end(b, session).isNull(), () -> end(b, session).toString());
                a.kill();
                TestServer.await("the encoder ends", SOON, () -> !atA.isRunning());
            }
            try (Encoder atB = pushed(b, key)) {
                assertGoesOn(a, b, id, session);
                // A change at a reaches the session at b.
                String address = "/" + stream.at("/playback_ids/0/id").asText() + ".m3u8";
                TestServer.await("shown at a", SOON, () -> a.view(address).statusCode() == 200);
                a.call("PUT", STREAMS + "/" + id + "/disable", "");
                assertEquals(404, a.view(address).statusCode());
                // Its nudge may be late; then b asks by itself.
                TestServer.await("gone at b", SOON, () -> b.view(address).statusCode() == 404);
                TestServer.await("cut", SOON, () -> !atB.isRunning());
            }
            TestServer.await("ended", SOON, () -> b.status(id).equals("disable"));
            b.call("PUT", STREAMS + "/" + id + "/enable", "");
            assertGoesOnAfterAStopAndADrain(a, b, id, key);
        }
    }

    /** Node b knows the session of node a from its row, and asks node a about it. */
    private static void assertAnsweredByEither(StartedServer b, String id, String session)
            throws Exception {
        assertEquals("active", b.status(id));
        JsonNode listed = b.get(STREAMS + "?status=active");
        assertEquals(session, listed.path(0).path("active_session_id").asText());
        TestServer.await(
                "measured",
                SOON,
                () -> b.get("/live/v1/sessions/" + session).path("video_bitrate").asInt() > 0);
        TestServer.await(
                "its signal",
                SOON,
                () ->
                        b.get("/live/v1/signals")
                                .path(0)
                                .path("session_id")
                                .asText()
                                .equals(session));
        b.call("PATCH", STREAMS + "/" + id, "{\"signal_watch\":false}");
        assertTrue(
                b.refusal("PUT", STREAMS + "/" + id + "/generated-watermark", OVERLAY)
                        .contains("40901"));
    }

    /** Viewers of b get what a has. */
    private static void assertServedByBoth(StartedServer a, StartedServer b, String playbackId)
            throws Exception {
        String address = "/" + playbackId + ".m3u8";
        TestServer.await("shown at b", SOON, () -> b.view(address).statusCode() == 200);
        // Bit rates change with each segment.
        assertEquals(
                a.view(address).body().lines().toList().getLast(),
                b.view(address).body().lines().toList().getLast());
        String media = b.mediaPlaylist(address);
        String playlist = b.view(media).body();
        String folder = media.substring(0, media.lastIndexOf('/') + 1);
        String segment =
                folder + playlist.lines().filter(it -> !it.startsWith("#")).toList().getFirst();
        HttpResponse<String> atA = a.view(segment);
        HttpResponse<String> atB = b.view(segment);
        assertEquals(200, atA.statusCode());
        assertEquals(atA.body(), atB.body());
        assertEquals(atA.headers().firstValue("etag"), atB.headers().firstValue("etag"));
        assertEquals(404, b.view("/unknown.m3u8").statusCode());
        assertWatchedAtBoth(a, b, "/" + playbackId + "/watch.json");
    }

    /** An open page at b has the state of a's session. */
    private static void assertWatchedAtBoth(StartedServer a, StartedServer b, String address)
            throws Exception {
        JsonNode atA = JSON.readTree(a.view(address).body());
        JsonNode atB = JSON.readTree(b.view(address).body());
        assertEquals("live", atB.path("state").asText(), atB::toString);
        for (String field : List.of("session_id", "media_start", "dvr", "title")) {
            assertEquals(atA.path(field), atB.path(field), field);
        }
        assertTrue(atB.path("position").asDouble() > 0, atB::toString);
        String id = address.substring(0, address.lastIndexOf('/'));
        for (String path : List.of("", "/embed", "/oembed.json", "/thumbnail.jpg")) {
            // A busy server answers 503 for a thumbnail.
            TestServer.await(path, SOON, () -> b.view(id + path).statusCode() == 200);
        }
        assertEquals(
                a.view(id + "/chapters.vtt").statusCode(),
                b.view(id + "/chapters.vtt").statusCode());
    }

    private void assertOthersAreKeptOut() throws Exception {
        StartedServer alone = server("alone");
        StartedServer stranger = node("node-c", "TOUCHLINE_ADMIN_SECRET", "another-secret-0123");
        StartedServer twin = node("other", "TOUCHLINE_CLUSTER_NODE", "node-b");
        assertRefused(alone, "in use by the server node node-");
        assertRefused(stranger, "auth.admin-secret: not that of node node-");
        assertRefused(twin, "in use by the server node node-b");
    }

    /** Node a was killed while the stream was live there, and its encoder is at b now. */
    private static void assertGoesOn(StartedServer a, StartedServer b, String id, String session)
            throws Exception {
        TestServer.await("active at b", SOON, () -> b.status(id).equals("active"));
        assertEquals(session, active(b, id));
        assertTrue(end(b, session).isNull());
        TestServer.await(
                "connected at b",
                SOON,
                () ->
                        connections(b, id)
                                .equals(
                                        List.of(
                                                "live_stream.connected",
                                                "live_stream.disconnected",
                                                "live_stream.active",
                                                "live_stream.connected")));
        a.restartInThisJvm();
        assertNodes(a, "up", "up");
        // The recording is finished where its files are, and b's is not touched.
        TestServer.await("finished", SOON, () -> ready(a) >= 1);
        assertEquals(0, errored(a));
        assertEquals(session, active(b, id));
    }

    /** A planned stop leaves a session open, and the next start of the node continues it. */
    private static void assertGoesOnAfterAStopAndADrain(
            StartedServer a, StartedServer b, String id, String key) throws Exception {
        String session;
        try (Encoder before = Encoder.live(b.push(key))) {
            TestServer.await("active at b", SOON, () -> b.status(id).equals("active"));
            session = active(b, id);
            TestServer.await("recorded", SOON, () -> assets(b, "ready", true) == 1);
            b.stop();
            before.await(SOON);
        }
        b.restartInThisJvm();
        assertEquals("active", b.status(id));
        try (Encoder after = Encoder.live(b.push(key))) {
            TestServer.await("accepted", SOON, () -> after.output().contains("time="));
            assertEquals(session, active(b, id));
            drainInTheConsole(a);
            after.await(SOON);
        }
        try (Encoder atA = pushed(a, key)) {
            TestServer.await("active at a", SOON, () -> a.status(id).equals("active"));
            assertEquals(session, active(a, id));
            assertTrue(end(a, session).isNull());
            assertTrue(atA.isRunning(), atA::output);
        }
    }

    /** The page of nodes says what they are, at both sizes, and lets node b give its streams up. */
    private static void drainInTheConsole(StartedServer server) throws Exception {
        try (TestBrowser browser = TestBrowser.start()) {
            browser.signIn(server.api("/"), StartedServer.token());
            browser.await("!document.querySelector('#nodes-link').hidden", SOON);
            browser.click("#nodes-link");
            browser.await("document.querySelectorAll('main tbody tr').length === 2", SOON);
            browser.await(
                    "document.querySelector('main tbody tr:last-child').cells[3].textContent === '1'",
                    SOON);
            String cells = cells(browser, "node-b");
            assertTrue(cells.startsWith("Node: node-b\nState: Up\n"), cells);
            assertTrue(cells.contains("Roles: origin, edge, jobs\n"), cells);
            assertTrue(cells.matches("(?s).*Lease left: [0-8][.]\\d s\n.*"), cells);
            assertTrue(cells.matches("(?s).*Heartbeat late: \\d+ ms\n.*"), cells);
            assertTrue(cells.matches("(?s).*Clock: [+-]?\\d+\\hms\n.*"), cells);
            for (int width : List.of(390, 1280)) {
                browser.viewport(width, 860);
                browser.colourScheme(width == 390 ? "light" : "dark");
                assertEquals(List.of(), browser.findings());
                browser.save("page-" + width + "-nodes.png");
            }
            browser.click("[aria-label='Drain node-b']");
            assertEquals(List.of(), browser.findings());
            browser.click("dialog[open] button.danger");
            browser.await("document.querySelector('main .badge.draining')", SOON);
            assertTrue(
                    browser.evaluate("!document.querySelector('[aria-label=\"Drain node-b\"]')")
                            .asBoolean());
        }
    }

    /** What the row of a node shows, one line for each column. */
    private static String cells(TestBrowser browser, String node) throws InterruptedException {
        return browser.evaluate(
                        """
                        [...[...document.querySelectorAll('main tbody tr')]
                          .find(row => row.querySelector('.name').textContent === '%s').cells]
                          .map(cell => `${cell.dataset.label}: ${cell.textContent}`).join('\\n')"""
                                .formatted(node))
                .asText();
    }

    private static String active(StartedServer asked, String id) {
        return asked.get(STREAMS + "/" + id).path("active_session_id").asText();
    }

    /** What events say of connections, newest first. */
    private static List<String> connections(StartedServer asked, String id) {
        List<String> types = new ArrayList<>();
        for (JsonNode each : asked.get("/system/v1/events?live_stream_id=" + id)) {
            types.add(each.path("type").asText());
        }
        types.removeIf(type -> !type.matches("live_stream[.](active|connected|disconnected|idle)"));
        return types;
    }

    /** The encoder tries again, as encoders do, until the lease of the dead node is over. */
    private static Encoder pushed(StartedServer server, String key) throws Exception {
        return Encoder.untilLetIn(SOON, () -> Encoder.live(server.push(key)), _ -> {});
    }

    private static JsonNode end(StartedServer server, String session) {
        return server.get("/live/v1/sessions/" + session).path("end_reason");
    }

    private static int streamsAt(StartedServer asked, int node) {
        return asked.get("/system/v1/nodes").path(node).path("streams").asInt();
    }

    private static void assertNodes(StartedServer asked, String stateOfA, String stateOfB) {
        JsonNode nodes = asked.get("/system/v1/nodes");
        assertEquals(2, nodes.size(), nodes::toString);
        assertEquals("node-a", nodes.path(0).path("id").asText());
        assertEquals(stateOfA, nodes.path(0).path("state").asText(), nodes::toString);
        assertEquals(stateOfB, nodes.path(1).path("state").asText(), nodes::toString);
    }

    private static long ready(StartedServer asked) {
        return assets(asked, "ready", false);
    }

    private static long errored(StartedServer asked) {
        return assets(asked, "errored", false);
    }

    private static long assets(StartedServer asked, String status, boolean live) {
        long count = 0;
        for (JsonNode asset : asked.get("/video-streams/v1/assets")) {
            boolean isLive = asset.path("is_live").asBoolean();
            if (asset.path("status").asText().equals(status) && isLive == live) {
                count++;
            }
        }
        return count;
    }
}
