package touchline.benchmarks;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import touchline.benchmarks.delivery.DeliveryLoad;
import touchline.benchmarks.events.EventLoad;
import touchline.benchmarks.latency.LatencyLoad;
import touchline.benchmarks.load.IngestLoad;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.moderation.AlertLatency;

/** {@code ./touchline bench [NAME]}: which benchmark runs. */
public final class Main {
    private static final List<String> NAMES =
            List.of("ingest", "delivery", "latency", "events", "alerts", "micro");
    private static final Path HOME = Path.of(System.getProperty("touchline.home", "."));
    private static final Path LAUNCHER = HOME.resolve("touchline");

    /** Not below {@code target/touchline}, which the launcher tidies. */
    private static final Path RESULTS = HOME.resolve("target").resolve("bench");

    private Main() {}

    /**
     * @param args the benchmark's name and its own arguments
     */
    public static void main(String[] args) throws Exception {
        String name = args.length > 0 ? args[0] : "ingest";
        List<String> rest = Arrays.asList(args).subList(Math.min(1, args.length), args.length);
        System.exit(
                switch (name) {
                    case "ingest" -> new IngestLoad(LAUNCHER, ingest(rest), System.out).run();
                    case "delivery" ->
                            new DeliveryLoad(
                                            LAUNCHER,
                                            delivery(rest),
                                            new Report("delivery", System.out))
                                    .run(RESULTS);
                    case "latency" ->
                            new LatencyLoad(
                                            LAUNCHER,
                                            latency(rest),
                                            new Report("latency", System.out))
                                    .run(RESULTS);
                    case "alerts" ->
                            new AlertLatency(LAUNCHER, new Report("alerts", System.out))
                                    .run(alerts(rest), RESULTS);
                    case "events" ->
                            new EventLoad(LAUNCHER, events(rest), new Report("events", System.out))
                                    .run(RESULTS);
                    case "micro" -> micro(rest);
                    default -> unknown(name);
                });
    }

    /** Publishers, warm-up seconds, measured seconds: 50, 60 and 180 unless given. */
    private static IngestLoad.Plan ingest(List<String> args) {
        return new IngestLoad.Plan(
                number(args, 0, 50),
                Duration.ofSeconds(number(args, 1, 60)),
                Duration.ofSeconds(number(args, 2, 180)));
    }

    /** Rounds, waiters, hostile connections: 3, 10,000 and 1,000 unless given. */
    private static DeliveryLoad.Plan delivery(List<String> args) {
        return new DeliveryLoad.Plan(
                number(args, 0, 3),
                /* roundSeconds= */ 4,
                number(args, 1, 10_000),
                number(args, 2, 1000),
                Duration.ofSeconds(45));
    }

    /** {@code --load N}, 30 unless given; seconds of play, 60 unless given. */
    private static LatencyLoad.Plan latency(List<String> args) {
        List<String> rest = new ArrayList<>(args);
        int load = 30;
        int at = rest.indexOf("--load");
        if (at >= 0) {
            load = number(rest, at + 1, load);
            rest.subList(at, Math.min(at + 2, rest.size())).clear();
        }
        return new LatencyLoad.Plan(
                load, Duration.ofSeconds(40), Duration.ofSeconds(number(rest, 0, 60)));
    }

    /** Streams and measured seconds: 1 and 60 unless given. */
    private static AlertLatency.Plan alerts(List<String> args) {
        return new AlertLatency.Plan(number(args, 0, 1), Duration.ofSeconds(number(args, 1, 60)));
    }

    /**
     * Events a second, seconds, kills: 500, 60 and 50 unless given; then address, user and password
     * of an empty PostgreSQL database.
     */
    private static EventLoad.Plan events(List<String> args) {
        return new EventLoad.Plan(
                number(args, 0, 500),
                Duration.ofSeconds(number(args, 1, 60)),
                number(args, 2, 50),
                text(args, 3),
                text(args, 4),
                text(args, 5));
    }

    private static String text(List<String> args, int index) {
        return args.size() > index ? args.get(index) : "";
    }

    private static int number(List<String> args, int index, int otherwise) {
        return args.size() > index ? Integer.parseInt(args.get(index)) : otherwise;
    }

    private static int micro(List<String> args) throws Exception {
        org.openjdk.jmh.Main.main(args.toArray(String[]::new));
        return 0;
    }

    private static int unknown(String name) {
        System.err.println(
                "bench: unknown benchmark '" + name + "' (expected: one of " + NAMES + ")");
        return 2;
    }
}
