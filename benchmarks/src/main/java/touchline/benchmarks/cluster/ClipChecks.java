package touchline.benchmarks.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import touchline.benchmarks.assets.Packets;
import touchline.benchmarks.assets.SmallFrames;
import touchline.benchmarks.cluster.Judge.Check;
import touchline.benchmarks.load.Report;

/**
 * Cuts clips across takeovers, and compares each of their frames with the recording. One thread.
 */
final class ClipChecks {
    private static final String ASSETS = "/video-streams/v1/assets";
    private static final Duration READY = Duration.ofMinutes(5);
    private static final Duration POLL = Duration.ofMillis(500);

    /** On either side of a takeover. */
    private static final double SIDE_S = 3;

    /** Frames around the clip that are looked at, too. */
    private static final double AROUND_S = 1;

    /** A time before a frame and behind the one before it. */
    private static final double BEFORE_S = 0.010;

    private final List<ClusterNode> nodes;
    private final Judge judge;
    private final Map<String, double[]> times = new HashMap<>();
    private int cut;
    private int exact;
    private int frames;

    /**
     * Where an asset has gone on at another node.
     *
     * @param seconds in the asset's time
     */
    record Place(JsonNode asset, double seconds) {}

    ClipChecks(List<ClusterNode> nodes, Judge judge) {
        this.nodes = nodes;
        this.judge = judge;
    }

    /** No effect if there is too little on either side. */
    void check(Place place) throws IOException, InterruptedException {
        ClusterNode node = nodes.get(cut % nodes.size());
        String source = mp4(node, place.asset());
        double[] all = times(place.asset(), source);
        int from = first(all, place.seconds() - SIDE_S);
        int to = first(all, place.seconds() + SIDE_S);
        if (place.seconds() < SIDE_S + AROUND_S || to >= all.length) {
            return;
        }
        cut++;
        String name =
                "clip of %s, frames %d to %d"
                        .formatted(place.asset().path("asset_id").asText(), from, to - 1);
        try {
            String clip = mp4(node, clip(node, place.asset(), all[from], all[to]));
            List<String> faults = compare(source, clip, new Range(all, from, to));
            exact += faults.isEmpty() ? 1 : 0;
            judge.judge(Check.CLIPS, faults.stream().map(fault -> name + ": " + fault).toList());
        } catch (IOException e) {
            judge.find(Check.CLIPS, name + ": " + e.getMessage());
        }
    }

    private static String mp4(ClusterNode node, JsonNode asset) {
        URI address = node.playback(asset.at("/playback_ids/0/id").asText() + "/capped-1080p.mp4");
        return address.toString();
    }

    /** Of all frames of a recording, in the order of presentation. */
    private double[] times(JsonNode asset, String mp4) throws IOException, InterruptedException {
        String id = asset.path("asset_id").asText();
        double[] known = times.get(id);
        if (known == null) {
            known =
                    Packets.of(mp4).video().stream()
                            .mapToDouble(packet -> packet.ptsUs() / 1e6)
                            .sorted()
                            .toArray();
            double zero = known[0];
            known = Arrays.stream(known).map(each -> each - zero).toArray();
            times.put(id, known);
        }
        return known;
    }

    private static int first(double[] times, double fromS) {
        int index = Arrays.binarySearch(times, fromS);
        return index >= 0 ? index : -index - 1;
    }

    private static JsonNode clip(ClusterNode node, JsonNode asset, double fromS, double toS)
            throws IOException, InterruptedException {
        String body =
                "{\"asset_id\":\"%s\",\"start_time\":%.3f,\"end_time\":%.3f}"
                        .formatted(
                                asset.path("asset_id").asText(), fromS - BEFORE_S, toS - BEFORE_S);
        String id =
                node.server().post("/video-streams/v1/video/clip", body).path("asset_id").asText();
        long endNs = System.nanoTime() + READY.toNanos();
        while (System.nanoTime() - endNs < 0) {
            JsonNode clip = node.get(ASSETS + "/" + id);
            switch (clip.path("status").asText()) {
                case "ready" -> {
                    return clip;
                }
                case "errored" -> throw new IOException("not cut: " + clip);
                default -> Thread.sleep(POLL);
            }
        }
        throw new IOException("not ready after " + READY);
    }

    /**
     * Frames of a recording.
     *
     * @param times of all of them
     * @param to behind the last
     */
    @SuppressWarnings("ArrayRecordComponent") // read once, never compared
    private record Range(double[] times, int from, int to) {}

    /** Each frame of the clip is most like the frame at its place. */
    private List<String> compare(String source, String clip, Range range)
            throws IOException, InterruptedException {
        double beginS = Math.max(0, range.times()[range.from()] - AROUND_S - BEFORE_S);
        double endS = range.times()[range.to()] + AROUND_S;
        SmallFrames around = SmallFrames.of(source, beginS, endS - beginS);
        SmallFrames ours = SmallFrames.of(clip);
        int offset = range.from() - first(range.times(), beginS);
        int expected = range.to() - range.from();
        List<String> faults = new ArrayList<>();
        if (ours.count() != expected) {
            faults.add("%d frames (expected: %d)".formatted(ours.count(), expected));
        }
        for (int i = 0; i < Math.min(ours.count(), expected); i++) {
            int like = around.mostLike(ours.at(i));
            // A source that is repeated has the same frame twice.
            if (like != offset + i && !Arrays.equals(around.at(like), around.at(offset + i))) {
                faults.add("frame %d is number %d".formatted(i, like - offset));
                break;
            }
        }
        frames += ours.count();
        return faults;
    }

    void addTo(Report report) {
        report.table("clips across takeovers", "cut | exact | frames compared")
                .row(cut, exact, frames);
    }
}
