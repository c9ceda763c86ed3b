package touchline.benchmarks.crash;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;
import touchline.benchmarks.crash.CrashLoad.Recorded;
import touchline.benchmarks.load.TouchlineServer;

/**
 * Operators that cut clips, delete assets and complete sessions at random moments until the server
 * is killed. They run on their own thread; {@link #join} returns the confirmed requests.
 */
final class Operators {
    private static final int MAX_REQUESTS = 4;
    private static final double LEAST_CLIP_SECONDS = 0.5;

    private final TouchlineServer server;
    private final List<Recorded> streams;
    private final Random random;
    private final long lifeMs;
    private final Thread thread = Thread.ofVirtual().name("bench-operators").unstarted(this::run);
    private final Set<Integer> completed = new HashSet<>();
    private final Map<String, Long> clips = new HashMap<>();
    private final Set<String> deleted = new HashSet<>();
    private final Set<String> maybeDeleted = new HashSet<>();
    private final List<String> refused = new ArrayList<>();

    /**
     * The requests that the server confirmed.
     *
     * @param completed indexes of streams for which a completion was requested
     * @param clips length in milliseconds by id
     * @param deleted ids of assets
     * @param maybeDeleted ids of assets for which deletion was requested
     * @param refused errors of requests that must succeed
     */
    record Done(
            Set<Integer> completed,
            Map<String, Long> clips,
            Set<String> deleted,
            Set<String> maybeDeleted,
            List<String> refused) {}

    Operators(TouchlineServer server, List<Recorded> streams, Random random, long lifeMs) {
        this.server = server;
        this.streams = streams;
        this.random = random;
        this.lifeMs = lifeMs;
    }

    void start() {
        thread.start();
    }

    Done join() throws InterruptedException {
        thread.join();
        return new Done(completed, clips, deleted, maybeDeleted, refused);
    }

    private void run() {
        long[] momentsMs =
                random.longs(1 + random.nextInt(MAX_REQUESTS), 0, lifeMs).sorted().toArray();
        long startNs = System.nanoTime();
        try {
            for (long momentMs : momentsMs) {
                long passedMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
                TimeUnit.MILLISECONDS.sleep(Math.max(0, momentMs - passedMs));
                switch (random.nextInt(8)) {
                    case 0 -> complete();
                    case 1, 2 -> delete();
                    default -> clip();
                }
            }
        } catch (TouchlineServer.RefusedException e) {
            refused.add(e.toString());
        } catch (IOException _) {
            // The server was killed during the request.
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void complete() throws IOException, InterruptedException {
        int index = random.nextInt(streams.size());
        completed.add(index);
        server.call("PUT", "/live/v1/live-streams/" + streams.get(index).id() + "/complete", "");
    }

    /** Cuts a clip out of a running or finished recording or another clip. */
    private void clip() throws IOException, InterruptedException {
        List<JsonNode> playable =
                assets().stream()
                        .filter(asset -> asset.path("status").asText().equals("ready"))
                        .filter(asset -> seconds(asset) > 2 * LEAST_CLIP_SECONDS)
                        .toList();
        if (playable.isEmpty()) {
            return;
        }
        JsonNode asset = playable.get(random.nextInt(playable.size()));
        double start = random.nextDouble(seconds(asset) - LEAST_CLIP_SECONDS);
        double end = random.nextDouble(start + LEAST_CLIP_SECONDS, seconds(asset));
        long startMs = (long) (start * 1_000);
        long endMs = (long) (end * 1_000);
        String id =
                server.post(
                                "/video-streams/v1/video/clip",
                                String.format(
                                        Locale.ROOT,
                                        "{\"asset_id\":\"%s\",\"start_time\":%.3f,\"end_time\":%.3f}",
                                        AfterCrash.id(asset),
                                        startMs / 1e3,
                                        endMs / 1e3))
                        .path("asset_id")
                        .asText();
        clips.put(id, endMs - startMs);
    }

    private void delete() throws IOException, InterruptedException {
        List<JsonNode> finished =
                assets().stream().filter(asset -> !asset.path("is_live").asBoolean()).toList();
        if (finished.isEmpty()) {
            return;
        }
        String id = AfterCrash.id(finished.get(random.nextInt(finished.size())));
        maybeDeleted.add(id);
        server.call("DELETE", AfterCrash.ASSETS + "/" + id, "");
        deleted.add(id);
    }

    /** The newest assets. */
    private List<JsonNode> assets() throws IOException, InterruptedException {
        JsonNode assets = server.get(AfterCrash.ASSETS + "?limit=20");
        return StreamSupport.stream(assets.spliterator(), false).toList();
    }

    private static double seconds(JsonNode asset) {
        return asset.path("duration").asDouble();
    }
}
