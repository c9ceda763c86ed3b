package touchline.benchmarks.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import touchline.benchmarks.cluster.Judge.Check;
import touchline.benchmarks.load.Command;
import touchline.benchmarks.load.LiveAddress;
import touchline.benchmarks.load.LowLatencyPlaylist;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.Samples;
import touchline.benchmarks.recordings.LostMedia;
import touchline.benchmarks.recordings.LostMedia.Loss;
import touchline.benchmarks.recordings.LostMedia.Recorded;

/** Finished recordings in S3, beside what was published: takeovers, clips, objects. One thread. */
final class StoredRecordings {
    private static final Duration REPLY = Duration.ofSeconds(20);
    private static final Duration UPLOADED = Duration.ofMinutes(6);
    private static final Duration POLL = Duration.ofSeconds(2);

    private final Cluster cluster;
    private final SharedS3 s3;
    private final Takeovers takeovers;
    private final Judge judge;
    private final Report report;

    StoredRecordings(
            Cluster cluster, SharedS3 s3, Takeovers takeovers, Judge judge, Report report) {
        this.cluster = cluster;
        this.s3 = s3;
        this.takeovers = takeovers;
        this.judge = judge;
        this.report = report;
    }

    /**
     * Looks at all takeovers, cuts clips across some, and verifies what is in S3.
     *
     * @param assets ready ones
     * @param clips across so many takeovers
     */
    void check(List<LiveAddress> streams, List<JsonNode> assets, int clips, Random random)
            throws Exception {
        Samples putS = s3.putSeconds();
        ClipChecks cutter = new ClipChecks(cluster.nodes(), judge);
        List<ClipChecks.Place> places = new ArrayList<>();
        for (LiveAddress stream : streams) {
            List<JsonNode> own =
                    assets.stream()
                            .filter(
                                    asset ->
                                            asset.path("live_stream_id")
                                                    .asText()
                                                    .equals(stream.id()))
                            .toList();
            List<Recorded> recorded = new ArrayList<>();
            for (JsonNode asset : own) {
                recorded.addAll(segments(asset));
            }
            LostMedia media = new LostMedia(judge.listed().of(stream.id()), recorded);
            for (Loss loss : takeovers.judge(stream.id(), media, putS)) {
                if (loss.isOneAsset()) {
                    own.stream()
                            .filter(
                                    asset ->
                                            loss.after()
                                                    .equals(
                                                            Optional.of(
                                                                    asset.path("asset_id")
                                                                            .asText())))
                            .forEach(
                                    asset ->
                                            places.add(
                                                    new ClipChecks.Place(
                                                            asset, media.assetTimeUs(loss) / 1e6)));
                }
            }
        }
        takeovers.addTo(report, putS);
        Collections.shuffle(places, random);
        for (ClipChecks.Place place : places.subList(0, Math.min(clips, places.size()))) {
            cutter.check(place);
        }
        cutter.addTo(report);
        verify();
    }

    /** Of a finished asset, with their dates. */
    private List<Recorded> segments(JsonNode asset) throws IOException, InterruptedException {
        URI multivariant =
                cluster.nodes()
                        .getFirst()
                        .playback(asset.at("/playback_ids/0/id").asText() + ".m3u8");
        try (HttpClient client = HttpClient.newHttpClient()) {
            URI media = LowLatencyPlaylist.mediaOf(text(client, multivariant), multivariant);
            return ViewedWindow.parse(text(client, media), media).listed().stream()
                    .map(each -> new Recorded(asset.path("asset_id").asText(), each.span()))
                    .toList();
        }
    }

    private static String text(HttpClient client, URI address)
            throws IOException, InterruptedException {
        return client.send(
                        HttpRequest.newBuilder(address).timeout(REPLY).build(),
                        BodyHandlers.ofString())
                .body();
    }

    /** When all uploads are done, or do not end. */
    private void verify() throws IOException, InterruptedException {
        long endNs = System.nanoTime() + UPLOADED.toNanos();
        long waiting = waiting();
        while (waiting > 0 && System.nanoTime() - endNs < 0) {
            Thread.sleep(POLL);
            waiting = waiting();
        }
        Command.Result verified =
                cluster.nodes().getFirst().server().run(List.of("storage", "verify", "--orphans"));
        verified.text().lines().forEach(line -> report.note("storage verify: %s", line));
        List<String> faults = new ArrayList<>();
        if (waiting > 0) {
            faults.add(waiting + " assets wait for their upload");
        }
        if (verified.exit() != 0) {
            faults.add("exit code %d: %s".formatted(verified.exit(), verified.text().strip()));
        }
        judge.judge(Check.VERIFY, faults);
    }

    private long waiting() throws IOException, InterruptedException {
        long waiting = 0;
        for (ClusterNode node : cluster.nodes()) {
            waiting += node.get("/system/v1/storage").path("waiting_assets").asLong();
        }
        return waiting;
    }
}
