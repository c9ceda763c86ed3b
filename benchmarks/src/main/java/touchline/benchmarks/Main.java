package touchline.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import touchline.benchmarks.assets.AssetLoad;
import touchline.benchmarks.caches.CachesLoad;
import touchline.benchmarks.certificates.CertificateLoad;
import touchline.benchmarks.charts.Charts;
import touchline.benchmarks.clients.ClientCheck;
import touchline.benchmarks.cluster.ClusterLoad;
import touchline.benchmarks.cluster.JobLoad;
import touchline.benchmarks.crash.CrashLoad;
import touchline.benchmarks.delivery.DeliveryLoad;
import touchline.benchmarks.delivery.EdgeLoad;
import touchline.benchmarks.events.EventLoad;
import touchline.benchmarks.failover.FailoverLoad;
import touchline.benchmarks.gpu.GpuPaths;
import touchline.benchmarks.home.HomeLoad;
import touchline.benchmarks.hostile.HostileLoad;
import touchline.benchmarks.inference.InferenceLoad;
import touchline.benchmarks.inference.SamplingLoad;
import touchline.benchmarks.ingest.IngestLoad;
import touchline.benchmarks.latency.LatencyLoad;
import touchline.benchmarks.load.Arguments;
import touchline.benchmarks.load.Benchmark;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.moderation.AlertLatency;
import touchline.benchmarks.moderation.GateLatency;
import touchline.benchmarks.moderation.SamplingCoverage;
import touchline.benchmarks.overlay.OverlayLoad;
import touchline.benchmarks.overlay.OverlayStreamLoad;
import touchline.benchmarks.overlay.PageLoad;
import touchline.benchmarks.players.AdaptiveLoad;
import touchline.benchmarks.players.PlayersLoad;
import touchline.benchmarks.players.StandbyLoad;
import touchline.benchmarks.players.SwitchingLoad;
import touchline.benchmarks.players.WatchPageLoad;
import touchline.benchmarks.relay.RelayLoad;
import touchline.benchmarks.renditions.OverloadLoad;
import touchline.benchmarks.renditions.RenditionLoad;
import touchline.benchmarks.restreams.RestreamLoad;
import touchline.benchmarks.signal.SignalLoad;
import touchline.benchmarks.simulation.OwnershipSimulation;
import touchline.benchmarks.supply.AdvisoryCheck;
import touchline.benchmarks.transcode.TranscodeSpeed;
import touchline.benchmarks.viewers.ViewersLoad;
import touchline.benchmarks.wall.WallLoad;

/** {@code ./touchline bench [NAME [ARGUMENTS]]}: runs one benchmark, {@code ingest} by default. */
public final class Main {
    private static final Path HOME = Path.of(System.getProperty("touchline.home", "."));

    /** Not below {@code target/touchline}, from which the launcher removes old files. */
    private static final Path RESULTS = HOME.resolve("target").resolve("bench");

    private static final Map<String, BiFunction<Arguments, Report, Benchmark>> ALL =
            new TreeMap<>(
                    Map.ofEntries(
                            Map.entry("adaptive", AdaptiveLoad::new),
                            Map.entry("advisories", AdvisoryCheck::new),
                            Map.entry("alerts", AlertLatency::new),
                            Map.entry("assets", AssetLoad::new),
                            Map.entry("caches", CachesLoad::new),
                            Map.entry("certificates", CertificateLoad::new),
                            Map.entry("clients", ClientCheck::new),
                            Map.entry("cluster", ClusterLoad::new),
                            Map.entry("cluster-jobs", JobLoad::new),
                            Map.entry("coverage", SamplingCoverage::new),
                            Map.entry("crash", CrashLoad::new),
                            Map.entry("delivery", DeliveryLoad::new),
                            Map.entry("edge", EdgeLoad::new),
                            Map.entry("events", EventLoad::new),
                            Map.entry("failover", FailoverLoad::new),
                            Map.entry("gate", GateLatency::new),
                            Map.entry("gpu", GpuPaths::new),
                            Map.entry("home", HomeLoad::new),
                            Map.entry("hostile", HostileLoad::new),
                            Map.entry("inference", InferenceLoad::new),
                            Map.entry("ingest", IngestLoad::new),
                            Map.entry("latency", LatencyLoad::new),
                            Map.entry("overload", OverloadLoad::new),
                            Map.entry("overlay", OverlayLoad::new),
                            Map.entry("overlay-stream", OverlayStreamLoad::new),
                            Map.entry("page", PageLoad::new),
                            Map.entry("players", PlayersLoad::new),
                            Map.entry("relay", RelayLoad::new),
                            Map.entry("renditions", RenditionLoad::new),
                            Map.entry("restreams", RestreamLoad::new),
                            Map.entry("sampling", SamplingLoad::new),
                            Map.entry("signal", SignalLoad::new),
                            Map.entry("simulation", OwnershipSimulation::new),
                            Map.entry("standby", StandbyLoad::new),
                            Map.entry("switching", SwitchingLoad::new),
                            Map.entry("transcode", TranscodeSpeed::new),
                            Map.entry("viewers", ViewersLoad::new),
                            Map.entry("wall", WallLoad::new),
                            Map.entry("watch", WatchPageLoad::new)));

    private Main() {}

    /**
     * @param args the name and the arguments of a benchmark
     */
    public static void main(String[] args) throws Exception {
        String name = args.length > 0 ? args[0] : "ingest";
        List<String> given = List.of(args).subList(Math.min(1, args.length), args.length);
        System.exit(run(name, given));
    }

    private static int run(String name, List<String> given) throws Exception {
        switch (name) {
            case "micro" -> org.openjdk.jmh.Main.main(given.toArray(String[]::new));
            case "charts" -> charts();
            default -> {
                BiFunction<Arguments, Report, Benchmark> benchmark = ALL.get(name);
                if (benchmark == null) {
                    System.err.printf(
                            "bench: unknown benchmark '%s' (expected: one of %s, charts, fuzz,"
                                    + " micro)%n",
                            name, String.join(", ", ALL.keySet()));
                    return 2;
                }
                Report report = new Report(name, System.out, RESULTS);
                int exit = benchmark.apply(new Arguments(given), report).run();
                report.finish();
                return exit;
            }
        }
        return 0;
    }

    private static void charts() throws IOException {
        Path docs = HOME.resolve("docs");
        Charts.write(docs.resolve("performance.json"), docs.resolve("images"))
                .forEach(System.out::println);
    }
}
