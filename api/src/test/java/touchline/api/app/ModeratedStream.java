package touchline.api.app;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import javax.imageio.ImageIO;

/** A stream with audit settings on a server with demo models, and what moderation says of it. */
final class ModeratedStream {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int PAGE = 100;
    private static final Duration SESSION = Duration.ofMinutes(3);

    final String id;
    final String playbackId;

    private final TestServer server;
    private final String key;

    /** A stored record, with its results taken apart. */
    record Found(JsonNode record, JsonNode findings) {
        long capturedAtMs() {
            return record.get("captured_at").longValue();
        }

        int status() {
            return record.get("detect_status").intValue();
        }

        /** The first result of a type that is an alert, or nothing. */
        JsonNode alert(String type) {
            for (JsonNode finding : findings) {
                if (finding.get("model").textValue().equals(type)
                        && !finding.get("risk_level").textValue().equals("pass")) {
                    return finding;
                }
            }
            return JSON.missingNode();
        }
    }

    private ModeratedStream(TestServer server, JsonNode stream) {
        this.server = server;
        this.id = stream.get("id").textValue();
        this.key = stream.get("stream_key").textValue();
        this.playbackId = stream.at("/playback_ids/0/id").textValue();
    }

    /**
     * @param fields of the new stream, without braces, such as {@code "title": "Cup final"}
     */
    static ModeratedStream create(TestServer server, String fields) throws Exception {
        return new ModeratedStream(server, server.createStream("{" + fields + "}"));
    }

    String push() {
        return server.push(key);
    }

    void put(String settings) throws Exception {
        server.call("PUT", "/live/v1/live-streams/" + id + "/audit-settings", settings, 200);
    }

    void delete() throws Exception {
        server.call("DELETE", "/live/v1/live-streams/" + id + "/audit-settings", "", 204);
    }

    void scoreboard(String method, String body) throws Exception {
        server.call(method, "/live/v1/live-streams/" + id + "/generated-watermark", body, 200);
    }

    /**
     * The newest session, running or not; waits for the first, which is stored a moment after the
     * stream is active.
     */
    JsonNode session() {
        List<JsonNode> newest = new ArrayList<>();
        TestServer.await(
                "a stored session",
                SESSION,
                () -> {
                    call("/live/v1/live-streams/" + id + "/sessions?limit=1")
                            .get("data")
                            .forEach(newest::add);
                    return !newest.isEmpty();
                });
        return newest.getFirst();
    }

    String sessionId() {
        return session().get("id").textValue();
    }

    /** Oldest first. */
    List<JsonNode> frames() {
        return listed("/audit/v1/records/sampled-frames?stream_session_id=" + sessionId());
    }

    /** Oldest first. */
    List<Found> records() throws Exception {
        List<Found> found = new ArrayList<>();
        for (JsonNode record :
                listed("/audit/v1/records/moderation-records?stream_session_id=" + sessionId())) {
            found.add(new Found(record, JSON.readTree(record.get("detect_info").textValue())));
        }
        return found;
    }

    private List<JsonNode> listed(String path) {
        List<JsonNode> all = new ArrayList<>();
        for (int page = 1; page > 0; page++) {
            JsonNode reply = call(path + "&limit=" + PAGE + "&page=" + page);
            reply.get("data").forEach(all::addFirst);
            if (!reply.get("has_more").booleanValue()) {
                break;
            }
        }
        return all;
    }

    JsonNode call(String path) {
        try {
            return server.call("GET", path, "", 200);
        } catch (Exception e) {
            throw new AssertionError(path, e);
        }
    }

    /** Waits until the sampled frames match a test's condition. */
    List<JsonNode> awaitFrames(String what, Duration atMost, Predicate<List<JsonNode>> enough)
            throws InterruptedException {
        TestServer.await(what, atMost, () -> enough.test(frames()));
        return frames();
    }

    /** The evidence frame behind an address. */
    BufferedImage frame(String url) throws Exception {
        HttpResponse<byte[]> reply = server.bytes(URI.create(url));
        if (reply.statusCode() != 200) {
            throw new AssertionError(url + ": " + reply.statusCode());
        }
        BufferedImage image = ImageIO.read(new ByteArrayInputStream(reply.body()));
        if (image == null) {
            throw new AssertionError("no frame: " + reply.headers());
        }
        return image;
    }
}
