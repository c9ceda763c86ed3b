package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.egress.RawReceiver;

/** Receivers that do what receivers should not, all at once and in real time, beside a good one. */
class MisbehavingReceiversIT {
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final Duration SLOW = Duration.ofSeconds(14);
    private static final String WEBHOOKS = "/system/v1/webhooks";
    private static final int EVENTS = 20;

    @TempDir private Path folder;

    private final List<RawReceiver> open = new ArrayList<>();
    private final Map<String, String> hooks = new LinkedHashMap<>();
    private final RawReceiver elsewhere = receiver(RawReceiver.status(200));

    @AfterEach
    void close() {
        open.forEach(RawReceiver::close);
    }

    private RawReceiver receiver(RawReceiver.Behaviour behaviour) {
        RawReceiver receiver = new RawReceiver(behaviour);
        open.add(receiver);
        return receiver;
    }

    private RawReceiver hook(TestServer server, String name, RawReceiver.Behaviour behaviour)
            throws Exception {
        RawReceiver receiver = receiver(behaviour);
        String body = "{\"url\": \"" + receiver.url("/" + name) + "\", \"events\": [\"*\"]}";
        hooks.put(name, server.call("POST", WEBHOOKS, body, 200).at("/data/id").asText());
        return receiver;
    }

    private JsonNode log(TestServer server, String name) {
        return data(server, WEBHOOKS + "/" + hooks.get(name) + "/deliveries?limit=100");
    }

    private static JsonNode data(TestServer server, String path) {
        try {
            return server.call("GET", path, "", 200).path("data");
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** The first attempt of the first event, once it is stored. */
    private JsonNode first(TestServer server, String name) throws InterruptedException {
        TestServer.await(
                name + " was tried", SOON, () -> oldest(server, name).path("attempts").size() > 0);
        return oldest(server, name);
    }

    private JsonNode oldest(TestServer server, String name) {
        JsonNode all = log(server, name);
        return all.path(all.size() - 1);
    }

    @Test
    void eachIsHandledAsDocumented_andTheGoodOneNeverWaits() throws Exception {
        try (TestServer server =
                TestServer.start(folder, Map.of("TOUCHLINE_EGRESS_ALLOW", "127.0.0.0/8"))) {
            hookAll(server);
            RawReceiver good = hook(server, "good", RawReceiver.status(200));
            Instant start = Instant.now();
            for (int i = 0; i < EVENTS; i++) {
                server.createStream("{}");
            }
            // And that one of the others has been disabled.
            TestServer.await("all", SOON, () -> good.requests().size() >= EVENTS);
            assertTrue(
                    Duration.between(start, Instant.now()).compareTo(SLOW) < 0,
                    "the good receiver waited for the slow one");

            assertEquals("HTTP 500", error(first(server, "error")));
            JsonNode redirect = first(server, "redirect");
            assertEquals("HTTP 301: redirects are not followed", error(redirect));
            assertEquals(List.of(), elsewhere.requests());
            JsonNode busy = first(server, "busy");
            double pause =
                    busy.path("next_attempt_at").asDouble()
                            - busy.at("/attempts/0/at").asDouble()
                            - busy.at("/attempts/0/duration_ms").asDouble() / 1_000;
            assertTrue(pause > 59.9 && pause < 62, () -> "pause " + pause);
            assertTrue(error(first(server, "broken")).contains("ended in the middle"));
            JsonNode endless = first(server, "endless");
            assertEquals("succeeded", endless.path("status").asText(), endless::toString);
            assertEquals(2_048, endless.at("/attempts/0/response_body").asText().length());
            assertGone(server);
            assertDownAndUp(server);
            TestServer.await(
                    "the slow one",
                    SOON,
                    () -> oldest(server, "slow").path("status").asText().equals("succeeded"));
            JsonNode slow = first(server, "slow");
            assertTrue(slow.at("/attempts/0/duration_ms").asLong() >= SLOW.toMillis());
        }
    }

    private static String error(JsonNode delivery) {
        return delivery.at("/attempts/0/error").asText();
    }

    private void hookAll(TestServer server) throws Exception {
        hook(
                server,
                "slow",
                (request, out) -> {
                    sleep();
                    return RawReceiver.status(200).answer(request, out);
                });
        hook(server, "error", RawReceiver.status(500));
        hook(server, "redirect", RawReceiver.status(301, "Location: " + elsewhere.url("/")));
        hook(server, "gone", RawReceiver.status(410));
        hook(server, "busy", RawReceiver.status(429, "Retry-After: 60"));
        hook(
                server,
                "broken",
                (_, out) -> {
                    RawReceiver.write(out, RawReceiver.head(200, 1_000) + "the beginning");
                    return false;
                });
        hook(
                server,
                "endless",
                (_, out) -> {
                    RawReceiver.write(out, "HTTP/1.1 200 OK\r\n\r\n");
                    while (true) {
                        RawReceiver.write(out, "and on ".repeat(100));
                    }
                });
        hook(server, "down", RawReceiver.status(200)).close();
    }

    /** That is what is tested: a receiver that takes its time. */
    private static void sleep() {
        try {
            Thread.sleep(SLOW);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void assertGone(TestServer server) throws InterruptedException {
        String path = WEBHOOKS + "/" + hooks.get("gone");
        TestServer.await(
                "disabled",
                SOON,
                () -> data(server, path).path("status").asText().equals("disabled"));
        assertEquals("gone", data(server, path).path("disabled_reason").asText());
        assertEquals("failed", first(server, "gone").path("status").asText());
    }

    /** Its first retry finds it back. */
    private void assertDownAndUp(TestServer server) throws Exception {
        assertEquals("cannot connect", error(first(server, "down")));
        RawReceiver back = receiver(RawReceiver.status(200));
        server.call(
                "PATCH",
                WEBHOOKS + "/" + hooks.get("down"),
                "{\"url\": \"" + back.url("/back") + "\"}",
                200);
        TestServer.await("everything that waited", SOON, () -> back.requests().size() >= EVENTS);
        TestServer.await(
                "all of it stored",
                SOON,
                () ->
                        statuses(log(server, "down")).stream()
                                .allMatch(status -> status.equals("succeeded")));
    }

    private static List<String> statuses(JsonNode log) {
        List<String> statuses = new ArrayList<>();
        log.forEach(delivery -> statuses.add(delivery.path("status").asText()));
        return statuses;
    }
}
