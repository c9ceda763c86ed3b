package touchline.benchmarks.caches;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.LongPredicate;
import touchline.benchmarks.load.Bounds;
import touchline.benchmarks.load.CameraSource;
import touchline.benchmarks.load.LiveAddress;
import touchline.benchmarks.load.LiveEdge;
import touchline.benchmarks.load.ProcessUsage;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.Senders;
import touchline.benchmarks.load.TouchlineServer;

/**
 * Players of one low-latency stream at Varnish, beside one player of each kind at the server. All
 * have the same code. The requests of the players at the server are subtracted.
 */
final class LowLatencyRun {
    private static final Duration START = Duration.ofSeconds(60);

    /** Parts before the first measured one, so that all players have found the live edge. */
    private static final Duration SETTLE = Duration.ofSeconds(5);

    /** Longest time in which the last measured part reaches all players. */
    private static final Duration LAST_PART = Duration.ofSeconds(15);

    private static final long POLL_MS = 100;

    /** Of all players at the cache; the system keeps 15 characters of a name. */
    private static final String THREAD = "bench-cached";

    private static final long JOIN_NS = TimeUnit.SECONDS.toNanos(5);

    /** One origin request a part, and a twentieth for what is requested again. */
    private static final double REQUESTS_A_PART = 1.05;

    private final int players;
    private final int seconds;
    private final int partMs;
    private final Report report;
    private final Bounds bounds;

    /**
     * @param partMs target duration of a part
     */
    LowLatencyRun(int players, int seconds, int partMs, Report report, Bounds bounds) {
        this.players = players;
        this.seconds = seconds;
        this.partMs = partMs;
        this.report = report;
        this.bounds = bounds;
    }

    /** Players of a loop and what they received. */
    private static final class Audience implements AutoCloseable {
        private final PlayerLoop loop;
        private final Map<LowLatencyPlayer.Kind, ReceivedParts> received =
                new EnumMap<>(LowLatencyPlayer.Kind.class);

        private Audience(String name) throws IOException {
            loop = PlayerLoop.start(name);
        }

        /** Half of them of each kind; an odd one is of the first. */
        private void join(URI media, int players, long withinNs) {
            PlaylistReader reader = new PlaylistReader(media);
            LowLatencyPlayer.Kind[] kinds = LowLatencyPlayer.Kind.values();
            List<LowLatencyPlayer> all = new ArrayList<>();
            for (int i = 0; i < players; i++) {
                LowLatencyPlayer.Kind kind = kinds[i % kinds.length];
                all.add(new LowLatencyPlayer(loop, kind, media, reader, of(kind)));
            }
            loop.execute(
                    () -> {
                        for (int i = 0; i < players; i++) {
                            loop.after(withinNs * i / players, all.get(i)::start);
                        }
                    });
        }

        private ReceivedParts of(LowLatencyPlayer.Kind kind) {
            return received.computeIfAbsent(kind, _ -> new ReceivedParts());
        }

        private int receivers(String path) {
            return received.values().stream().mapToInt(parts -> parts.receivers(path)).sum();
        }

        /** Reads what belongs to the thread of the loop. */
        private <T> T ask(Callable<T> question) throws Exception {
            FutureTask<T> answer = new FutureTask<>(question);
            loop.execute(answer);
            return answer.get();
        }

        @Override
        public void close() throws IOException {
            loop.close();
        }
    }

    /** One moment of the run. */
    private record Moment(
            long ns,
            OriginRequests origin,
            double directPlaylists,
            double directParts,
            double serverCpu,
            double cacheCpu,
            double playersCpu) {}

    void run() throws Exception {
        try (TouchlineServer server =
                        TouchlineServer.start(
                                Map.of("TOUCHLINE_PACKAGER_LOW_PART", partMs + "ms"));
                CacheProgram cache = CacheProgram.varnish(server)) {
            LiveAddress stream = server.stream("{\"latency_mode\":\"low\"}");
            var pushed = CameraSource.SMALL.media(seconds + 180L);
            try (Senders senders = Senders.start(List.of(stream), pushed)) {
                URI media;
                try (LiveEdge edge = LiveEdge.open(stream.watch(), START)) {
                    media = edge.media();
                }
                cache.awaitAnswer(stream.watch());
                Audience direct = new Audience("bench-direct-players");
                Audience cached = new Audience(THREAD);
                try (direct;
                        cached) {
                    measure(server, cache, media, direct, cached);
                }
                senders.requireAlive();
            }
        }
    }

    private void measure(
            TouchlineServer server, CacheProgram cache, URI media, Audience direct, Audience cached)
            throws Exception {
        direct.join(media, LowLatencyPlayer.Kind.values().length, /* withinNs= */ 0);
        cached.join(cache.at(media), players, JOIN_NS);
        Thread.sleep(Duration.ofNanos(JOIN_NS).plus(SETTLE));
        report.note("%d players have joined", players);
        Moment from = moment(server, cache, direct);
        Thread.sleep(Duration.ofSeconds(seconds));
        Moment to = moment(server, cache, direct);
        awaitLastPart(direct, cached);
        cached.close();
        direct.close();
        judge(from, to, direct, cached);
        PlayerCounts counts = cached.loop.counts();
        if (counts.failures() > 0) {
            report.note("the last failure: %s", counts.failure());
        }
    }

    private void awaitLastPart(Audience direct, Audience cached) throws Exception {
        String newest = direct.ask(() -> direct.of(LowLatencyPlayer.Kind.LISTED).newest());
        long startNs = System.nanoTime();
        while (cached.ask(() -> cached.receivers(newest)) < players
                && System.nanoTime() - startNs < LAST_PART.toNanos()) {
            Thread.sleep(POLL_MS);
        }
    }

    /** The server counts at some time during the request, in the mean in its middle. */
    private static Moment moment(TouchlineServer server, CacheProgram cache, Audience direct)
            throws IOException, InterruptedException {
        PlayerCounts counts = direct.loop.counts();
        long startNs = System.nanoTime();
        long playlists = counts.playlists();
        long parts = counts.media();
        OriginRequests origin = OriginRequests.of(server);
        return new Moment(
                startNs + (System.nanoTime() - startNs) / 2,
                origin,
                (playlists + counts.playlists()) / 2.0,
                (parts + counts.media()) / 2.0,
                ProcessUsage.of(server.process()).cpuSeconds(),
                ProcessUsage.of(cache.process()).cpuSeconds(),
                ProcessUsage.threadsCpuSeconds(ProcessHandle.current(), THREAD));
    }

    private void judge(Moment from, Moment to, Audience direct, Audience cached) {
        LongPredicate time = ns -> ns - from.ns() >= 0 && ns - to.ns() < 0;
        Report.Table delays =
                report.table(
                        "varnish_delay",
                        "parts are requested when | players | parts | delay against the server ms,"
                                + " median | p95 | p99 | most | missing | repeated | of other size");
        int parts = 0;
        long wrong = 0;
        for (var kind : LowLatencyPlayer.Kind.values()) {
            boolean listed = kind == LowLatencyPlayer.Kind.LISTED;
            // The first kind has the odd player.
            int count = listed ? (players + 1) / 2 : players / 2;
            ReceivedParts.Comparison compared =
                    cached.of(kind).against(direct.of(kind), count, time);
            delays.row(
                    listed ? "listed" : "hinted",
                    count,
                    compared.parts(),
                    compared.delayMs().median(),
                    compared.delayMs().percentile(95),
                    compared.delayMs().percentile(99),
                    compared.delayMs().max(),
                    compared.missing(),
                    compared.repeated(),
                    compared.differing());
            parts = Math.max(parts, compared.parts());
            wrong += compared.missing() + compared.repeated() + compared.differing();
        }
        bounds.atLeast("Varnish: parts measured", parts, 1);
        bounds.none("Varnish: parts missed, repeated or of other size", wrong);
        judgeOrigin(from, to, parts, cached.loop.counts());
    }

    private void judgeOrigin(Moment from, Moment to, int parts, PlayerCounts counts) {
        double playlistsAsked =
                (double) to.origin().since(from.origin(), OriginRequests.MEDIA_PLAYLIST)
                        - (to.directPlaylists() - from.directPlaylists());
        double partsAsked =
                (double) to.origin().since(from.origin(), OriginRequests.PART)
                        - (to.directParts() - from.directParts());
        double passed = (to.ns() - from.ns()) / 1e9;
        report.table(
                        "varnish_origin",
                        "players | seconds | parts | playlists at the server | a part"
                                + " | parts at the server | a part | hints without a part"
                                + " | server CPU % | Varnish CPU % | players CPU %"
                                + " | reconnects | failures")
                .row(
                        players,
                        passed,
                        parts,
                        playlistsAsked,
                        playlistsAsked / parts,
                        partsAsked,
                        partsAsked / parts,
                        counts.missingHints(),
                        100 * (to.serverCpu() - from.serverCpu()) / passed,
                        100 * (to.cacheCpu() - from.cacheCpu()) / passed,
                        100 * (to.playersCpu() - from.playersCpu()) / passed,
                        counts.reconnects(),
                        counts.failures());
        bounds.atMost(
                "Varnish: playlists requested of the server, a part",
                playlistsAsked / parts,
                REQUESTS_A_PART);
        bounds.atMost(
                "Varnish: parts requested of the server, a part",
                partsAsked / parts,
                REQUESTS_A_PART);
        bounds.none("Varnish: failed requests", counts.failures());
    }
}
