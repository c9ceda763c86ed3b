package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.standardwebhooks.Webhook;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.egress.RawReceiver;
import touchline.api.http.EventSchemaCheck;

/** A whole server sends events to a receiver, from an encoder's first byte to a deletion. */
class EventsIT {
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final Map<String, String> LOOPBACK =
            Map.of("TOUCHLINE_EGRESS_ALLOW", "127.0.0.0/8");
    private static final String WEBHOOKS = "/system/v1/webhooks";
    private static final String STREAMS = "/live/v1/live-streams/";

    @TempDir private Path folder;

    private final RawReceiver receiver = new RawReceiver(RawReceiver.status(200));
    private final ObjectMapper mapper = new ObjectMapper();

    @AfterEach
    void close() {
        receiver.close();
    }

    private JsonNode webhook(TestServer server, String url) throws Exception {
        return server.call("POST", WEBHOOKS, "{\"url\": \"" + url + "\", \"events\": [\"*\"]}", 200)
                .path("data");
    }

    private List<String> types() {
        List<String> types = new ArrayList<>();
        receiver.requests().forEach(request -> types.add(body(request).path("type").asText()));
        return types;
    }

    private JsonNode body(RawReceiver.Request request) {
        try {
            return mapper.readTree(request.body());
        } catch (IOException e) {
            throw new AssertionError(request.body(), e);
        }
    }

    private void await(String type, long count) throws InterruptedException {
        TestServer.await(
                count + " of " + type,
                SOON,
                () -> types().stream().filter(type::equals).count() >= count);
    }

    @Test
    void lifeOfAStream_isSentInOrder_signed_byItsSchemas() throws Exception {
        try (TestServer server = TestServer.start(folder, LOOPBACK)) {
            String secret =
                    webhook(server, receiver.url("/hook").toString()).path("secret").asText();
            JsonNode stream = server.createStream("{\"record\": true, \"reconnect_window\": 20}");
            String id = stream.path("id").asText();
            String key = stream.path("stream_key").asText();
            Encoder first = Encoder.live(server.push(key));
            try (first) {
                await("asset.ready", 1);
                first.kill();
            }
            await("live_stream.disconnected", 1);
            try (Encoder second = Encoder.live(server.push(key))) {
                await("live_stream.connected", 2);
                assertTrue(second.isRunning());
                server.call("PUT", STREAMS + id + "/complete", "", 200);
                await("live_stream.idle", 1);
            }
            await("asset.ready", 2);
            server.call("DELETE", STREAMS + id, "", 200);
            await("live_stream.deleted", 1);

            assertSequence(id);
            assertContents(secret, key);
            JsonNode log = server.call("GET", "/system/v1/events?live_stream_id=" + id, "", 200);
            assertEquals(body(receiver.requests().getLast()), log.at("/data/0"));
        }
    }

    private void assertSequence(String stream) {
        List<String> types = new ArrayList<>(types());
        types.removeIf("live_stream.warning"::equals);
        int assetReady = types.lastIndexOf("asset.ready");
        // The recording's end is stored beside the session's.
        types.remove(assetReady);
        assertEquals(
                List.of(
                        "live_stream.created",
                        "live_stream.connected",
                        "live_stream.active",
                        "asset.created",
                        "asset.ready",
                        "live_stream.disconnected",
                        "live_stream.connected",
                        "live_stream.disconnected",
                        "live_stream.idle",
                        "live_stream.deleted"),
                types);
        long seq = 0;
        for (RawReceiver.Request request : receiver.requests()) {
            assertEquals(++seq, body(request).at("/data/seq").longValue());
            assertEquals(stream, body(request).at("/data/live_stream_id").textValue());
        }
    }

    private void assertContents(String secret, String key) throws Exception {
        EventSchemaCheck schemas = EventSchemaCheck.SHARED;
        for (RawReceiver.Request request : receiver.requests()) {
            schemas.check(request.body());
            assertFalse(request.body().contains(key));
            new Webhook(secret)
                    .verify(
                            request.body(),
                            Map.of(
                                    "webhook-id", List.of(request.header("webhook-id")),
                                    "webhook-timestamp",
                                            List.of(request.header("webhook-timestamp")),
                                    "webhook-signature",
                                            List.of(request.header("webhook-signature"))));
        }
        for (RawReceiver.Request request : receiver.requests()) {
            JsonNode live = body(request).at("/data/live_stream");
            switch (body(request).path("type").asText()) {
                case "live_stream.connected", "live_stream.active" -> {
                    assertEquals("active", live.path("status").asText());
                    assertTrue(live.path("active_session_id").isTextual());
                }
                case "live_stream.idle" -> {
                    assertEquals("idle", live.path("status").asText());
                    assertTrue(live.path("active_session_id").isNull());
                }
                default -> {}
            }
        }
        List<JsonNode> ready =
                receiver.requests().stream()
                        .map(this::body)
                        .filter(event -> event.path("type").asText().equals("asset.ready"))
                        .map(event -> event.at("/data/asset"))
                        .toList();
        assertTrue(ready.getFirst().path("is_live").asBoolean());
        assertFalse(ready.getLast().path("is_live").asBoolean());
        assertTrue(ready.getLast().path("duration").asDouble() > 0);
    }

    @Test
    void disabledWhileActive_andShutDown_areSent() throws Exception {
        try (TestServer server = TestServer.start(folder, LOOPBACK)) {
            webhook(server, receiver.url("/hook").toString());
            JsonNode stream = server.createStream("{}");
            String id = stream.path("id").asText();
            String address = server.push(stream.path("stream_key").asText());
            try (Encoder encoder = Encoder.live(address)) {
                await("live_stream.active", 1);
                assertTrue(encoder.isRunning());
                server.call("PUT", STREAMS + id + "/disable", "", 200);
                await("live_stream.disconnected", 1);
            }
            server.call("PUT", STREAMS + id + "/enable", "", 200);
            try (Encoder encoder = Encoder.live(address)) {
                await("live_stream.active", 2);
                assertTrue(encoder.isRunning());
                server.restart();
            }
            // The session waits for its encoder.
            try (Encoder _ = Encoder.live(address)) {
                await("live_stream.connected", 3);
                server.call("PUT", STREAMS + id + "/complete", "", 200);
            }
            await("live_stream.idle", 1);

            List<String> types = new ArrayList<>(types());
            types.removeIf("live_stream.warning"::equals);
            assertEquals(
                    List.of(
                            "live_stream.created",
                            "live_stream.connected",
                            "live_stream.active",
                            "live_stream.disabled",
                            "live_stream.disconnected",
                            "live_stream.enabled",
                            "live_stream.connected",
                            "live_stream.active",
                            "live_stream.disconnected",
                            "live_stream.connected",
                            "live_stream.disconnected",
                            "live_stream.idle"),
                    types);
        }
    }

    @Test
    void receiverThatFailsOnce_getsItAgainAfterFiveSeconds_andOnRequest() throws Exception {
        AtomicInteger attempts = new AtomicInteger();
        receiver.behave(
                (request, out) ->
                        RawReceiver.status(attempts.getAndIncrement() == 0 ? 500 : 204)
                                .answer(request, out));
        try (TestServer server = TestServer.start(folder, LOOPBACK)) {
            String hook = webhook(server, receiver.url("/h?x=1").toString()).path("id").asText();
            long startNs = System.nanoTime();
            JsonNode delivery =
                    server.call("POST", WEBHOOKS + "/" + hook + "/test", "", 200).path("data");
            assertEquals("webhook.test", delivery.path("type").asText());

            TestServer.await("the retry", SOON, () -> receiver.requests().size() == 2);
            Duration pause = Duration.ofNanos(System.nanoTime() - startNs);
            assertTrue(pause.compareTo(Duration.ofSeconds(5)) >= 0, pause::toString);

            String log = WEBHOOKS + "/" + hook + "/deliveries";
            TestServer.await(
                    "stored", SOON, () -> deliveries(server, log, "succeeded").size() == 1);
            JsonNode done = deliveries(server, log, "succeeded").path(0);
            assertEquals(delivery.path("id"), done.path("id"));
            assertEquals(
                    receiver.requests().getFirst().header("webhook-id"),
                    done.path("event_id").asText());
            assertEquals("HTTP 500", done.at("/attempts/0/error").asText());
            assertEquals(204, done.at("/attempts/1/http_status").asInt());
            assertTrue(
                    done.at("/attempts/1/request_head")
                            .asText()
                            .startsWith("POST /h?... HTTP/1.1"));

            server.call("POST", log + "/" + done.path("id").asText() + "/replay", "", 200);
            TestServer.await("the replay", SOON, () -> receiver.requests().size() == 3);
            assertEquals(
                    receiver.requests().getFirst().body(), receiver.requests().getLast().body());
        }
    }

    private static JsonNode deliveries(TestServer server, String log, String status) {
        try {
            return server.call("GET", log + "?status=" + status, "", 200).path("data");
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void serverSentEvents_comeAsTheyHappen() throws Exception {
        try (TestServer server = TestServer.start(folder, LOOPBACK);
                HttpClient client = HttpClient.newHttpClient()) {
            server.createStream("{}");
            String known =
                    server.call("GET", "/system/v1/events", "", 200).at("/data/0/id").asText();
            String missed = server.createStream("{}").path("id").asText();
            HttpRequest request =
                    HttpRequest.newBuilder(server.api("/system/v1/events/stream?after=" + known))
                            .header("Authorization", "Bearer " + server.token())
                            .build();
            var reply = client.send(request, BodyHandlers.ofInputStream());
            assertEquals(
                    "text/event-stream", reply.headers().firstValue("Content-Type").orElseThrow());
            try (BufferedReader lines =
                    new BufferedReader(
                            new InputStreamReader(reply.body(), StandardCharsets.UTF_8))) {
                assertEquals(missed, next(lines).at("/data/live_stream_id").asText());
                String made = server.createStream("{}").path("id").asText();
                assertEquals(made, next(lines).at("/data/live_stream_id").asText());
                assertRevokedTokenEndsItsStream(server, client);
                server.restart();
                awaitEnd(lines);
            }
        }
    }

    private static void assertRevokedTokenEndsItsStream(TestServer server, HttpClient client)
            throws Exception {
        JsonNode token =
                server.call(
                                "POST",
                                "/system/v1/access-tokens",
                                "{\"name\": \"console\", \"scopes\": [\"system\"]}",
                                200)
                        .path("data");
        String id = token.path("id").asText();
        HttpRequest request =
                HttpRequest.newBuilder(server.api("/system/v1/events/stream"))
                        .header("Authorization", "Bearer " + token.path("token").asText())
                        .build();
        var reply = client.send(request, BodyHandlers.ofInputStream());
        assertEquals(200, reply.statusCode());

        server.call("DELETE", "/system/v1/access-tokens/" + id, "", 200);

        // Without the check it goes on for an hour.
        String rest =
                CompletableFuture.supplyAsync(() -> text(reply.body()))
                        .get(SOON.toSeconds(), TimeUnit.SECONDS);
        assertTrue(rest.contains(": the token is revoked or expired"), rest);
    }

    private static String text(InputStream body) {
        try (body) {
            return new String(body.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A server that stops ends the answer, or its connection with it. */
    private static void awaitEnd(BufferedReader lines) {
        try {
            while (lines.readLine() != null) {
                // The pending events.
            }
        } catch (IOException e) {
            assertTrue(e.toString().contains("closed"), e::toString);
        }
    }

    private JsonNode next(BufferedReader lines) throws Exception {
        while (true) {
            String line = lines.readLine();
            assertTrue(line != null, "the stream ended");
            if (line.startsWith("data: ")) {
                return mapper.readTree(line.substring(6));
            }
        }
    }

    @Test
    void diskNearlyFull_isReported() throws Exception {
        Map<String, String> full =
                Map.of(
                        "TOUCHLINE_STORAGE_MIN_FREE", "1PiB",
                        "TOUCHLINE_EGRESS_ALLOW", "127.0.0.0/8");
        try (TestServer server = TestServer.start(folder, full)) {
            TestServer.await(
                    "storage.low_space",
                    SOON,
                    () -> {
                        try {
                            return server.call(
                                                    "GET",
                                                    "/system/v1/events?type=storage.low_space",
                                                    "",
                                                    200)
                                            .path("total")
                                            .asInt()
                                    == 1;
                        } catch (Exception e) {
                            throw new AssertionError(e);
                        }
                    });
        }
    }
}
