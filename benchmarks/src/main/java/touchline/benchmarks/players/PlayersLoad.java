package touchline.benchmarks.players;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;
import touchline.benchmarks.load.Arguments;
import touchline.benchmarks.load.Benchmark;
import touchline.benchmarks.load.CameraSource;
import touchline.benchmarks.load.LiveAddress;
import touchline.benchmarks.load.LocalSite;
import touchline.benchmarks.load.PushMedia;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.Senders;
import touchline.benchmarks.load.TouchlineServer;

/**
 * Players with their defaults: how soon they start, how far behind live they play, how often they
 * stall, how they take a return of the encoder, and whether they rewind.
 */
public final class PlayersLoad implements Benchmark {
    private static final long ROUND_MS = 2;

    /** Media before the players start. */
    private static final Duration BEFORE = Duration.ofSeconds(20);

    private static final Duration AWAY = Duration.ofSeconds(3);
    private static final Duration ASSET_LIMIT = Duration.ofSeconds(30);
    private static final int REWIND_TO_SECOND = 4;

    /** More than a stall on a busy machine; a player that is frozen stays so. */
    private static final double MOST_STILL_S = 5;

    private static final String ASSETS = "/video-streams/v1/assets";

    private final Duration play;
    private final double slackS;
    private final boolean together;
    private final List<PlayerKind> kinds;
    private final List<Scenario> scenarios;
    private final Report report;
    private final Report.Table table;
    private boolean failed;

    /**
     * Seconds of play, 20 by default; {@code --players} and {@code --scenarios} with commas between
     * their names, all by default; {@code --slack-s} seconds more than the targets; {@code
     * --together 1} runs all players of a scenario at the same time.
     */
    public PlayersLoad(Arguments given, Report report) {
        this.play = Duration.ofSeconds(given.number(0, 20));
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
                        "scenario | player | start s | behind live s, median | p95 | stalls | frozen s"
                                + " | rewind s | return s | errors");
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
        report.note("encoding the numbered frames");
        CameraSource.NUMBERED_SMALL.path();
        try (TouchlineServer server = TouchlineServer.startFromClassPath();
                LocalSite site = PlayerSite.open()) {
            for (Scenario scenario : scenarios) {
                if (together) {
                    watch(server, new Players(site, kinds), scenario);
                    continue;
                }
                for (PlayerKind kind : kinds) {
                    watch(server, new Players(site, List.of(kind)), scenario);
                }
            }
        }
        return failed ? 1 : 0;
    }

    /** The players of one run, and where their pages come from. */
    private record Players(LocalSite site, List<PlayerKind> kinds) {
        List<RunningPlayer> start(URI address, double startMs) throws Exception {
            List<RunningPlayer> started = new ArrayList<>();
            for (PlayerKind kind : kinds) {
                started.add(
                        kind.isWeb()
                                ? WebPlayer.start(site, kind, address, startMs)
                                : ProgramPlayer.start(kind, address, startMs));
            }
            return started;
        }
    }

    private void watch(TouchlineServer server, Players players, Scenario scenario)
            throws Exception {
        report.note("%s: %s", scenario.title(), players.kinds());
        LiveAddress stream =
                server.stream(
                        "{\"latency_mode\":\"%s\",\"reconnect_window\":60,\"record\":true}"
                                .formatted(scenario.latencyMode()));
        double startMs;
        try (Senders senders = push(stream, CameraSource.NUMBERED_SMALL)) {
            startMs = senders.startEpochMs();
            Thread.sleep(BEFORE);
            if (scenario != Scenario.VOD) {
                live(server, players, scenario, stream, senders);
                senders.requireAlive();
                return;
            }
        }
        server.call("PUT", "/live/v1/live-streams/" + stream.id() + "/complete", "");
        URI asset = asset(server, stream, /* finished= */ true);
        List<RunningPlayer> running = players.start(asset, startMs);
        try {
            Thread.sleep(play.dividedBy(2));
            rewind(running);
            add(scenario, running);
        } finally {
            close(running);
        }
    }

    private Senders push(LiveAddress stream, CameraSource source) throws Exception {
        long seconds = BEFORE.plus(play.multipliedBy(2)).toSeconds() + 30;
        PushMedia media = source.media(seconds);
        return Senders.start(List.of(stream), media, ROUND_MS);
    }

    private void live(
            TouchlineServer server,
            Players players,
            Scenario scenario,
            LiveAddress stream,
            Senders senders)
            throws Exception {
        URI address =
                switch (scenario) {
                    case DVR -> URI.create(stream.watch() + "?dvr=1");
                    case GROWING_ASSET -> asset(server, stream, /* finished= */ false);
                    case LIVE_LOW, LIVE_STANDARD, RECONNECT, OTHER_SIZE, VOD -> stream.watch();
                };
        List<RunningPlayer> running = players.start(address, senders.startEpochMs());
        try {
            Thread.sleep(play);
            if (scenario.hasReturn()) {
                senders.close();
                Thread.sleep(AWAY);
                comeBack(scenario, stream, running);
                return;
            }
            if (!scenario.isLive()) {
                rewind(running);
            }
            add(scenario, running);
        } finally {
            close(running);
        }
    }

    private void comeBack(Scenario scenario, LiveAddress stream, List<RunningPlayer> running)
            throws Exception {
        CameraSource source =
                scenario == Scenario.OTHER_SIZE
                        ? CameraSource.NUMBERED_SMALLER
                        : CameraSource.NUMBERED_SMALL;
        try (Senders again = push(stream, source)) {
            for (RunningPlayer player : running) {
                player.encoderIsBack(again.startEpochMs());
            }
            Thread.sleep(play);
            add(scenario, running);
            again.requireAlive();
        }
    }

    private void rewind(List<RunningPlayer> running) throws Exception {
        for (RunningPlayer player : running) {
            player.rewind(REWIND_TO_SECOND);
        }
        Thread.sleep(play.dividedBy(2));
    }

    private static void close(List<RunningPlayer> running) throws Exception {
        for (RunningPlayer player : running) {
            player.close();
        }
    }

    private static URI asset(TouchlineServer server, LiveAddress stream, boolean finished)
            throws Exception {
        long deadlineNs = System.nanoTime() + ASSET_LIMIT.toNanos();
        while (System.nanoTime() < deadlineNs) {
            List<JsonNode> found = new ArrayList<>();
            server.each(ASSETS + "?live_stream_id=" + stream.id(), found::add);
            for (JsonNode asset : found) {
                boolean live = asset.path("is_live").asBoolean();
                boolean ready = asset.path("status").asText().equals("ready");
                if (finished ? ready && !live : live) {
                    return server.playback(asset.at("/playback_ids/0/id").asText() + ".m3u8");
                }
            }
            Thread.sleep(Duration.ofMillis(50));
        }
        throw new IOException("no asset of " + stream.id() + " within " + ASSET_LIMIT);
    }

    private void add(Scenario scenario, List<RunningPlayer> running) throws Exception {
        for (RunningPlayer player : running) {
            PlayerResult result = player.result();
            table.row(
                    scenario.title(),
                    result.player(),
                    shown(result.startS()),
                    scenario.isLive() ? result.behind().median() : "",
                    scenario.isLive() ? result.behind().percentile(95) : "",
                    result.stalls(),
                    result.frozenS(),
                    shown(result.rewindS()),
                    shown(result.returnS()),
                    result.errors().size());
            result.errors().stream()
                    .limit(3)
                    .forEach(error -> report.note("  %s: %s", result.player(), error));
            judge(scenario, result, player instanceof WebPlayer);
        }
    }

    private void judge(Scenario scenario, PlayerResult result, boolean web) {
        boolean starts = result.startS().isPresent();
        boolean returns = !scenario.hasReturn() || result.returnS().isPresent();
        boolean rewinds = scenario.isLive() || !web || result.rewindS().isPresent();
        boolean near =
                !scenario.isLive()
                        || !web
                        || result.behind().median() <= scenario.targetS() + slackS;
        boolean flows = result.stillS() <= MOST_STILL_S;
        if (!(starts && returns && rewinds && near && flows)) {
            report.note(
                    "  FAILED %s, %s: starts=%b returns=%b rewinds=%b near=%b flows=%b",
                    scenario.title(), result.player(), starts, returns, rewinds, near, flows);
            failed = true;
        }
    }

    private static Object shown(OptionalDouble value) {
        return value.isPresent() ? value.getAsDouble() : "";
    }
}
