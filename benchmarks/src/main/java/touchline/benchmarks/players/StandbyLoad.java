package touchline.benchmarks.players;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import touchline.benchmarks.load.Arguments;
import touchline.benchmarks.load.Benchmark;
import touchline.benchmarks.load.LocalSite;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.TouchlineServer;

/**
 * Players of streams whose encoder loses its connection again and again, with a standby: how long
 * playback stands, whether a player gives up, and whether there is one session and one recording
 * that decodes without a complaint.
 */
public final class StandbyLoad implements Benchmark {
    /** Seconds without the encoder, one after the other. */
    private static final List<Integer> AWAY_S = List.of(1, 2, 3, 5, 8, 13, 20, 40);

    private static final Duration FIRST_FRAME = Duration.ofSeconds(40);
    private static final Duration BEFORE = Duration.ofSeconds(10);
    private static final long LEAST_ON_AIR_S = 4;

    /** Where the standby begins after 1.5 s. */
    private static final double MOST_STILL_LOW_S = 2.5;

    private final int kills;
    private final long seconds;
    private final double afterS;
    private final String mode;
    private final List<String> latencies;
    private final List<PlayerKind> players;
    private final Report report;
    private final Report.Table table;

    /**
     * Seconds of play, 600 by default; {@code --kills}, 20 by default; {@code --after}, 1.5 by
     * default; {@code --standby} {@code freeze} or {@code slate}; {@code --players} and {@code
     * --latency} with commas between their names, hls and shaka, low and standard by default.
     */
    public StandbyLoad(Arguments given, Report report) {
        this.seconds = given.number(0, 600);
        this.kills = given.option("--kills", 20);
        this.afterS = Double.parseDouble(given.option("--after", "1.5"));
        this.mode = given.option("--standby", "freeze");
        this.latencies = List.of(given.option("--latency", "low,standard").split(",", -1));
        List<String> names = List.of(given.option("--players", "hls,shaka").split(",", -1));
        this.players =
                List.of(PlayerKind.values()).stream()
                        .filter(kind -> kind.isWeb() && names.contains(kind.argument()))
                        .toList();
        this.report = report;
        this.table =
                report.table(
                        "standby",
                        "latency | player | played s | kills | away s | longest still s | errors"
                                + " | sessions | complaints");
    }

    /** Returns 1 if a player gave up, or playback stood too long. */
    @Override
    public int run() throws Exception {
        report.note("encoding the numbered frames");
        EncodedStream.Media media = EncodedStream.Media.of(seconds + 60);
        boolean good = true;
        try (TouchlineServer server = TouchlineServer.startFromClassPath();
                LocalSite site = PlayerSite.open()) {
            for (String latency : latencies) {
                good &= watch(server, site, latency, media);
            }
        }
        return good ? 0 : 1;
    }

    private boolean watch(
            TouchlineServer server, LocalSite site, String latency, EncodedStream.Media media)
            throws Exception {
        String standby = "\"standby\":{\"mode\":\"%s\",\"after\":%s}".formatted(mode, afterS);
        List<WebPlayer> running = new ArrayList<>();
        try (EncodedStream stream = EncodedStream.start(server, latency, standby, media)) {
            stream.awaitMedia(BEFORE);
            for (PlayerKind kind : players) {
                WebPlayer player = WebPlayer.start(site, kind, stream.watch(), stream.startMs());
                running.add(player);
                player.begin();
            }
            for (WebPlayer player : running) {
                awaitStart(player);
            }
            long awayS = interrupt(stream, latency, running);
            int sessions = stream.sessions();
            List<PlayerResult> results = new ArrayList<>();
            List<Double> still = new ArrayList<>();
            for (WebPlayer player : running) {
                still.add(player.longestStillS());
                results.add(player.result());
                int refused = player.refusedHints();
                if (refused > 0) {
                    report.note(
                            "  %s: %d hinted parts did not come",
                            results.getLast().player(), refused);
                }
            }
            String complaints = complaints(stream.finishedAsset());
            boolean good = complaints.isEmpty() && sessions == 1;
            for (int i = 0; i < results.size(); i++) {
                PlayerResult result = results.get(i);
                table.row(
                        latency,
                        result.player(),
                        seconds,
                        kills,
                        awayS,
                        still.get(i),
                        result.errors().size(),
                        sessions,
                        complaints.lines().count());
                result.errors().forEach(error -> report.note("  %s: %s", result.player(), error));
                good &= result.errors().isEmpty();
                good &= latency.equals("standard") || still.get(i) <= MOST_STILL_LOW_S;
            }
            complaints.lines().limit(5).forEach(line -> report.note("  recording: %s", line));
            return good;
        } finally {
            for (WebPlayer player : running) {
                player.stop();
            }
        }
    }

    private static void awaitStart(WebPlayer player) throws Exception {
        long deadlineNs = System.nanoTime() + FIRST_FRAME.toNanos();
        while (!player.hasStarted() && System.nanoTime() < deadlineNs) {
            Thread.sleep(100);
        }
    }

    /** Returns the seconds without an encoder. */
    private long interrupt(EncodedStream stream, String latency, List<WebPlayer> running)
            throws Exception {
        long awayS = 0;
        for (int i = 0; i < kills; i++) {
            awayS += AWAY_S.get(i % AWAY_S.size());
        }
        long onAirS = Math.max(LEAST_ON_AIR_S, (seconds - awayS) / (kills + 1));
        Thread.sleep(Duration.ofSeconds(onAirS));
        for (int i = 0; i < kills; i++) {
            int away = AWAY_S.get(i % AWAY_S.size());
            report.note("%s: kill %d of %d, away for %d s", latency, i + 1, kills, away);
            long leftMs = System.currentTimeMillis();
            stream.leave();
            Thread.sleep(Duration.ofSeconds(away));
            stream.comeBack();
            Thread.sleep(Duration.ofSeconds(onAirS));
            for (WebPlayer player : running) {
                noteStills(player, leftMs);
            }
        }
        return awayS;
    }

    private void noteStills(WebPlayer player, long leftMs) throws InterruptedException {
        for (WebPlayer.Still still : player.stills()) {
            if (still.fromMs() + still.lengthMs() >= leftMs) {
                report.note(
                        "  %s: stood for %.2f s, from %.2f s after the loss",
                        player.kind().argument(),
                        still.lengthMs() / 1e3,
                        (still.fromMs() - leftMs) / 1e3);
            }
        }
    }

    /** What ffmpeg says about the recording when it decodes all of it. */
    private static String complaints(URI asset) throws Exception {
        Process ffmpeg =
                new ProcessBuilder(
                                "ffmpeg",
                                "-v",
                                "warning",
                                "-i",
                                asset.toString().replace(".m3u8", "/capped-1080p.mp4"),
                                "-f",
                                "null",
                                "-")
                        .redirectErrorStream(true)
                        .start();
        String said = new String(ffmpeg.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int exit = ffmpeg.waitFor();
        return exit == 0 ? said : said + "exit " + exit;
    }
}
