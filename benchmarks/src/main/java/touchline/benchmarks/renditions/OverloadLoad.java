package touchline.benchmarks.renditions;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import touchline.benchmarks.ingest.PlaylistWatch;
import touchline.benchmarks.load.Arguments;
import touchline.benchmarks.load.Benchmark;
import touchline.benchmarks.load.CameraSource;
import touchline.benchmarks.load.LiveAddress;
import touchline.benchmarks.load.PushMedia;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.Senders;
import touchline.benchmarks.load.TouchlineServer;

/**
 * Live streams with renditions on a host whose processors other programs take, and give back: which
 * renditions are dropped and taken back, in which order, and whether the sources have every
 * segment.
 */
public final class OverloadLoad implements Benchmark {
    private static final Duration POLL = Duration.ofMillis(500);
    private static final Duration START = Duration.ofSeconds(60);

    /** Below the server, above its renditions. */
    private static final int NICENESS = 4;

    private final int streams;
    private final Duration calm;
    private final Duration loaded;
    private final Duration after;
    private final int burners;
    private final Report report;

    /**
     * Streams, and seconds without other load, with it, and without it again: 4, 15, 30 and 180 by
     * default; {@code --burners} processes that do nothing but use a processor, 8 for each
     * processor by default. Where the host cannot carry all renditions, those count that run after
     * a minute.
     */
    public OverloadLoad(Arguments given, Report report) {
        streams = given.number(0, 4);
        calm = Duration.ofSeconds(given.number(1, 15));
        loaded = Duration.ofSeconds(given.number(2, 30));
        after = Duration.ofSeconds(given.number(3, 180));
        burners = given.option("--burners", 8 * Runtime.getRuntime().availableProcessors());
        this.report = report;
    }

    /**
     * A change of a rendition.
     *
     * @param atS since the start of the watch
     */
    private record Change(double atS, int stream, int height, boolean running) {}

    /** Returns 1 if a source lacks a segment, or fewer renditions run at the end than before. */
    @Override
    public int run() throws Exception {
        Duration all = START.plus(calm).plus(loaded).plus(after);
        PushMedia media = CameraSource.CAMERA.media(all.toSeconds());
        try (TouchlineServer server = TouchlineServer.startFromClassPath()) {
            List<LiveAddress> addresses = new ArrayList<>();
            for (int i = 0; i < streams; i++) {
                addresses.add(server.stream("{\"renditions\":\"auto\"}"));
            }
            try (Senders senders = Senders.start(addresses, media);
                    Watch watch = new Watch(server, addresses)) {
                int before = watch.awaitStart();
                report.note("%d of %d renditions run", before, watch.renditions());
                watch.during(calm);
                report.note("%d processes take the processors", burners);
                List<Process> load = burn();
                double fromS = watch.nowS();
                try {
                    watch.during(loaded);
                } finally {
                    end(load);
                }
                double untilS = watch.nowS();
                report.note("they are gone");
                watch.until(before, after);
                senders.requireAlive();
                return judge(watch, before, fromS, untilS, senders.mostBehindMs());
            }
        }
    }

    private List<Process> burn() throws IOException {
        List<Process> started = new ArrayList<>();
        for (int i = 0; i < burners; i++) {
            started.add(
                    new ProcessBuilder(
                                    "nice",
                                    "-n",
                                    String.valueOf(NICENESS),
                                    "sh",
                                    "-c",
                                    "while :; do :; done")
                            .start());
        }
        return started;
    }

    private static void end(List<Process> load) throws InterruptedException {
        for (Process each : load) {
            each.destroyForcibly().waitFor();
        }
    }

    private int judge(Watch watch, int before, double fromS, double untilS, long behindMs)
            throws Exception {
        List<Change> drops = watch.changes.stream().filter(each -> !each.running()).toList();
        List<Change> returns = watch.changes.stream().filter(Change::running).toList();
        for (Change each : watch.changes) {
            report.note(
                    "  %.1f s: stream %d, %dp %s",
                    each.atS(), each.stream(), each.height(), each.running() ? "back" : "dropped");
        }
        long disordered = watch.disordered();
        report.table(
                        "overload",
                        "streams | renditions | ran before | dropped | first after s | out of order | back after"
                                + " s, all | sources: segments missing | covered s, least | encoders"
                                + " behind ms, most")
                .row(
                        streams,
                        watch.renditions(),
                        before,
                        drops.size(),
                        drops.isEmpty() ? "" : drops.getFirst().atS() - fromS,
                        disordered,
                        returns.isEmpty() ? "" : returns.getLast().atS() - untilS,
                        watch.holes(),
                        watch.coveredSeconds(),
                        behindMs);
        boolean good = watch.holes() == 0 && watch.running() >= before && disordered == 0;
        return good ? 0 : 1;
    }

    /** Polls the renditions of all sessions, and the playlists of the sources. One thread. */
    private static final class Watch implements AutoCloseable {
        private final TouchlineServer server;
        private final List<LiveAddress> addresses;
        private final List<PlaylistWatch> playlists = new ArrayList<>();
        private final List<Map<Integer, Boolean>> states = new ArrayList<>();
        private final List<Change> changes = new ArrayList<>();
        private final long startNs = System.nanoTime();
        private long disordered;

        Watch(TouchlineServer server, List<LiveAddress> addresses) throws IOException {
            this.server = server;
            this.addresses = addresses;
            for (LiveAddress each : addresses) {
                playlists.add(new PlaylistWatch(each.watch()));
                states.add(new TreeMap<>());
            }
        }

        double nowS() {
            return (System.nanoTime() - startNs) / 1e9;
        }

        /** Returns how many run once all do, or after a while. */
        int awaitStart() throws Exception {
            long deadlineNs = System.nanoTime() + START.toNanos();
            do {
                Thread.sleep(POLL);
                look();
            } while ((states.stream().anyMatch(Map::isEmpty) || running() < renditions())
                    && System.nanoTime() < deadlineNs);
            if (running() == 0) {
                throw new IllegalStateException("no renditions within " + START);
            }
            changes.clear();
            return running();
        }

        void during(Duration time) throws Exception {
            long endNs = System.nanoTime() + time.toNanos();
            while (System.nanoTime() < endNs) {
                look();
                Thread.sleep(POLL);
            }
        }

        void until(int run, Duration atMost) throws Exception {
            long endNs = System.nanoTime() + atMost.toNanos();
            while (System.nanoTime() < endNs && running() < run) {
                look();
                Thread.sleep(POLL);
            }
        }

        private void look() throws Exception {
            for (int i = 0; i < addresses.size(); i++) {
                playlists.get(i).load();
                Map<Integer, Boolean> before = states.get(i);
                Map<Integer, Boolean> now = new TreeMap<>();
                for (JsonNode each :
                        server.get("/live/v1/live-streams/" + addresses.get(i).id() + "/sessions")
                                .path(0)
                                .path("renditions")) {
                    now.put(
                            each.path("height").asInt(),
                            each.path("state").asText().equals("running"));
                }
                note(i, before, now);
                states.set(i, now);
            }
        }

        /** The smallest that runs is never larger than one that does not. */
        private void note(int stream, Map<Integer, Boolean> before, Map<Integer, Boolean> now) {
            boolean larger = false;
            boolean wrong = false;
            for (Map.Entry<Integer, Boolean> each : now.entrySet()) {
                wrong |= each.getValue() && larger;
                larger |= !each.getValue();
                Boolean was = before.get(each.getKey());
                if (was != null && !was.equals(each.getValue())) {
                    changes.add(new Change(nowS(), stream, each.getKey(), each.getValue()));
                }
            }
            disordered += wrong ? 1 : 0;
        }

        int running() {
            return states.stream()
                    .mapToInt(each -> Collections.frequency(each.values(), true))
                    .sum();
        }

        long disordered() {
            return disordered;
        }

        int renditions() {
            return states.stream().mapToInt(Map::size).sum();
        }

        long holes() throws IOException {
            long missing = 0;
            for (PlaylistWatch each : playlists) {
                missing += each.holes() + each.missing();
            }
            return missing;
        }

        double coveredSeconds() {
            return playlists.stream().mapToDouble(PlaylistWatch::coveredSeconds).min().orElse(0);
        }

        @Override
        public void close() throws IOException {
            for (PlaylistWatch each : playlists) {
                each.close();
            }
        }
    }
}
