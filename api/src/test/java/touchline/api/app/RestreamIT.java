package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.media.AccessUnit;
import touchline.testing.SyntheticStream;

/** Restreams of a whole server: to a target that takes everything, beside targets that do not. */
class RestreamIT {
    private static final Duration SOON = Duration.ofMinutes(3);

    private static final int HANDSHAKE_BYTES = 1_536;

    /** S0, S1, S2, and the answers to connect, createStream and publish. */
    private static final byte[] ACCEPTING = accepting();

    @TempDir private Path folder;

    @Test
    void badTargets_doNotTouchTheGoodOne_whichGetsEveryFrame() throws Exception {
        SyntheticStream media = SyntheticStream.standard().seconds(5);
        try (TestServer server =
                        TestServer.start(folder, Map.of("TOUCHLINE_EGRESS_ALLOW", "127.0.0.0/8"));
                RestreamTarget target = new RestreamTarget();
                ServerSocket slow = listener();
                ServerSocket resetting = listener();
                EventReceiver events = new EventReceiver()) {
            events.register(server, "restream.live", "restream.failed");
            JsonNode stream = server.createStream("{\"reconnect_window\": 10}");
            String all = "/live/v1/live-streams/" + stream.path("id").asText() + "/restreams";
            String good = create(server, all, target.url(), RestreamTarget.KEY);
            String refused = create(server, all, target.url(), "a-wrong-key-of-a-stream");
            String stopped = create(server, all, "rtmp://127.0.0.1:" + unusedPort(), "any-key");
            String late = create(server, all, url(slow), "any-key");
            String reset = create(server, all, url(resetting), "any-key");
            serve(slow, RestreamIT::slowly);
            serve(resetting, RestreamIT::reset);
            try (SyntheticPush push =
                    new SyntheticPush(server.push(stream.path("stream_key").asText()), media)) {
                push.sendUntil(1);
                TestServer.await("live", SOON, () -> state(server, all, good).equals("live"));
                push.sendUntil(5, 2);
                JsonNode shown = restream(server, all, good);
                assertTrue(shown.path("bitrate").asLong() > 1_000_000, shown::toString);
                awaitFailed(server, all, refused, "BadName");
                awaitFailed(server, all, stopped, "refuses the");
                awaitFailed(server, all, reset, "");
                TestServer.await("live", SOON, () -> state(server, all, late).equals("live"));
                push.finish();
            }
            // The encoder reconnects: the target sees the same publish go on.
            try (SyntheticPush push =
                    new SyntheticPush(server.push(stream.path("stream_key").asText()), media)) {
                push.sendUntil(1);
                push.finish();
            }
            String id = stream.path("id").asText();
            server.complete(id);
            TestServer.await("the target's end", SOON, () -> target.ended.get() > 0);
            assertSame(media, target, true);
            assertSame(media, target, false);
            assertTimesRise(target);
            assertEquals(1, target.timelines());
            assertEquals(1, target.sessions.get());
            TestServer.await("idle", SOON, () -> state(server, all, good).equals("idle"));
            checkEvents(events, good, List.of(refused, stopped, reset));
            String text = server.call("GET", all, "", 200).toString();
            assertFalse(text.contains(RestreamTarget.KEY), text);
            assertFalse(text.contains("wrong-key"), text);
        }
    }

    /** The video and audio of the programme, by count and bytes. */
    private static void assertSame(SyntheticStream media, RestreamTarget target, boolean video) {
        List<AccessUnit> all = new ArrayList<>(media.units());
        media.units().stream().filter(unit -> unit.dtsUs() < 1_000_000).forEach(all::add);
        List<AccessUnit> sent =
                all.stream().filter(unit -> unit.track().isVideo() == video).toList();
        List<AccessUnit> got = target.units(video);
        assertEquals(sent.size(), got.size(), video ? "video" : "audio");
        for (int i = 0; i < sent.size(); i++) {
            assertEquals(-1, sent.get(i).payload().mismatch(got.get(i).payload()), "unit " + i);
        }
    }

    private static void assertTimesRise(RestreamTarget target) {
        List<Long> times = target.units(true).stream().map(AccessUnit::dtsUs).toList();
        for (int i = 1; i < times.size(); i++) {
            assertTrue(times.get(i) > times.get(i - 1), times.toString());
        }
    }

    private static void checkEvents(EventReceiver events, String good, List<String> bad)
            throws InterruptedException {
        TestServer.await(
                "an event of each failure",
                SOON,
                () -> events.events("restream.failed").size() >= bad.size());
        assertEquals(
                1,
                events.events("restream.live").stream()
                        .filter(event -> named(event, good))
                        .count());
        for (String each : bad) {
            assertEquals(
                    1,
                    events.events("restream.failed").stream()
                            .filter(event -> named(event, each))
                            .count(),
                    () -> events.events("restream.failed").toString());
        }
    }

    private static boolean named(JsonNode event, String restream) {
        return event.path("data").path("restream").path("id").asText().equals(restream);
    }

    private static String create(TestServer server, String all, String url, String key)
            throws Exception {
        String path = url.endsWith("/live") ? url : url + "/live";
        return server.call(
                        "POST",
                        all,
                        "{\"url\": \"%s\", \"stream_key\": \"%s\"}".formatted(path, key),
                        200)
                .path("data")
                .path("id")
                .asText();
    }

    /** It tries again now and then: what is shown changes. */
    private static void awaitFailed(TestServer server, String all, String id, String error) {
        TestServer.await(
                "failed: " + error,
                SOON,
                () -> {
                    JsonNode shown = restream(server, all, id);
                    return shown.path("state").asText().equals("failed")
                            && shown.path("last_error").isTextual()
                            && shown.path("last_error").asText().contains(error);
                });
    }

    private static String state(TestServer server, String all, String id) {
        return restream(server, all, id).path("state").asText();
    }

    private static JsonNode restream(TestServer server, String all, String id) {
        try {
            return server.call("GET", all + "/" + id, "", 200).path("data");
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static ServerSocket listener() throws IOException {
        ServerSocket listener = new ServerSocket();
        listener.setReceiveBufferSize(16 << 10);
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        return listener;
    }

    private static String url(ServerSocket listener) {
        return "rtmp://127.0.0.1:" + listener.getLocalPort();
    }

    private static int unusedPort() throws IOException {
        try (ServerSocket socket = listener()) {
            return socket.getLocalPort();
        }
    }

    private static byte[] accepting() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(3);
        out.writeBytes(new byte[2 * HANDSHAKE_BYTES]);
        String nothing = "05";
        command(out, text("_result") + number(1) + nothing);
        command(out, text("_result") + number(4) + nothing + number(1));
        command(
                out,
                text("onStatus")
                        + number(0)
                        + nothing
                        + "03"
                        + text("code").substring(2)
                        + text("NetStream.Publish.Start")
                        + "000009");
        return out.toByteArray();
    }

    /** A chunk of type 0 with an AMF0 command of at most 128 bytes. */
    private static void command(ByteArrayOutputStream out, String amf) {
        byte[] body = HexFormat.of().parseHex(amf);
        out.writeBytes(
                HexFormat.of().parseHex("03000000" + "%06x".formatted(body.length) + "1400000000"));
        out.writeBytes(body);
    }

    private static String text(String value) {
        return "02%04x".formatted(value.length())
                + HexFormat.of().formatHex(value.getBytes(StandardCharsets.UTF_8));
    }

    private static String number(double value) {
        return "00%016x".formatted(Double.doubleToLongBits(value));
    }

    @FunctionalInterface
    private interface Peer {
        void serve(Socket socket) throws Exception;
    }

    /** Serves each connection until the listener is closed. */
    private static void serve(ServerSocket listener, Peer peer) {
        Thread.ofVirtual()
                .start(
                        () -> {
                            while (!listener.isClosed()) {
                                try (Socket socket = listener.accept()) {
                                    peer.serve(socket);
                                } catch (Exception _) {
                                    // The connection or the test is over.
                                }
                            }
                        });
    }

    private static void reset(Socket socket) throws IOException {
        int _ = socket.getInputStream().read();
        socket.setSoLinger(true, 0);
    }

    /** Accepts the publish of one client, then reads 64 kbit/s. */
    private static void slowly(Socket socket) throws Exception {
        InputStream in = socket.getInputStream();
        byte[] _ = in.readNBytes(1 + HANDSHAKE_BYTES);
        socket.getOutputStream().write(ACCEPTING);
        while (in.readNBytes(800).length > 0) {
            Thread.sleep(100);
        }
    }
}
