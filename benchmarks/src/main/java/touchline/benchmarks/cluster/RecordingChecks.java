package touchline.benchmarks.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import touchline.benchmarks.cluster.Judge.Check;
import touchline.benchmarks.load.LiveAddress;
import touchline.benchmarks.load.Report;

/** What becomes of the recordings of a run. One thread. */
final class RecordingChecks {
    private static final String ASSETS = "/video-streams/v1/assets";
    private static final Duration FINISHED = Duration.ofMinutes(2);

    /** Another node finishes a recording after five minutes. */
    private static final Duration FINISHED_IN_S3 = Duration.ofMinutes(12);

    private static final Duration POLL = Duration.ofSeconds(2);

    private final Cluster cluster;
    private final List<LiveAddress> streams;
    private final Judge judge;
    private int ready;
    private int cleanDvr;
    private int cleanHls;
    private int cleanMp4;

    RecordingChecks(Cluster cluster, List<LiveAddress> streams, Judge judge) {
        this.cluster = cluster;
        this.streams = streams;
        this.judge = judge;
    }

    private ClusterNode firstNode() {
        return cluster.nodes().getFirst();
    }

    /** With S3, it has fetched what it answers with. */
    private ClusterNode lastNode() {
        return cluster.nodes().getLast();
    }

    /** While the streams are on air, with S3: all of each session decodes. */
    void dvr() throws IOException, InterruptedException {
        for (LiveAddress stream : streams) {
            URI address = lastNode().playback(stream.watch().getPath().substring(1));
            String said = DvrSnapshot.decode(address);
            cleanDvr += isClean("DVR of " + stream.id(), said) ? 1 : 0;
        }
    }

    /**
     * Completes the streams, and decodes each recording.
     *
     * @param ignored assets of before
     * @return those that are ready
     */
    List<JsonNode> finish(Set<String> ignored) throws IOException, InterruptedException {
        for (LiveAddress stream : streams) {
            firstNode()
                    .server()
                    .call("PUT", "/live/v1/live-streams/" + stream.id() + "/complete", "");
        }
        List<JsonNode> all = new ArrayList<>();
        for (JsonNode asset : finished(ignored)) {
            if (asset.path("status").asText().equals("ready")
                    && !asset.path("is_live").asBoolean()) {
                all.add(asset);
                decode(asset);
            } else {
                judge.find(Check.RECORDINGS, asset.path("asset_id").asText() + ": " + asset);
            }
        }
        ready = all.size();
        return all;
    }

    private void decode(JsonNode asset) throws IOException, InterruptedException {
        String name = asset.path("asset_id").asText();
        String id = asset.at("/playback_ids/0/id").asText();
        cleanHls += decode("HLS of " + name, firstNode().playback(id + ".m3u8")) ? 1 : 0;
        if (cluster.s3().isPresent()) {
            URI mp4 = lastNode().playback(id + "/capped-1080p.mp4");
            cleanMp4 += decode("MP4 of " + name, mp4) ? 1 : 0;
        }
    }

    private boolean decode(String name, URI address) throws IOException, InterruptedException {
        return isClean(name, Decoder.complaint(address));
    }

    private boolean isClean(String name, String said) {
        judge.judge(Check.RECORDINGS, said.isEmpty() ? List.of() : List.of(name + ": " + said));
        return said.isEmpty();
    }

    private List<JsonNode> finished(Set<String> ignored) throws IOException, InterruptedException {
        Duration limit = cluster.s3().isPresent() ? FINISHED_IN_S3 : FINISHED;
        long endNs = System.nanoTime() + limit.toNanos();
        while (true) {
            List<JsonNode> assets = new ArrayList<>();
            firstNode().server().each(ASSETS, assets::add);
            assets.removeIf(asset -> ignored.contains(asset.path("asset_id").asText()));
            boolean all =
                    assets.stream()
                            .noneMatch(
                                    asset ->
                                            asset.path("is_live").asBoolean()
                                                    || asset.path("status")
                                                            .asText()
                                                            .equals("preparing"));
            if (all || System.nanoTime() - endNs > 0) {
                return assets;
            }
            Thread.sleep(POLL);
        }
    }

    void addTo(Report report) {
        report.table("recordings", "ready assets | clean as HLS | as MP4 | clean sessions by DVR")
                .row(ready, cleanHls, cleanMp4, cleanDvr);
    }
}
