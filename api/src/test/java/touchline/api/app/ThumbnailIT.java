package touchline.api.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.access.TokenForge;

/** Thumbnails of real pushes: live, growing, finished, signed, of odd sizes, and of none. */
class ThumbnailIT {
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final String ASSETS = "/video-streams/v1/assets";

    /** Grey that grows brighter by 20 each second, from 20; a key frame each second. */
    private static final String BRIGHTER =
            "ffmpeg -v error %s -f lavfi -i color=c=black:size=16x16:rate=10,format=yuv420p,"
                    + "geq=lum='20+20*floor(T)':cb=128:cr=128,scale=%s,setsar=1 -t %d -c:v libx264"
                    + " -preset ultrafast -g 10 -sc_threshold 0 -f flv %s";

    @TempDir private Path folder;

    private final HttpClient client = HttpClient.newHttpClient();

    /** Pushes at full speed, and waits for the finished asset. */
    private JsonNode recorded(TestServer server, String policy, String command) throws Exception {
        JsonNode stream =
                server.createStream(
                        "{\"record\": true, \"reconnect_window\": 0, \"policy\": " + policy + "}");
        String push = server.push(stream.path("stream_key").asText());
        try (Encoder encoder = Encoder.run(command.replace("{push}", push).split(" +"))) {
            assertEquals(0, encoder.await(SOON), encoder::output);
        }
        String list = ASSETS + "?live_stream_id=" + stream.path("id").asText();
        List<JsonNode> found = new ArrayList<>();
        TestServer.await(
                "a finished asset",
                SOON,
                () -> {
                    found.clear();
                    found.add(call(server, list).path("data").path(0));
                    JsonNode asset = found.getFirst();
                    return asset.path("status").asText().equals("ready")
                            && !asset.path("is_live").asBoolean();
                });
        return found.getFirst();
    }

    private static JsonNode call(TestServer server, String path) {
        try {
            return server.call("GET", path, "", 200);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static String brighter(String size, int seconds) {
        return BRIGHTER.formatted("", size, seconds, "{push}");
    }

    @Test
    void asset_atEachTime_showsTheKeyFrameBefore() throws Exception {
        try (TestServer server = TestServer.start(folder)) {
            JsonNode asset = recorded(server, "[\"public\", \"signed\"]", brighter("320x180", 8));
            URI address = thumbnail(server, asset.at("/playback_ids/0/id").asText());

            TestServer.await("a decoding process", SOON, () -> statusOf(address) != 503);
            HttpResponse<byte[]> whole = fetch(address);
            assertEquals(200, whole.statusCode());
            assertEquals("image/jpeg", header(whole, "content-type"));
            assertEquals("*", header(whole, "access-control-allow-origin"));
            assertEquals("public, max-age=31536000, immutable", header(whole, "cache-control"));
            assertEquals(320, image(whole).getWidth());
            assertEquals(180, image(whole).getHeight());
            for (int second = 0; second < 8; second++) {
                for (String time : List.of(second + "", second + ".95")) {
                    BufferedImage image = image(fetch(with(address, "time=" + time)));
                    assertEquals(fullRange(20 + 20 * second), grey(image), 6, "at " + time);
                }
            }
            assertEquals(64, image(fetch(with(address, "width=65&time=3"))).getWidth());
            conditions(address, whole);
            refusals(address);
            signed(server, asset.at("/playback_ids/1/id").asText());
            assertTrue(metrics(server).contains("touchline_thumbnails_total{result=\"decoded\"}"));
            decodingProcessDies_andIsReplaced(server, address);

            server.call("DELETE", ASSETS + "/" + asset.path("asset_id").asText(), "", 200);
            assertEquals(404, fetch(address).statusCode());
            assertEquals(404, fetch(with(address, "time=3")).statusCode());
        }
    }

    /** The server goes on, and the next thumbnail but a few is there again. */
    private void decodingProcessDies_andIsReplaced(TestServer server, URI address)
            throws Exception {
        List<ProcessHandle> children = ChildJvms.withHeap(ChildJvms.DECODING_MIB);
        assertEquals(1, children.size(), children::toString);
        children.getFirst().destroyForcibly();
        children.getFirst().onExit().join();

        HttpResponse<byte[]> refused = once(with(address, "width=100"));
        assertEquals(503, refused.statusCode());
        assertEquals("5", header(refused, "retry-after"));
        TestServer.await(
                "a thumbnail of a new process",
                SOON,
                () -> statusOf(with(address, "width=100")) == 200);
        String metrics = metrics(server);
        assertTrue(metrics.contains("touchline_decoders_processes_crashed_total 1.0"), metrics);
        assertTrue(metrics.contains("touchline_decoders_memory_bytes 0.0"), metrics);
        assertTrue(metrics.contains("touchline_decoders_memory_limit_bytes "), metrics);
    }

    private int statusOf(URI address) {
        try {
            return once(address).statusCode();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private void conditions(URI address, HttpResponse<byte[]> whole) throws Exception {
        String tag = header(whole, "etag");
        HttpRequest conditional =
                HttpRequest.newBuilder(address).header("If-None-Match", tag).build();
        assertEquals(304, client.send(conditional, BodyHandlers.discarding()).statusCode());
        HttpRequest ranged = HttpRequest.newBuilder(address).header("Range", "bytes=0-1").build();
        HttpResponse<byte[]> start = client.send(ranged, BodyHandlers.ofByteArray());
        assertEquals(206, start.statusCode());
        assertArrayEquals(new byte[] {(byte) 0xFF, (byte) 0xD8}, start.body());
        HttpResponse<byte[]> head =
                client.send(
                        HttpRequest.newBuilder(address).HEAD().build(), BodyHandlers.ofByteArray());
        assertEquals(200, head.statusCode());
        assertEquals(whole.body().length + "", header(head, "content-length"));
        assertEquals(0, head.body().length);
    }

    private void refusals(URI address) throws Exception {
        for (String bad : List.of("time=-1", "time=NaN", "time=x", "width=0", "width=1e9")) {
            HttpResponse<byte[]> refused = fetch(with(address, bad));
            assertEquals(400, refused.statusCode(), bad);
            String body = new String(refused.body(), UTF_8);
            assertTrue(body.contains("\"code\":40002"), body);
            assertTrue(body.contains("\"" + bad.substring(0, bad.indexOf('=')) + ": "), body);
        }
        HttpResponse<byte[]> beyond = fetch(with(address, "time=60"));
        assertEquals(404, beyond.statusCode());
        String body = new String(beyond.body(), UTF_8);
        assertTrue(body.contains("40401") && body.contains("behind the end"), body);
    }

    private void signed(TestServer server, String playbackId) throws Exception {
        JsonNode key = server.call("POST", SignedStream.KEYS, "", 200).path("data");
        TokenForge forge = TokenForge.of(key.path("id").asText(), key.path("private_key").asText());
        URI address = thumbnail(server, playbackId);

        assertEquals(403, fetch(address).statusCode());
        String token = forge.good(playbackId, SignedStream.now() + 600);
        HttpResponse<byte[]> shown = fetch(with(address, "time=2&token=" + token));
        assertEquals(200, shown.statusCode());
        assertEquals("private, max-age=31536000, immutable", header(shown, "cache-control"));
        assertEquals("no-referrer", header(shown, "referrer-policy"));
        String other = forge.good("other", SignedStream.now() + 600);
        assertEquals(403, fetch(with(address, "token=" + other)).statusCode());
    }

    @Test
    void live_whileItRuns_isTheNewestKeyFrame_andAsPlaylistsAreOtherwise() throws Exception {
        try (TestServer server = TestServer.start(folder)) {
            JsonNode stream =
                    server.createStream(
                            "{\"latency_mode\": \"low\", \"record\": true, \"reconnect_window\":"
                                    + " 0}");
            String id = stream.path("id").asText();
            URI address = thumbnail(server, stream.at("/playback_ids/0/id").asText());
            assertEquals(404, fetch(address).statusCode(), "idle");
            String push = server.push(stream.path("stream_key").asText());
            try (Encoder encoder =
                    Encoder.run(BRIGHTER.formatted("-re", "640x360", 60, push).split(" "))) {
                TestServer.await("a frame", SOON, () -> server.get(address).statusCode() == 200);
                int first = grey(image(fetch(address)));
                assertEquals("public, max-age=1", header(fetch(address), "cache-control"));
                TestServer.await(
                        "a brighter one: " + encoder.output(),
                        SOON,
                        () -> grey(quietly(address)) > first + 15);
                assertEquals(fullRange(20), grey(image(fetch(with(address, "time=0.5")))), 6);
                assertEquals(404, fetch(with(address, "time=3600")).statusCode());
                growing(server, id);
                manyAtOnce(address);

                server.call("PUT", "/live/v1/live-streams/" + id + "/disable", "", 200);
                assertEquals(404, fetch(address).statusCode(), "disabled");
            }
        }
    }

    /** The asset shows what is recorded so far, and is not kept by caches. */
    private void growing(TestServer server, String stream) throws Exception {
        JsonNode asset = call(server, ASSETS + "?live_stream_id=" + stream).path("data").path(0);
        assertTrue(asset.path("is_live").asBoolean(), asset::toString);
        HttpResponse<byte[]> shown =
                fetch(thumbnail(server, asset.at("/playback_ids/0/id").asText()));
        assertEquals(200, shown.statusCode());
        assertEquals("public, max-age=1", header(shown, "cache-control"));
    }

    /** A hundred viewers at once get the one frame. */
    private void manyAtOnce(URI address) throws Exception {
        List<CompletableFuture<HttpResponse<byte[]>>> all = new ArrayList<>();
        URI same = with(address, "time=1&width=222");
        for (int i = 0; i < 100; i++) {
            all.add(
                    client.sendAsync(
                            HttpRequest.newBuilder(same).build(), BodyHandlers.ofByteArray()));
        }
        byte[] frame = all.getFirst().join().body();
        for (CompletableFuture<HttpResponse<byte[]>> each : all) {
            assertEquals(200, each.join().statusCode());
            assertArrayEquals(frame, each.join().body());
        }
    }

    @Test
    void oddFrames_areThumbnailsToo_andAudioIsNone() throws Exception {
        try (TestServer server = TestServer.start(folder)) {
            assertSize(16, 16, server, brighter("16x16", 3));
            assertSize(640, 338, server, brighter("4096x2160", 2));
            // 16:9 in samples that are not square
            assertSize(
                    640,
                    360,
                    server,
                    "ffmpeg -v error -f lavfi -i testsrc2=size=720x576:rate=10,setsar=64/45 -t 3"
                            + " -c:v libx264 -preset ultrafast -g 10 -f flv {push}");
            JsonNode audio =
                    recorded(
                            server,
                            "\"public\"",
                            "ffmpeg -v error -f lavfi -i sine=sample_rate=48000 -t 5 -c:a aac -f"
                                    + " flv {push}");
            URI address = thumbnail(server, audio.at("/playback_ids/0/id").asText());
            for (URI each : List.of(address, with(address, "time=2"))) {
                HttpResponse<byte[]> none = fetch(each);
                assertEquals(404, none.statusCode());
                String body = new String(none.body(), UTF_8);
                assertTrue(body.contains("audio only"), body);
            }
        }
    }

    private void assertSize(int width, int height, TestServer server, String command)
            throws Exception {
        JsonNode asset = recorded(server, "\"public\"", command);
        BufferedImage image =
                image(fetch(thumbnail(server, asset.at("/playback_ids/0/id").asText())));
        assertEquals(width + "x" + height, image.getWidth() + "x" + image.getHeight(), command);
    }

    private static URI thumbnail(TestServer server, String playbackId) {
        return server.playback(playbackId + "/thumbnail.jpg");
    }

    private static URI with(URI address, String query) {
        return URI.create(address + "?" + query);
    }

    private static String metrics(TestServer server) {
        return server.get(server.api("/observe/metrics")).body();
    }

    /** Asks again while the server is too busy to make a thumbnail. */
    private HttpResponse<byte[]> fetch(URI address) throws Exception {
        return TestServer.unlessBusy(() -> once(address), HttpResponse::statusCode);
    }

    private HttpResponse<byte[]> once(URI address) throws IOException, InterruptedException {
        return client.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofByteArray());
    }

    private BufferedImage quietly(URI address) {
        try {
            return image(fetch(address));
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static String header(HttpResponse<?> response, String name) {
        return response.headers().firstValue(name).orElse("");
    }

    private static BufferedImage image(HttpResponse<byte[]> response) throws IOException {
        assertEquals(200, response.statusCode(), () -> new String(response.body(), UTF_8));
        return ImageIO.read(new ByteArrayInputStream(response.body()));
    }

    /** Luma of video as in a JPEG: 16 is 0, and 235 is 255. */
    private static double fullRange(int luma) {
        return (luma - 16) * 255.0 / 219;
    }

    private static int grey(BufferedImage image) {
        return image.getRGB(image.getWidth() / 2, image.getHeight() / 2) >> 8 & 0xFF;
    }
}
