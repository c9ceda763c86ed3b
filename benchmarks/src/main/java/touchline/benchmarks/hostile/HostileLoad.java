package touchline.benchmarks.hostile;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import touchline.benchmarks.load.Arguments;
import touchline.benchmarks.load.Benchmark;
import touchline.benchmarks.load.CameraSource;
import touchline.benchmarks.load.FlvFile;
import touchline.benchmarks.load.LocalCertificate;
import touchline.benchmarks.load.PushMedia;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.Samples;
import touchline.benchmarks.load.Senders;
import touchline.benchmarks.load.TouchlineServer;

/**
 * All attacks of docs/security.md at once, beside five publishers and ten viewers, against one
 * server with a heap of 512 MiB. A minute alone, the attacks, a quiet minute.
 */
public final class HostileLoad implements Benchmark {
    private static final String HEAP = "-Xmx512m";

    /** Publishers of mode low come first. */
    private static final int LOW = 3;

    private static final Duration WARM_UP = Duration.ofSeconds(45);
    private static final Duration STEP = Duration.ofSeconds(10);
    private static final Duration COLLECTED = Duration.ofSeconds(3);

    private static final double VIEWERS_MS = 20;
    private static final double API_MS = 1_000;
    private static final double RESIDENT = 1.05;

    private final Duration attacked;
    private final Duration alone;
    private final String only;
    private final Report report;
    private final List<String> missed = new ArrayList<>();

    /**
     * Minutes of attacks, 10 by default; {@code --alone} seconds before and after, 60; {@code
     * --only} attacks whose name contains a text.
     */
    public HostileLoad(Arguments given, Report report) {
        attacked = Duration.ofMinutes(given.number(0, 10));
        alone = Duration.ofSeconds(given.option("--alone", 60));
        only = given.option("--only", "");
        this.report = report;
    }

    /** Returns 1 if a figure is missed. */
    @Override
    public int run() throws Exception {
        LocalCertificate certificate = LocalCertificate.create();
        certificate.trust();
        Map<String, String> environment = new HashMap<>(certificate.environment());
        environment.put("JDK_JAVA_OPTIONS", HEAP);
        environment.put("TOUCHLINE_MODERATION_DEMO_MODELS", "true");
        environment.put("TOUCHLINE_EGRESS_ALLOW", "127.0.0.0/8");
        long seconds = attacked.plus(alone.multipliedBy(2)).plus(WARM_UP).toSeconds() + 120;
        PushMedia media = CameraSource.CAMERA.media(seconds);
        try (TouchlineServer server = TouchlineServer.start(environment)) {
            try {
                measure(server, media);
            } finally {
                Files.copy(
                        server.log(),
                        report.folder().resolve("hostile-server.log"),
                        StandardCopyOption.REPLACE_EXISTING);
            }
        }
        missed.forEach(each -> report.note("missed: %s", each));
        return missed.isEmpty() ? 0 : 1;
    }

    private void measure(TouchlineServer server, PushMedia media) throws Exception {
        HostileStreams streams = HostileStreams.create(server);
        try (ServerSocket silent = new ServerSocket(0, 1_000, InetAddress.getLoopbackAddress());
                Senders senders = Senders.start(streams.honest(), media);
                Viewers viewers = Viewers.start(streams.honest(), LOW);
                ApiProbe probe = ApiProbe.start(server, streams.honest().getFirst().id())) {
            FlvFile source = FlvFile.read(CameraSource.SMALL.path());
            MediaAttacks publishers = new MediaAttacks(streams, source);
            report.note("warm-up: ordinary media with moderation, both scoreboards and gate");
            List<Attack> ordinary = new ArrayList<>(publishers.ordinary());
            ordinary.addAll(new ApiAttacks(server.api(), server.api()).ordinary());
            try (Attackers _ = Attackers.start(ordinary)) {
                Thread.sleep(WARM_UP);
            }
            phase(viewers, probe, Phase.ALONE);
            Thread.sleep(alone);
            phase(viewers, probe, Phase.START);
            ServerFigures before = collected(server);
            List<Attack> attacks = attacks(server, streams, publishers, silent);
            phase(viewers, probe, Phase.ATTACKED);
            Attackers attackers = Attackers.start(attacks);
            Attackers.standBack();
            ServerFigures most;
            try (attackers) {
                most = watch(server);
            }
            phase(viewers, probe, Phase.QUIET);
            report.note("quiet");
            Thread.sleep(alone);
            phase(viewers, probe, Phase.START);
            ServerFigures asIs = ServerFigures.of(server.process(), server.data());
            ServerFigures after = collected(server);
            senders.stop();
            viewers.stop();
            probe.stop();
            memory(before, most, asIs, after);
            publishers(senders);
            times("viewers", viewers.times(), viewers.reasons());
            times("api", probe.times(), probe.reasons());
            viewers(viewers.times());
            api(probe.times());
            attackers.write(
                    report.table("attacks", "attack | ended | attempts | after s, median | most"));
            log(server.log());
        }
    }

    private List<Attack> attacks(
            TouchlineServer server,
            HostileStreams streams,
            MediaAttacks publishers,
            ServerSocket silent) {
        URI nowhere = URI.create("http://127.0.0.1:" + silent.getLocalPort());
        List<Attack> all = new ArrayList<>(publishers.all());
        all.addAll(new RtmpAttacks(streams.jumps().push(), streams.flooded().push()).all());
        all.addAll(new ApiAttacks(server.api(), nowhere).all());
        all.addAll(new Http2Attacks(server.api()).all());
        return all.stream().filter(attack -> attack.name().contains(only)).toList();
    }

    private static void phase(Viewers viewers, ApiProbe probe, Phase next) {
        viewers.times().phase(next);
        probe.times().phase(next);
    }

    /** The largest figures during the attacks. */
    private ServerFigures watch(TouchlineServer server) throws IOException, InterruptedException {
        long endNs = System.nanoTime() + attacked.toNanos();
        ServerFigures most = ServerFigures.of(server.process(), server.data());
        while (System.nanoTime() < endNs) {
            Thread.sleep(STEP);
            ServerFigures now = ServerFigures.of(server.process(), server.data());
            report.note(
                    "attacked: RSS %.0f MiB, children %.0f MiB, heap %.0f MiB, %d files,"
                            + " %d threads, %d inodes",
                    now.residentMib(),
                    now.childrenMib(),
                    now.heapMib(),
                    now.files(),
                    now.threads(),
                    now.inodes());
            most = most.most(now);
        }
        return most;
    }

    private static ServerFigures collected(TouchlineServer server)
            throws IOException, InterruptedException {
        ServerFigures.collect(server.process());
        Thread.sleep(COLLECTED);
        return ServerFigures.of(server.process(), server.data());
    }

    private void memory(
            ServerFigures before, ServerFigures most, ServerFigures asIs, ServerFigures after) {
        Report.Table table =
                report.table(
                        "server",
                        "server | RSS MiB | child processes MiB | heap MiB | heap committed | metaspace | code"
                                + " | mapped files | open files | threads"
                                + " | files on disk");
        before.row(table, "before, heap collected");
        most.row(table, "attacked, most");
        asIs.row(table, "after a quiet time");
        after.row(table, "after, heap collected");
        require(
                after.residentMib() <= RESIDENT * before.residentMib(),
                "RSS back within 5 %%: %.0f -> %.0f MiB",
                before.residentMib(),
                after.residentMib());
    }

    private void publishers(Senders senders) {
        List<String> dead = senders.dead();
        report.table("publishers", "publishers | cut | waited ms, most")
                .row(HostileStreams.HONEST, dead.size(), senders.mostBehindMs());
        require(dead.isEmpty(), "no publisher cut: %s", dead);
    }

    private void times(String name, PhaseTimes times, Set<String> reasons) {
        Report.Table table =
                report.table(
                        name, name + " | requests | failed | p50 ms | p95 ms | p99 ms | most ms");
        for (Phase phase : List.of(Phase.ALONE, Phase.ATTACKED, Phase.QUIET)) {
            Samples ms = times.of(phase);
            table.row(
                    phase.shown(),
                    ms.count(),
                    times.failures(phase),
                    ms.median(),
                    ms.percentile(95),
                    ms.percentile(99),
                    ms.max());
        }
        reasons.forEach(reason -> report.note("%s: %s", name, reason));
    }

    private void viewers(PhaseTimes times) {
        double aloneMs = times.of(Phase.ALONE).percentile(95);
        double attackedMs = times.of(Phase.ATTACKED).percentile(95);
        require(
                attackedMs <= aloneMs + VIEWERS_MS,
                "viewers' p95 within 20 ms: %.1f -> %.1f ms",
                aloneMs,
                attackedMs);
        require(
                times.failures(Phase.ATTACKED) == 0,
                "requests of viewers failed: %d",
                times.failures(Phase.ATTACKED));
    }

    private void api(PhaseTimes times) {
        double ms = times.of(Phase.ATTACKED).percentile(99);
        require(ms < API_MS, "API p99 below 1 s: %.0f ms", ms);
    }

    private void log(Path log) throws IOException {
        List<String> errors =
                Files.readAllLines(log).stream().filter(line -> line.contains(" ERROR ")).toList();
        errors.stream().limit(10).forEach(line -> report.note("log: %s", line));
        require(errors.isEmpty(), "errors in the server's log: %d", errors.size());
    }

    @FormatMethod
    private void require(boolean held, @FormatString String format, Object... values) {
        if (!held) {
            missed.add(String.format(Locale.ROOT, format, values));
        }
    }
}
