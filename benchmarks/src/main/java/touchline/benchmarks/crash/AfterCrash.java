package touchline.benchmarks.crash;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
import touchline.benchmarks.load.Command;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.Samples;
import touchline.benchmarks.load.TouchlineServer;

/**
 * Checks a server after a kill and a start. Every asset is final, and has an error if it cannot be
 * played. At most the open part of what encoders sent is missing. All playable assets decode to
 * their end. Rows, sessions and folders match, and older assets are unchanged. Owned by one thread.
 */
final class AfterCrash {
    static final String ASSETS = "/video-streams/v1/assets";

    private static final long SETTLE_SECONDS = 60;
    private static final long POLL_MS = 100;

    /** The ends of a clip are moved to frames. */
    private static final double FRAME_MS = 1_000 / 30.0;

    private final TouchlineServer server;
    private final List<Recorded> streams;
    private final long slackMs;
    private final Map<String, String> known = new HashMap<>();
    private final List<String> faults = new ArrayList<>();
    private final Samples lostMs = new Samples();
    private int ready;
    private int errored;
    private int clips;
    private int deleted;
    private int moreThanOnePart;

    /**
     * @param slackMs media that an encoder's socket took and the server has not read
     */
    AfterCrash(TouchlineServer server, List<Recorded> streams, long slackMs) {
        this.server = server;
        this.streams = streams;
        this.slackMs = slackMs;
    }

    List<String> faults() {
        return faults;
    }

    void addTo(Report report, int kills, double slowestStartMs) {
        report.table(
                        "crash",
                        "kills | recordings ready | errored with a reason | clips cut"
                                + " | assets deleted | lost ms, median | lost ms, most"
                                + " | more than one part | start ms, most | faults")
                .row(
                        kills,
                        ready,
                        errored,
                        clips,
                        deleted,
                        lostMs.median(),
                        lostMs.max(),
                        moreThanOnePart,
                        slowestStartMs,
                        faults.size());
    }

    /**
     * @param life input of the server before the kill
     * @return number of new faults
     */
    int check(CrashLoad.Life life) throws Exception {
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
                faults.add(
                        id(asset)
                                + " changed from "
                                + known.get(id(asset))
                                + " to "
                                + shape(asset));
            }
            known.put(id(asset), shape(asset));
        }
        known.keySet().stream()
                .filter(name -> !names.contains(name))
                .filter(name -> !life.done().maybeDeleted().contains(name))
                .forEach(name -> faults.add(name + " is missing"));
        known.keySet().retainAll(names);
        confirmed(life.done(), assets);
        for (int i = 0; i < streams.size(); i++) {
            compare(streams.get(i), life.sentMs().get(i), recordings.get(streams.get(i).id()));
            session(streams.get(i));
        }
        folders(names);
        return faults.size() - before;
    }

    /** Requests that were confirmed before the kill took effect. */
    private void confirmed(Operators.Done done, List<JsonNode> assets) {
        done.refused().forEach(why -> faults.add("refused: " + why));
        Map<String, JsonNode> byId = new HashMap<>();
        assets.forEach(asset -> byId.put(id(asset), asset));
        deleted += done.deleted().size();
        done.deleted().stream()
                .filter(byId::containsKey)
                .forEach(id -> faults.add("deleted, but listed: " + byId.get(id)));
        done.clips()
                .forEach(
                        (id, lengthMs) -> {
                            if (!done.maybeDeleted().contains(id)) {
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

    /** All assets, as soon as each is final. */
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
        server.each(ASSETS, assets::add);
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
            moreThanOnePart++;
            faults.add(
                    "stream %s: stored %.0f ms (expected: >= %d ms - %d ms): %s"
                            .formatted(stream.id(), storedMs, sentMs, stream.partMs(), asset));
        }
    }

    private void session(Recorded stream) throws Exception {
        String path = "/live/v1/live-streams/" + stream.id();
        String status = server.get(path).path("status").asText();
        if (!status.equals("idle")) {
            faults.add("stream " + stream.id() + " is " + status + " (expected: idle)");
        }
        for (JsonNode session : server.get(path + "/sessions")) {
            if (session.path("ended_at").isNull() || session.path("ended_at").isMissingNode()) {
                faults.add("a session without an end: " + session);
            }
        }
    }

    /** Each folder belongs to an asset; folders of deleted assets disappear within a minute. */
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

    /** Decodes HLS and MP4 to the end and compares the number of frames with the duration. */
    private void decode(JsonNode asset) throws Exception {
        if (!status(asset).equals("ready")) {
            return;
        }
        String playbackId = asset.at("/playback_ids/0/id").asText();
        long expected = Math.round(asset.path("duration").asDouble() * 30);
        for (String path : List.of(playbackId + ".m3u8", playbackId + "/capped-1080p.mp4")) {
            Command.Result decoded =
                    Command.run(
                            Command.words(
                                    "ffmpeg -v error -i %s -vsync passthrough -f framecrc pipe:",
                                    server.playback(path)));
            if (decoded.exit() != 0 || !decoded.errors().isEmpty()) {
                faults.add(
                        "%s %s: exit code %d (expected: 0): %s"
                                .formatted(id(asset), path, decoded.exit(), decoded.errors()));
            }
            // A line of stream 0, the video: "0, dts, pts, duration, size, crc".
            long frames = decoded.text().lines().filter(line -> line.startsWith("0,")).count();
            if (Math.abs(frames - expected) > 2) {
                faults.add(
                        "%s %s: %d frames (expected: %d)"
                                .formatted(id(asset), path, frames, expected));
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
