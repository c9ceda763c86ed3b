package touchline.benchmarks.crash;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import touchline.benchmarks.crash.CrashLoad.Recorded;
import touchline.benchmarks.load.KillableServer;
import touchline.benchmarks.load.Samples;

/**
 * Looks at everything that a server which was killed shows after its next start: every asset has
 * come to its end, with a reason where it cannot be played; of what encoders sent at most the part
 * under way is missing; all that can be played decodes to its end; rows, sessions and folders fit
 * together; and nothing that was there before has changed. One thread.
 */
final class AfterCrash {
    static final String ASSETS = "/video-streams/v1/assets";

    private static final long SETTLE_SECONDS = 60;
    private static final long POLL_MS = 100;

    /** Both ends of a clip are where a frame begins. */
    private static final double FRAME_MS = 1_000 / 30.0;

    private final KillableServer server;
    private final List<Recorded> streams;
    private final long slackMs;
    private final Map<String, String> known = new HashMap<>();
    private final List<String> faults = new ArrayList<>();
    private final Samples lostMs = new Samples();
    private int ready;
    private int errored;
    private int clips;
    private int deleted;
    private int tooMuch;

    /**
     * @param slack what an encoder's socket took, and the server has not seen when it was killed
     */
    AfterCrash(KillableServer server, List<Recorded> streams, Duration slack) {
        this.server = server;
        this.streams = streams;
        this.slackMs = slack.toMillis();
    }

    List<String> faults() {
        return faults;
    }

    List<Object> row(int kills, double slowestStartMs) {
        return List.of(
                kills,
                ready,
                errored,
                clips,
                deleted,
                lostMs.median(),
                lostMs.max(),
                tooMuch,
                slowestStartMs,
                faults.size());
    }

    /**
     * @param life what the server was told before it was killed
     * @return how many faults there are more
     */
    int look(CrashLoad.Life life) throws Exception {
        int before = faults.size();
        List<JsonNode> assets = settled();
        Map<String, JsonNode> recordings = new HashMap<>();
        Set<String> names = new HashSet<>();
        for (JsonNode asset : assets) {
            names.add(id(asset));
            boolean isNew = !known.containsKey(id(asset));
            if (isNew) {
                decode(asset);
                count(asset, recordings);
            } else if (!shape(asset).equals(known.get(id(asset)))) {
                faults.add(id(asset) + " was " + known.get(id(asset)) + ", is " + shape(asset));
            }
            known.put(id(asset), shape(asset));
        }
        known.keySet().stream()
                .filter(name -> !names.contains(name))
                .filter(name -> !life.done().perhapsDeleted().contains(name))
                .forEach(name -> faults.add(name + " is not there any more"));
        known.keySet().retainAll(names);
        confirmed(life.done(), assets);
        for (int i = 0; i < streams.size(); i++) {
            compare(streams.get(i), life.sentMs().get(i), recordings.get(streams.get(i).id()));
            session(streams.get(i));
        }
        folders(names);
        return faults.size() - before;
    }

    /** What was answered with success before the kill has happened. */
    private void confirmed(Operators.Done done, List<JsonNode> assets) {
        done.refused().forEach(why -> faults.add("refused: " + why));
        Map<String, JsonNode> byId = new HashMap<>();
        assets.forEach(asset -> byId.put(id(asset), asset));
        deleted += done.deleted().size();
        done.deleted().stream()
                .filter(byId::containsKey)
                .forEach(id -> faults.add("deleted, and there again: " + byId.get(id)));
        done.clips()
                .forEach(
                        (id, lengthMs) -> {
                            if (!done.perhapsDeleted().contains(id)) {
                                clip(id, lengthMs, byId.get(id));
                            }
                        });
    }

    private void clip(String id, long lengthMs, @Nullable JsonNode clip) {
        if (clip == null || !status(clip).equals("ready") || !clip.path("errors").isEmpty()) {
            faults.add("clip " + id + " of " + lengthMs + " ms was not cut: " + clip);
        } else if (Math.abs(clip.path("duration").asDouble() * 1_000 - lengthMs) > FRAME_MS) {
            faults.add("clip of " + lengthMs + " ms: " + clip);
        }
    }

    /** All assets, when none is being worked at any more. */
    private List<JsonNode> settled() throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SETTLE_SECONDS);
        while (true) {
            List<JsonNode> assets = assets();
            List<String> open =
                    assets.stream()
                            .filter(
                                    asset ->
                                            asset.path("is_live").asBoolean()
                                                    || status(asset).equals("preparing"))
                            .map(JsonNode::toString)
                            .toList();
            if (open.isEmpty()) {
                return assets;
            }
            if (System.nanoTime() > deadline) {
                open.forEach(asset -> faults.add("not finished: " + asset));
                return assets;
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
        }
    }

    private List<JsonNode> assets() throws Exception {
        List<JsonNode> assets = new ArrayList<>();
        boolean more = true;
        for (int page = 1; more; page++) {
            JsonNode reply = server.call("GET", ASSETS + "?limit=100&page=" + page, "");
            reply.path("data").forEach(assets::add);
            more = reply.path("has_more").asBoolean();
        }
        return assets;
    }

    private void count(JsonNode asset, Map<String, JsonNode> recordings) {
        if (asset.has("source_asset_id")) {
            clips += status(asset).equals("ready") ? 1 : 0;
        } else {
            recordings.put(asset.path("live_stream_id").asText(), asset);
            ready += status(asset).equals("ready") ? 1 : 0;
            errored += status(asset).equals("errored") ? 1 : 0;
        }
        if (status(asset).equals("errored") && asset.path("errors").isEmpty()) {
            faults.add("errored without a reason: " + asset);
        }
    }

    private void compare(Recorded stream, long sentMs, @Nullable JsonNode asset) {
        if (sentMs < 0) {
            return;
        }
        double storedMs = asset == null ? 0 : asset.path("duration").asDouble() * 1000;
        double lost = Math.max(0, sentMs - storedMs);
        lostMs.add(lost);
        if (lost > stream.partMs() + slackMs) {
            tooMuch++;
            faults.add(
                    "stream %s: %d ms were sent, %.0f are stored, at most %d may be missing: %s"
                            .formatted(stream.id(), sentMs, storedMs, stream.partMs(), asset));
        }
    }

    private void session(Recorded stream) throws Exception {
        String path = "/live/v1/live-streams/" + stream.id();
        String status = server.call("GET", path, "").at("/data/status").asText();
        if (!status.equals("idle")) {
            faults.add("stream " + stream.id() + " is " + status + " (expected: idle)");
        }
        for (JsonNode session : server.call("GET", path + "/sessions", "").path("data")) {
            if (session.path("ended_at").isNull() || session.path("ended_at").isMissingNode()) {
                faults.add("a session without an end: " + session);
            }
        }
    }

    /** Each folder belongs to an asset: those of deleted ones are gone, after a moment. */
    private void folders(Set<String> assets) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SETTLE_SECONDS);
        Set<String> foreign = foreign(assets);
        while (!foreign.isEmpty() && System.nanoTime() < deadline) {
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
            foreign = foreign(assets);
        }
        foreign.forEach(name -> faults.add("a folder without an asset: " + name));
    }

    private Set<String> foreign(Set<String> assets) throws IOException {
        Set<String> names = new HashSet<>();
        try (Stream<Path> folders = Files.list(server.data().resolve("assets"))) {
            folders.forEach(folder -> names.add(folder.getFileName().toString()));
        }
        names.removeAll(assets);
        return names;
    }

    /** As HLS and as MP4, to the end; as many frames as the duration promises. */
    private void decode(JsonNode asset) throws Exception {
        if (!status(asset).equals("ready")) {
            return;
        }
        String playbackId = asset.at("/playback_ids/0/id").asText();
        long expected = Math.round(asset.path("duration").asDouble() * 30);
        for (String path : List.of(playbackId + ".m3u8", playbackId + "/capped-1080p.mp4")) {
            Decoded decoded = Decoded.of(server.playback(path).toString());
            if (!decoded.complaint().isEmpty()) {
                faults.add(id(asset) + " " + path + ": " + decoded.complaint());
            }
            if (Math.abs(decoded.frames() - expected) > 2) {
                faults.add(
                        "%s %s: %d frames (expected: %d)"
                                .formatted(id(asset), path, decoded.frames(), expected));
            }
        }
    }

    static String id(JsonNode asset) {
        return asset.path("asset_id").asText();
    }

    private static String status(JsonNode asset) {
        return asset.path("status").asText();
    }

    private static String shape(JsonNode asset) {
        return status(asset) + " " + asset.path("duration") + " " + asset.path("errors");
    }
}
