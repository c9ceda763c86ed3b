package touchline.benchmarks.players;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import touchline.benchmarks.load.LocalSite;
import touchline.benchmarks.load.Report;

/**
 * Web players of one address, for a benchmark that causes faults: whether each plays on behind a
 * fault, without help. Owned by one thread.
 */
public final class FaultPlayers implements AutoCloseable {
    private static final Duration STARTED = Duration.ofSeconds(60);
    private static final Duration WENT_ON = Duration.ofSeconds(60);
    private static final Duration POLL = Duration.ofMillis(200);

    /** Beyond what a player has loaded when it starts with a stream. */
    private static final double SETTLED_S = 15;

    /** A position may be a little behind the end of what is loaded, and never reach it. */
    private static final double BEYOND_S = 0.5;

    /** A player that has stood for so long, or stands, leaves what it logged; hls.js logs. */
    private static final long LONG_MS = 8_000;

    private final LocalSite site;
    private final Report report;
    private final List<Watched> players = new ArrayList<>();

    /** A player, and how it took the faults so far. */
    private static final class Watched {
        private final WebPlayer player;
        private int faults;
        private int wentOn;
        private long loggedMs;

        Watched(WebPlayer player) {
            this.player = player;
        }
    }

    private FaultPlayers(LocalSite site, Report report) {
        this.site = site;
        this.report = report;
    }

    /**
     * Starts them, each in a Chromium of its own; the caller closes them.
     *
     * @param names of {@code bench players}, with commas between them
     * @param report beside whose file the logs lie of players that stood for long
     */
    public static FaultPlayers open(String names, URI address, Report report) throws Exception {
        List<String> wanted = List.of(names.split(",", -1));
        FaultPlayers all = new FaultPlayers(PlayerSite.open(), report);
        try {
            for (PlayerKind kind : PlayerKind.values()) {
                if (kind.isWeb() && wanted.contains(kind.argument())) {
                    all.start(kind, address);
                }
            }
            if (all.players.size() < wanted.size()) {
                throw new IllegalArgumentException(
                        "players: " + names + " (expected: web players, such as hls,shaka)");
            }
            return all;
        } catch (Exception e) {
            all.close();
            throw e;
        }
    }

    /**
     * Starts a player, and once more if it does not settle: Shaka (5.2) that starts within the
     * first segments of a stream may keep its first position for good, and stands once ten seconds
     * are loaded, without any fault.
     */
    private void start(PlayerKind kind, URI address) throws Exception {
        if (!settles(kind, address)) {
            report.note("  %s does not settle, and is started again", kind);
            if (!settles(kind, address)) {
                throw new IllegalStateException(kind + " does not start");
            }
        }
    }

    private boolean settles(PlayerKind kind, URI address) throws Exception {
        Watched watched = new Watched(WebPlayer.start(site, kind, address, /* startMs= */ 0));
        players.add(watched);
        watched.player.begin();
        boolean settles = hasReached(watched, SETTLED_S, STARTED);
        if (!settles) {
            players.remove(watched);
            watched.player.stop();
        }
        return settles;
    }

    /** A fault is about to begin. */
    public void faultBegins() {
        for (Watched each : players) {
            each.faults++;
        }
    }

    /**
     * Waits until each plays media that it has not loaded yet. Called when the newest fault is over
     * for the streams: what was loaded before it is no proof, and neither is what arrived
     * meanwhile.
     *
     * @return one line for each that does not
     */
    public List<String> stopped() throws InterruptedException, IOException {
        List<String> stopped = new ArrayList<>();
        for (Watched each : players) {
            double loadedS = each.player.position().loadedS();
            if (hasReached(each, loadedS + BEYOND_S, WENT_ON)) {
                each.wentOn++;
            } else {
                stopped.add(
                        "%s stands at %.1f s, had loaded up to %.1f s; %d hinted parts refused; %s"
                                .formatted(
                                        each.player.kind(),
                                        each.player.position().timeS(),
                                        loadedS,
                                        each.player.refusedHints(),
                                        each.player.result().errors()));
                writeLog(each);
            }
            keepLog(each);
        }
        return stopped;
    }

    private void keepLog(Watched each) throws InterruptedException, IOException {
        WebPlayer.Still newest = null;
        for (WebPlayer.Still still : each.player.stills()) {
            if (still.fromMs() > each.loggedMs && still.lengthMs() >= LONG_MS) {
                newest = still;
            }
        }
        if (newest == null) {
            return;
        }
        each.loggedMs = newest.fromMs();
        report.note(
                "  %s stood for %.1f s, since %s",
                each.player.kind(), newest.lengthMs() / 1e3, Instant.ofEpochMilli(newest.fromMs()));
        writeLog(each);
    }

    private void writeLog(Watched each) throws InterruptedException, IOException {
        List<String> logged = each.player.logged();
        if (!logged.isEmpty()) {
            String name = "player-%s-%d.log".formatted(each.player.kind().argument(), each.faults);
            Files.write(report.folder().resolve(name), logged);
        }
    }

    private static boolean hasReached(Watched each, double seconds, Duration limit)
            throws InterruptedException {
        long endNs = System.nanoTime() + limit.toNanos();
        while (each.player.position().timeS() <= seconds) {
            if (System.nanoTime() - endNs > 0) {
                return false;
            }
            Thread.sleep(POLL);
        }
        return true;
    }

    /** Writes the table. */
    public void addTo(Report report) throws InterruptedException {
        Report.Table table =
                report.table("players", "player | faults | went on | longest still s | errors");
        for (Watched each : players) {
            PlayerResult result = each.player.result();
            table.row(
                    result.player(),
                    each.faults,
                    "%d of %d".formatted(each.wentOn, each.faults),
                    each.player.longestStillS(),
                    result.errors().size());
            result.errors().forEach(error -> report.note("  %s: %s", result.player(), error));
        }
    }

    @Override
    public void close() throws IOException {
        for (Watched each : players) {
            each.player.stop();
        }
        site.close();
    }
}
