package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.app.ColouredPush.Rectangle;
import touchline.api.asset.FolderTree;
import touchline.api.db.TestPostgres;
import touchline.api.storage.FaultyGate;
import touchline.api.storage.S3Store;
import touchline.config.DatabaseConfig;

/** Evidence frames of moderation on two nodes with one bucket, which goes away and comes back. */
@Timeout(540)
final class EvidenceOnAnyNodeIT {
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final int FRAMES = 3;

    private final DatabaseConfig database = TestPostgres.newDatabase();

    @TempDir private Path folder;

    @Test
    void frame_isShownByAnyNode_andOutlivesItsOwn() throws Exception {
        try (S3Store store = S3Store.start();
                FaultyGate gate = new FaultyGate(store.port());
                EventReceiver receiver = new EventReceiver();
                StartedServer a =
                        StartedServer.inProcess(folder.resolve("node-a"), node("node-a", gate))) {
            a.awaitReady();
            gate.refuseAll(503, "SlowDown");
            List<String> links = List.copyOf(recorded(a, receiver).values());
            // Records and webhooks have not waited for S3.
            TestServer.await("frames that wait", SOON, () -> waiting(a) >= FRAMES);
            Map<String, String> frames = new HashMap<>();
            try (StartedServer b =
                    StartedServer.inThisJvm(folder.resolve("node-b"), node("node-b", gate))) {
                for (String link : links) {
                    frames.put(link, image(a, link));
                    assertEquals(frames.get(link), image(b, link));
                }
                assertEquals(List.of(), store.keys());

                gate.acceptAll();
                TestServer.await("the uploads", SOON, () -> waiting(a) == 0);
                assertEquals(links.size(), store.keys().size(), store.keys()::toString);
                a.kill();
                FolderTree.remove(folder.resolve("node-a"));
                assertEquals(frames.get(links.getFirst()), image(b, links.getFirst()));

                gate.refuseAll(503, "SlowDown");
                HttpResponse<String> away = b.view(links.getLast());
                assertEquals(503, away.statusCode(), away::body);
                assertTrue(away.headers().firstValue("Retry-After").isPresent());
                gate.acceptAll();
                for (String link : links) {
                    assertEquals(frames.get(link), image(b, link));
                }
            }
        }
    }

    private Map<String, String> node(String name, FaultyGate gate) {
        Map<String, String> environment = StartedServer.node(name, database, gate.endpoint());
        environment.put("TOUCHLINE_MODERATION_DEMO_MODELS", "true");
        environment.put("TOUCHLINE_MODELS_DIR", folder.resolve("models").toString());
        environment.put("TOUCHLINE_EGRESS_ALLOW", "127.0.0.0/8");
        return environment;
    }

    /** Paths and queries of the frames of some events, by their ids, when the stream has ended. */
    private static Map<String, String> recorded(StartedServer node, EventReceiver receiver)
            throws Exception {
        TestServer.await(
                "the demo models are loaded",
                SOON,
                () -> node.health().contains("\"moderation\":\"up\""));
        node.call("POST", "/system/v1/webhooks", receiver.subscription("audit_check"));
        JsonNode stream =
                node.call(
                        "POST",
                        "/live/v1/live-streams",
                        "{\"reconnect_window\": 0, \"audit_settings\":"
                                + " {\"frame_interval\": 1, \"models\": {\"nude\": 0.5}}}");
        String id = stream.path("id").asText();
        ColouredPush push =
                new ColouredPush()
                        .with(ColouredPush.MAGENTA, new Rectangle(64, 48, 240, 160), 0, 600);
        try (Encoder encoder = push.start(node.push(stream.path("stream_key").asText()))) {
            TestServer.await("events", SOON, () -> receiver.events("audit_check").size() >= FRAMES);
            assertTrue(encoder.isRunning(), encoder::output);
        }
        TestServer.await("the end", SOON, () -> node.status(id).equals("idle"));
        String records = "/audit/v1/records/moderation-records?live_stream_id=" + id;
        Map<String, String> links = new HashMap<>();
        // Frames that were under way at the end add records.
        TestServer.await(
                "an event for each record",
                SOON,
                () -> {
                    for (JsonNode record : node.get(records)) {
                        URI url = URI.create(record.path("url").asText());
                        links.put(
                                record.path("event_id").asText(),
                                url.getPath() + "?" + url.getQuery());
                    }
                    return receiver.events("audit_check").size() == links.size();
                });
        for (JsonNode event : receiver.events("audit_check")) {
            URI url = URI.create(event.at("/data/frame_url").asText());
            links.put(event.path("id").asText(), url.getPath() + "?" + url.getQuery());
        }
        return links;
    }

    private static int waiting(StartedServer node) {
        return node.get("/system/v1/storage").path("waiting_frames").asInt();
    }

    /** One byte per character. */
    private static String image(StartedServer node, String link) {
        HttpResponse<String> reply = node.view(link);
        assertEquals(200, reply.statusCode(), reply::body);
        byte[] start = reply.body().substring(0, 2).getBytes(StandardCharsets.ISO_8859_1);
        assertEquals((byte) 0xFF, start[0]);
        assertEquals((byte) 0xD8, start[1]);
        return reply.body();
    }
}
