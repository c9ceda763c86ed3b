package touchline.benchmarks.caches;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import touchline.benchmarks.load.Bounds;
import touchline.benchmarks.load.CameraSource;
import touchline.benchmarks.load.Command;
import touchline.benchmarks.load.LowLatencyPlaylist;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.TouchlineServer;

/**
 * A finished recording at nginx: the playlist with all its media, and the MP4 as a whole and by
 * ranges. All bytes are compared with those of the server; viewers that come later cost it nothing.
 */
final class RecordingRun {
    private static final String ASSETS = "/video-streams/v1/assets";

    /** Long enough for an MP4 of several slices of the cache. */
    private static final int MEDIA_SECONDS = 60;

    private static final long READY_LIMIT_NS = TimeUnit.MINUTES.toNanos(2);
    private static final long POLL_MS = 200;
    private static final int VIEWERS = 50;
    private static final int RANGES = 200;

    /** The slices of deploy/nginx/touchline.conf. */
    private static final long SLICE_BYTES = 4L << 20;

    private final Report report;
    private final Bounds bounds;

    RecordingRun(Report report, Bounds bounds) {
        this.report = report;
        this.bounds = bounds;
    }

    void run() throws Exception {
        try (TouchlineServer server = TouchlineServer.start();
                CacheProgram cache = CacheProgram.nginx(server);
                RangeClient client = new RangeClient()) {
            String id = recorded(server).at("/playback_ids/0/id").asText();
            playlist(server, cache, client, server.playback(id + ".m3u8"));
            mp4(server, cache, client, server.playback(id + "/capped-1080p.mp4"));
        }
    }

    private static JsonNode recorded(TouchlineServer server) throws Exception {
        URI push = server.stream("{\"record\":true,\"reconnect_window\":0}").push();
        Command.require(
                Command.words(
                        "ffmpeg -v error -stream_loop %d -i %s -c copy -t %d -f flv %s",
                        MEDIA_SECONDS / CameraSource.CAMERA.seconds() - 1,
                        CameraSource.CAMERA.path(),
                        MEDIA_SECONDS,
                        push));
        long startNs = System.nanoTime();
        while (System.nanoTime() - startNs < READY_LIMIT_NS) {
            JsonNode asset = server.get(ASSETS).path(0);
            if (asset.path("status").asText().equals("ready")
                    && !asset.path("is_live").asBoolean()) {
                return asset;
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
        }
        throw new IOException("the recording was not ready after 2 minutes");
    }

    /** What several viewers received from the cache. */
    private static final class Compared {
        private final AtomicLong files = new AtomicLong();
        private final AtomicLong bytes = new AtomicLong();
        private final AtomicLong differing = new AtomicLong();

        private void whole(byte[] expected, RangeClient.Answer answer) {
            add(answer, answer.status() == 200 && Arrays.equals(expected, answer.body()));
        }

        /**
         * @param from first byte
         * @param to behind the last byte
         */
        private void range(byte[] file, int from, int to, RangeClient.Answer answer) {
            String expected = "bytes %d-%d/%d".formatted(from, to - 1, file.length);
            add(
                    answer,
                    answer.status() == 206
                            && answer.contentRange().equals(expected)
                            && Arrays.equals(
                                    file, from, to, answer.body(), 0, answer.body().length));
        }

        private void add(RangeClient.Answer answer, boolean same) {
            files.incrementAndGet();
            bytes.addAndGet(answer.body().length);
            differing.addAndGet(same ? 0 : 1);
        }
    }

    /** A file of the recording, as the server sends it. */
    @SuppressWarnings("ArrayRecordComponent") // read-only
    private record File(URI address, byte[] body) {}

    private void playlist(
            TouchlineServer server, CacheProgram cache, RangeClient client, URI multivariant)
            throws Exception {
        List<File> files = new ArrayList<>();
        File first = file(client, multivariant);
        URI media = LowLatencyPlaylist.mediaOf(text(first), multivariant);
        File second = file(client, media);
        files.add(first);
        files.add(second);
        for (String line : text(second).lines().toList()) {
            if (line.startsWith("#EXT-X-MAP:URI=\"")) {
                files.add(file(client, media.resolve(line.split("\"", 3)[1])));
            } else if (!line.isEmpty() && !line.startsWith("#")) {
                files.add(file(client, media.resolve(line)));
            }
        }
        OriginRequests before = OriginRequests.of(server);
        Compared compared = new Compared();
        Together.run(
                VIEWERS,
                _ -> {
                    for (File file : files) {
                        compared.whole(file.body(), client.get(cache.at(file.address())));
                    }
                });
        OriginRequests after = OriginRequests.of(server);
        int segments = files.size() - 3;
        long asked = after.since(before, OriginRequests.SEGMENT);
        report.table(
                        "nginx_vod",
                        "viewers | segments | requests | MB | segments at the server"
                                + " | playlists at the server | answers that differ")
                .row(
                        VIEWERS,
                        segments,
                        compared.files.get(),
                        compared.bytes.get() / 1e6,
                        asked,
                        after.since(before, OriginRequests.MEDIA_PLAYLIST),
                        compared.differing.get());
        bounds.none("nginx, VOD: answers that differ", compared.differing.get());
        bounds.atMost(
                "nginx, VOD: requests at the server, a segment", (double) asked / segments, 1);
    }

    private void mp4(TouchlineServer server, CacheProgram cache, RangeClient client, URI mp4)
            throws Exception {
        byte[] whole = file(client, mp4).body();
        URI cached = cache.at(mp4);
        OriginRequests before = OriginRequests.of(server);
        Compared compared = new Compared();
        compared.whole(whole, client.get(cached));
        long slices = OriginRequests.of(server).since(before, OriginRequests.MP4);
        Together.run(
                VIEWERS,
                viewer -> {
                    SplittableRandom random = new SplittableRandom(viewer);
                    for (int i = 0; i < RANGES / VIEWERS; i++) {
                        int from = random.nextInt(whole.length);
                        int to = Math.min(whole.length, from + 1 + random.nextInt(1 << 20));
                        compared.range(whole, from, to, client.get(cached, from, to - 1L));
                    }
                });
        compared.whole(whole, client.get(cached));
        long all = OriginRequests.of(server).since(before, OriginRequests.MP4);
        report.table(
                        "nginx_mp4",
                        "MB | requests, two for the whole file and others for ranges"
                                + " | requests at the server for the first | for all others"
                                + " | answers that differ")
                .row(
                        whole.length / 1e6,
                        compared.files.get(),
                        slices,
                        all - slices,
                        compared.differing.get());
        bounds.none("nginx, MP4: answers that differ", compared.differing.get());
        bounds.atMost(
                "nginx, MP4: requests at the server, a slice",
                (double) slices / Math.ceilDiv(whole.length, SLICE_BYTES),
                1);
        bounds.none("nginx, MP4: requests at the server when it is cached", all - slices);
    }

    private static File file(RangeClient client, URI address) throws Exception {
        RangeClient.Answer answer = client.get(address);
        if (answer.status() != 200) {
            throw new IOException(address + ": HTTP " + answer.status() + " (expected: 200)");
        }
        return new File(address, answer.body());
    }

    private static String text(File file) {
        return new String(file.body(), StandardCharsets.UTF_8);
    }
}
