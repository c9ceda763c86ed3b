package touchline.benchmarks.players;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import touchline.benchmarks.load.Arguments;
import touchline.benchmarks.load.Benchmark;
import touchline.benchmarks.load.LiveAddress;
import touchline.benchmarks.load.LocalSite;
import touchline.benchmarks.load.PushMedia;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.Senders;
import touchline.benchmarks.load.TouchlineServer;

/**
 * Players of a live stream with renditions whose network becomes slow and fast again: which
 * renditions they show, whether they wait for media, and whether a change shows a frame twice or
 * leaves one out. Each frame carries its number.
 */
public final class AdaptiveLoad implements Benchmark {
    private static final List<PlayerKind> KINDS =
            List.of(PlayerKind.HLS_JS, PlayerKind.PAGES, PlayerKind.SHAKA);
    private static final List<String> MODES = List.of("standard", "low");

    /** The players are the subject, and need the processors too. */
    private static final Map<String, String> CHEAP = Map.of("TOUCHLINE_ENCODER_SPEED", "ultrafast");

    private static final Duration ROUND_TRIP = Duration.ofMillis(30);

    /** Players start three segments behind the end of the playlist: they must be there. */
    private static final Duration BEFORE = Duration.ofSeconds(16);

    private static final Duration START = Duration.ofSeconds(60);
    private static final Duration POLL = Duration.ofMillis(200);

    private final Duration fast;
    private final Duration slow;
    private final Duration fastAgain;
    private final long fastBps;
    private final long slowBps;
    private final List<String> modes;
    private final LadderSource source;
    private final List<PlayerKind> kinds;
    private final Report report;
    private final Report.Table table;
    private boolean failed;

    /**
     * Seconds at the fast rate, at the slow one, and at the fast one again: 20, 30 and 40 by
     * default; {@code --fast-kbps} 6000, {@code --slow-kbps} 600; {@code --mode} and {@code
     * --player} for one of them; {@code --small 1} for a source of 360p.
     */
    public AdaptiveLoad(Arguments given, Report report) {
        fast = Duration.ofSeconds(given.number(0, 20));
        slow = Duration.ofSeconds(given.number(1, 30));
        fastAgain = Duration.ofSeconds(given.number(2, 40));
        fastBps = 1_000L * given.option("--fast-kbps", 6_000);
        slowBps = 1_000L * given.option("--slow-kbps", 600);
        source = given.option("--small", 0) == 1 ? LadderSource.SMALL : LadderSource.LARGE;
        String mode = given.option("--mode", "");
        modes = MODES.stream().filter(each -> mode.isEmpty() || each.equals(mode)).toList();
        String player = given.option("--player", "");
        kinds =
                KINDS.stream()
                        .filter(each -> player.isEmpty() || each.argument().equals(player))
                        .toList();
        this.report = report;
        table =
                report.table(
                        "adaptive",
                        "mode | player | frames shown | changes | width at the slow rate | width at"
                                + " the end | waits | waited s | frames twice or left out | errors");
    }

    /** Returns 1 if a player did not change both ways, or showed a frame twice or left one out. */
    @Override
    public int run() throws Exception {
        Duration all = fast.plus(slow).plus(fastAgain);
        PushMedia media = source.source().media(START.plus(BEFORE).plus(all).toSeconds());
        try (LocalSite site = PlayerSite.open()) {
            for (String mode : modes) {
                for (PlayerKind kind : kinds) {
                    // Another server: no load of one run drops a rendition of the next.
                    try (TouchlineServer server = TouchlineServer.startFromClassPath(CHEAP)) {
                        LiveAddress address = server.stream(source.settings(mode));
                        try (Senders sender = Senders.start(List.of(address), media)) {
                            RunningRenditions.await(address, LadderSource.RENDITIONS);
                            Thread.sleep(BEFORE);
                            play(site, kind, mode, address, sender);
                            sender.requireAlive();
                        }
                    }
                }
            }
        }
        return failed ? 1 : 0;
    }

    private void play(
            LocalSite site, PlayerKind kind, String mode, LiveAddress address, Senders sender)
            throws Exception {
        WebPlayer player =
                WebPlayer.start(
                        site,
                        kind,
                        address.watch(),
                        sender.startEpochMs(),
                        source.source(),
                        /* switching= */ false);
        try {
            player.network(fastBps, ROUND_TRIP);
            player.begin();
            long deadlineNs = System.nanoTime() + START.toNanos();
            while (!player.hasStarted() && System.nanoTime() < deadlineNs) {
                Thread.sleep(POLL);
            }
            player.watch();
            Thread.sleep(fast);
            report.note("%s, %s: %d kbit/s", mode, kind.argument(), slowBps / 1_000);
            player.network(slowBps, ROUND_TRIP);
            Thread.sleep(slow);
            report.note("%s, %s: %d kbit/s", mode, kind.argument(), fastBps / 1_000);
            player.network(fastBps, ROUND_TRIP);
            Thread.sleep(fastAgain);
            add(mode, player.result(), player.watched());
        } finally {
            player.stop();
        }
    }

    private void add(String mode, PlayerResult result, WatchedFrames watched) {
        double slowWidth = watched.smallestWidth((double) fast.toSeconds());
        table.row(
                mode,
                result.player(),
                watched.count(),
                Math.max(0, watched.widths().size() - 1),
                slowWidth,
                watched.lastWidth(),
                watched.waits().size(),
                watched.waitedS(),
                watched.breaks().size(),
                result.errors().size());
        report.note("  widths %s", watched.widths());
        report.note("  waits %s, breaks %s", watched.waits(), watched.breaks());
        result.errors().stream().limit(3).forEach(error -> report.note("  %s", error));
        boolean changes = slowWidth > 0 && slowWidth < watched.lastWidth();
        failed |= !changes || !watched.breaks().isEmpty() || !result.errors().isEmpty();
    }
}
