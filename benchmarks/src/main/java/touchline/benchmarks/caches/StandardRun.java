package touchline.benchmarks.caches;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import touchline.benchmarks.load.Bounds;
import touchline.benchmarks.load.CameraSource;
import touchline.benchmarks.load.LiveAddress;
import touchline.benchmarks.load.LiveEdge;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.Senders;
import touchline.benchmarks.load.TouchlineServer;

/** Players of one stream of latency mode standard at nginx: how many requests reach the server. */
final class StandardRun {
    private static final Duration START = Duration.ofSeconds(60);

    /** One interval of their polls, so that they spread over it as real ones do. */
    private static final long JOIN_NS = TimeUnit.SECONDS.toNanos(4);

    /** For the answers to the last requests. */
    private static final Duration LAST_ANSWERS = Duration.ofSeconds(3);

    private static final double HIT_PERCENT = 99;

    private final int players;
    private final int seconds;
    private final Report report;
    private final Bounds bounds;

    StandardRun(int players, int seconds, Report report, Bounds bounds) {
        this.players = players;
        this.seconds = seconds;
        this.report = report;
        this.bounds = bounds;
    }

    void run() throws Exception {
        try (TouchlineServer server = TouchlineServer.start();
                CacheProgram cache = CacheProgram.nginx(server)) {
            LiveAddress stream = server.stream("{\"latency_mode\":\"standard\"}");
            var pushed = CameraSource.SMALL.media(seconds + 180L);
            try (Senders senders = Senders.start(List.of(stream), pushed)) {
                URI media;
                try (LiveEdge edge = LiveEdge.open(stream.watch(), START)) {
                    media = cache.at(edge.media());
                }
                cache.awaitAnswer(stream.watch());
                OriginRequests before = OriginRequests.of(server);
                Set<String> segments = new HashSet<>();
                PlayerCounts counts = play(media, segments);
                judge(before, OriginRequests.of(server), counts, segments.size());
                senders.requireAlive();
            }
        }
    }

    /** Returns when the loop has ended, which alone writes into the set. */
    private PlayerCounts play(URI media, Set<String> segments) throws Exception {
        try (PlayerLoop loop = PlayerLoop.start("bench-cached-players")) {
            PlaylistReader reader = new PlaylistReader(media);
            List<StandardPlayer> all = new ArrayList<>();
            for (int i = 0; i < players; i++) {
                all.add(new StandardPlayer(loop, media, reader, segments));
            }
            loop.execute(
                    () -> {
                        for (int i = 0; i < players; i++) {
                            loop.after(JOIN_NS * i / players, all.get(i)::start);
                        }
                    });
            Thread.sleep(Duration.ofSeconds(seconds));
            loop.execute(() -> all.forEach(StandardPlayer::leave));
            Thread.sleep(LAST_ANSWERS);
            return loop.counts();
        }
    }

    private void judge(
            OriginRequests before, OriginRequests after, PlayerCounts counts, int different) {
        long segments = after.since(before, OriginRequests.SEGMENT);
        long playlists = after.since(before, OriginRequests.MEDIA_PLAYLIST);
        double hits = 100.0 * (counts.media() - segments) / counts.media();
        report.table(
                        "nginx_standard",
                        "players | seconds | segments | requests for segments"
                                + " | at the server | a segment | hit rate %"
                                + " | requests for playlists | at the server | hit rate %"
                                + " | failures")
                .row(
                        players,
                        seconds,
                        different,
                        counts.media(),
                        segments,
                        (double) segments / different,
                        hits,
                        counts.playlists(),
                        playlists,
                        100.0 * (counts.playlists() - playlists) / counts.playlists(),
                        counts.failures());
        if (counts.failures() > 0) {
            report.note("the last failure: %s", counts.failure());
        }
        if (100.0 / players > 100 - HIT_PERCENT) {
            report.note(
                    "each segment must reach the server once: with %d players the hit rate is at"
                            + " most %.1f %%",
                    players, 100 - 100.0 / players);
        }
        bounds.atLeast("nginx: hit rate of segments, %", hits, HIT_PERCENT);
        bounds.none("nginx: failed requests", counts.failures());
    }
}
