package touchline.benchmarks.players;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;
import touchline.benchmarks.load.Arguments;
import touchline.benchmarks.load.Benchmark;
import touchline.benchmarks.load.LocalSite;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.Samples;
import touchline.benchmarks.load.TouchlineServer;

/**
 * Players with the settings of docs/playback.md, one at a time: how soon they start, how far behind
 * live they play, how often they stall, how they take a return of the encoder, and whether they
 * rewind.
 */
public final class PlayersLoad implements Benchmark {
    /** For the first frame, or the first one of an encoder that returned. */
    private static final Duration LIMIT = Duration.ofSeconds(40);

    private static final Duration POLL = Duration.ofMillis(500);
    private static final int REWIND_TO_SECOND = 4;

    /** Media that an encoder has ready; the recorded stream is the longest. */
    private static final long MEDIA_S = 900;

    /** More than a stall on a busy machine; a player that is frozen stays so. */
    private static final double MOST_STILL_S = 5;

    private final Duration play;

    /** Media before the players start. */
    private final Duration before;

    private final double slackS;
    private final boolean together;
    private final List<PlayerKind> kinds;
    private final List<Scenario> scenarios;
    private final Report report;
    private final Report.Table table;
    private boolean failed;

    /**
     * Seconds of play, 10 by default, half of it behind a return and a seek; {@code --players} and
     * {@code --scenarios} with commas between their names, all by default; {@code --before-s}
     * seconds of media before the players start, 20 by default; {@code --slack-s} seconds more than
     * the targets; {@code --together 1} runs all players of a scenario at the same time.
     */
    public PlayersLoad(Arguments given, Report report) {
        this.play = Duration.ofSeconds(given.number(0, 10));
        this.before = Duration.ofSeconds(given.option("--before-s", 20));
        this.slackS = given.option("--slack-s", 0);
        this.together = given.option("--together", 0) == 1;
        this.kinds =
                chosen(given.option("--players", ""), PlayerKind.values(), PlayerKind::argument);
        this.scenarios =
                chosen(given.option("--scenarios", ""), Scenario.values(), Scenario::argument);
        this.report = report;
        this.table =
                report.table(
                        "players",
                        "scenario | player | start s | behind live s, median | p95 | target s"
                                + " | stalls | frozen s | rewind s | return s | errors");
    }

    private static <T> List<T> chosen(String names, T[] all, Function<T, String> name) {
        if (names.isEmpty()) {
            return List.of(all);
        }
        List<String> wanted = List.of(names.split(",", -1));
        return Arrays.stream(all).filter(each -> wanted.contains(name.apply(each))).toList();
    }

    /** Returns 1 if a player showed nothing, or was further behind live than its target. */
    @Override
    public int run() throws Exception {
        List<PlayerKind> installed = kinds.stream().filter(PlayerProgram::isInstalled).toList();
        kinds.stream()
                .filter(kind -> !installed.contains(kind))
                .forEach(kind -> report.note("left out, not installed: %s", kind.argument()));
        List<List<PlayerKind>> groups =
                together ? List.of(installed) : installed.stream().map(List::of).toList();
        report.note("encoding the numbered frames");
        EncodedStream.Media media = EncodedStream.Media.of(MEDIA_S);
        try (TouchlineServer server = TouchlineServer.startFromClassPath();
                LocalSite site = PlayerSite.open()) {
            List<Players> all = groups.stream().map(group -> new Players(site, group)).toList();
            for (List<Scenario> chain : Scenario.liveChains()) {
                if (chain.stream().anyMatch(scenarios::contains)) {
                    live(server, media, all, chain);
                }
            }
            recorded(server, media, all);
        }
        return failed ? 1 : 0;
    }

    /** The players of one run, and where their pages come from. */
    private record Players(LocalSite site, List<PlayerKind> kinds) {
        List<RunningPlayer> open(URI address, double startMs) throws Exception {
            List<RunningPlayer> opened = new ArrayList<>();
            for (PlayerKind kind : kinds) {
                opened.add(
                        kind.isWeb()
                                ? WebPlayer.start(site, kind, address, startMs)
                                : new ProgramPlayer(kind, address, startMs));
            }
            return opened;
        }
    }

    /** Each has a stream of its own, whose encoder starts while the one before is watched. */
    private void live(
            TouchlineServer server,
            EncodedStream.Media media,
            List<Players> all,
            List<Scenario> chain)
            throws Exception {
        String mode = chain.getFirst().latencyMode();
        Deque<EncodedStream> streams = new ArrayDeque<>();
        try {
            for (int i = 0; i < all.size(); i++) {
                while (streams.size() < Math.min(2, all.size() - i)) {
                    streams.addLast(EncodedStream.start(server, mode, media));
                }
                try (EncodedStream stream = streams.removeFirst()) {
                    stream.awaitMedia(before);
                    watch(stream, all.get(i), chain);
                }
            }
        } finally {
            for (EncodedStream stream : streams) {
                stream.close();
            }
        }
    }

    private void watch(EncodedStream stream, Players players, List<Scenario> chain)
            throws Exception {
        List<RunningPlayer> running = players.open(stream.watch(), stream.startMs());
        try {
            if (chain.getFirst() == Scenario.LIVE_STANDARD) {
                stream.awaitSegment();
            }
            begin(running);
            for (Scenario scenario : chain) {
                if (scenario.hasReturn() && !scenarios.contains(scenario)) {
                    continue;
                }
                report.note("%s: %s", scenario.title(), players.kinds());
                boolean plays =
                        scenario.hasReturn()
                                ? comeBack(stream, scenario, running)
                                : await(RunningPlayer::hasStarted, running);
                Thread.sleep(scenario.hasReturn() ? play.dividedBy(2) : play);
                if (scenarios.contains(scenario)) {
                    add(scenario, running);
                }
                if (!plays && !together) {
                    return;
                }
            }
            stream.requireAlive();
        } finally {
            stop(running);
        }
    }

    private static boolean comeBack(
            EncodedStream stream, Scenario scenario, List<RunningPlayer> running) throws Exception {
        stream.leaveAndReturn(scenario.source());
        for (RunningPlayer player : running) {
            player.encoderIsBack(stream.startMs());
        }
        return await(RunningPlayer::hasReturned, running);
    }

    /** All play one stream: from its start, as it grows, and when it has ended. */
    private void recorded(TouchlineServer server, EncodedStream.Media media, List<Players> all)
            throws Exception {
        List<Scenario> wanted = scenarios.stream().filter(each -> !each.isLive()).toList();
        if (wanted.isEmpty()) {
            return;
        }
        try (EncodedStream stream =
                EncodedStream.start(server, wanted.getFirst().latencyMode(), media)) {
            stream.awaitMedia(before);
            for (Scenario scenario : wanted) {
                URI address =
                        switch (scenario) {
                            case GROWING_ASSET -> stream.growingAsset();
                            case VOD -> stream.finishedAsset();
                            default -> URI.create(stream.watch() + "?dvr=1");
                        };
                for (Players players : all) {
                    report.note("%s: %s", scenario.title(), players.kinds());
                    rewind(players, scenario, address, stream.startMs());
                }
            }
        }
    }

    private void rewind(Players players, Scenario scenario, URI address, double startMs)
            throws Exception {
        List<RunningPlayer> running = players.open(address, startMs);
        try {
            begin(running);
            await(RunningPlayer::hasStarted, running);
            Thread.sleep(play.dividedBy(2));
            if (players.kinds().stream().anyMatch(PlayerKind::isWeb)) {
                for (RunningPlayer player : running) {
                    player.rewind(REWIND_TO_SECOND);
                }
                Thread.sleep(play.dividedBy(2));
            }
            add(scenario, running);
        } finally {
            stop(running);
        }
    }

    /** Something that a player has done. */
    private interface Done {
        boolean by(RunningPlayer player) throws Exception;
    }

    /** Returns false if a player has not done it within the limit. */
    private static boolean await(Done done, List<RunningPlayer> running) throws Exception {
        long deadlineNs = System.nanoTime() + LIMIT.toNanos();
        for (RunningPlayer player : running) {
            while (!done.by(player)) {
                if (System.nanoTime() > deadlineNs) {
                    return false;
                }
                Thread.sleep(POLL);
            }
        }
        return true;
    }

    private static void begin(List<RunningPlayer> running) throws Exception {
        for (RunningPlayer player : running) {
            player.begin();
        }
    }

    private static void stop(List<RunningPlayer> running) throws Exception {
        for (RunningPlayer player : running) {
            player.stop();
        }
    }

    private void add(Scenario scenario, List<RunningPlayer> running) throws Exception {
        for (RunningPlayer player : running) {
            PlayerResult result = player.result();
            Samples behind = scenario.isLive() ? result.behind() : new Samples();
            table.row(
                    scenario.title(),
                    result.player(),
                    shown(result.startS()),
                    behind.count() > 0 ? behind.median() : "",
                    behind.count() > 0 ? behind.percentile(95) : "",
                    shown(scenario.targetS(player.kind())),
                    result.stalls(),
                    result.frozenS(),
                    shown(result.rewindS()),
                    scenario.hasReturn() ? shown(result.returnS()) : "",
                    result.errors().size());
            result.errors().stream()
                    .limit(3)
                    .forEach(error -> report.note("  %s: %s", result.player(), error));
            judge(scenario, result, player.kind());
        }
    }

    private void judge(Scenario scenario, PlayerResult result, PlayerKind kind) {
        boolean starts = result.startS().isPresent();
        boolean returns = !scenario.hasReturn() || result.returnS().isPresent();
        boolean rewinds = !scenario.isRewound(kind) || result.rewindS().isPresent();
        OptionalDouble target = scenario.targetS(kind);
        boolean near =
                target.isEmpty() || result.behind().median() <= target.getAsDouble() + slackS;
        boolean flows = result.stillS() <= MOST_STILL_S;
        if (!(starts && returns && rewinds && near && flows)) {
            report.note(
                    "  FAILED %s, %s: starts=%b returns=%b rewinds=%b near=%b flows=%b (still %.1f s)",
                    scenario.title(),
                    result.player(),
                    starts,
                    returns,
                    rewinds,
                    near,
                    flows,
                    result.stillS());
            failed = true;
        }
    }

    private static Object shown(OptionalDouble value) {
        return value.isPresent() ? value.getAsDouble() : "";
    }
}
