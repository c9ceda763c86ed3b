package touchline.benchmarks;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import touchline.benchmarks.assets.AssetLoad;
import touchline.benchmarks.crash.CrashLoad;
import touchline.benchmarks.delivery.DeliveryLoad;
import touchline.benchmarks.events.EventLoad;
import touchline.benchmarks.inference.InferenceLoad;
import touchline.benchmarks.inference.SamplingLoad;
import touchline.benchmarks.latency.LatencyLoad;
import touchline.benchmarks.load.Arguments;
import touchline.benchmarks.load.IngestLoad;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.moderation.AlertLatency;
import touchline.benchmarks.moderation.GateLatency;
import touchline.benchmarks.overlay.OverlayLoad;
import touchline.benchmarks.overlay.OverlayStreamLoad;
import touchline.benchmarks.overlay.PageLoad;
import touchline.benchmarks.transcode.TranscodeSpeed;

/** {@code ./touchline bench [NAME]}: which benchmark runs. */
public final class Main {
    private static final Path HOME = Path.of(System.getProperty("touchline.home", "."));
    private static final Path LAUNCHER = HOME.resolve("touchline");

    /** Not below {@code target/touchline}, which the launcher tidies. */
    private static final Path RESULTS = HOME.resolve("target").resolve("bench");

    private static final Map<String, Benchmark> ALL = new LinkedHashMap<>();

    static {
        ALL.put(
                "ingest",
                given -> new IngestLoad(LAUNCHER, IngestLoad.Plan.of(given), System.out).run());
        ALL.put(
                "delivery",
                given ->
                        new DeliveryLoad(LAUNCHER, DeliveryLoad.Plan.of(given), report("delivery"))
                                .run(RESULTS));
        ALL.put(
                "latency",
                given ->
                        new LatencyLoad(LAUNCHER, LatencyLoad.Plan.of(given), report("latency"))
                                .run(RESULTS));
        ALL.put(
                "assets",
                given -> new AssetLoad(AssetLoad.Plan.of(given), report("assets")).run(RESULTS));
        ALL.put(
                "crash",
                given -> new CrashLoad(CrashLoad.Plan.of(given), report("crash")).run(RESULTS));
        ALL.put(
                "events",
                given ->
                        new EventLoad(LAUNCHER, EventLoad.Plan.of(given), report("events"))
                                .run(RESULTS));
        ALL.put(
                "overlay",
                given ->
                        new OverlayLoad(OverlayLoad.Plan.of(given), report("overlay"))
                                .run(RESULTS));
        ALL.put(
                "page",
                given -> new PageLoad(PageLoad.Plan.of(given), report("page")).run(RESULTS));
        ALL.put(
                "inference",
                given ->
                        new InferenceLoad(InferenceLoad.Plan.of(given), report("inference"))
                                .run(RESULTS));
        ALL.put(
                "sampling",
                given ->
                        new SamplingLoad(SamplingLoad.Plan.of(given), report("sampling"))
                                .run(RESULTS));
        ALL.put(
                "alerts",
                given ->
                        new AlertLatency(LAUNCHER, report("alerts"))
                                .run(AlertLatency.Plan.of(given), RESULTS));
        ALL.put(
                "gate",
                given ->
                        new GateLatency(LAUNCHER, report("gate"))
                                .run(GateLatency.Plan.of(given), RESULTS));
        ALL.put(
                "overlay-stream",
                given ->
                        new OverlayStreamLoad(
                                        OverlayStreamLoad.Plan.of(given), report("overlay-stream"))
                                .run(RESULTS));
        ALL.put(
                "transcode",
                given ->
                        new TranscodeSpeed(
                                        LAUNCHER,
                                        TranscodeSpeed.Plan.of(given),
                                        report("transcode"))
                                .run(RESULTS));
        ALL.put("micro", Main::micro);
    }

    /** Runs with what was given behind its name; answers the exit code. */
    private interface Benchmark {
        int run(Arguments given) throws Exception;
    }

    private Main() {}

    /**
     * @param args the benchmark's name and its own arguments
     */
    public static void main(String[] args) throws Exception {
        String name = args.length > 0 ? args[0] : "ingest";
        Benchmark wanted = ALL.get(name);
        if (wanted == null) {
            System.err.println(
                    "bench: unknown benchmark '%s' (expected: one of %s)"
                            .formatted(name, ALL.keySet()));
            System.exit(2);
        } else {
            System.exit(wanted.run(new Arguments(List.of(args).subList(name(args), args.length))));
        }
    }

    private static int name(String[] args) {
        return Math.min(1, args.length);
    }

    private static Report report(String name) {
        return new Report(name, System.out);
    }

    private static int micro(Arguments given) throws Exception {
        org.openjdk.jmh.Main.main(given.all().toArray(String[]::new));
        return 0;
    }
}
