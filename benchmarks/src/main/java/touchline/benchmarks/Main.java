package touchline.benchmarks;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import touchline.benchmarks.load.IngestLoad;

/** {@code ./touchline bench [NAME]}: which benchmark runs. */
public final class Main {
    private static final List<String> NAMES = List.of("ingest", "micro");

    private Main() {}

    /**
     * @param args the benchmark's name and its own arguments
     */
    public static void main(String[] args) throws Exception {
        Path launcher = Path.of(System.getProperty("touchline.home", "."), "touchline");
        String name = args.length > 0 ? args[0] : "ingest";
        String[] rest = args.length > 1 ? Arrays.copyOfRange(args, 1, args.length) : new String[0];
        System.exit(
                switch (name) {
                    case "ingest" -> new IngestLoad(launcher, plan(rest), System.out).run();
                    case "micro" -> micro(rest);
                    default -> unknown(name);
                });
    }

    /** Publishers, warm-up seconds, measured seconds: 50, 60 and 180 unless given. */
    private static IngestLoad.Plan plan(String[] args) {
        int publishers = args.length > 0 ? Integer.parseInt(args[0]) : 50;
        long warmUp = args.length > 1 ? Long.parseLong(args[1]) : 60;
        long measured = args.length > 2 ? Long.parseLong(args[2]) : 180;
        return new IngestLoad.Plan(
                publishers, Duration.ofSeconds(warmUp), Duration.ofSeconds(measured));
    }

    private static int micro(String[] args) throws Exception {
        org.openjdk.jmh.Main.main(args);
        return 0;
    }

    private static int unknown(String name) {
        System.err.println(
                "bench: unknown benchmark '" + name + "' (expected: one of " + NAMES + ")");
        return 2;
    }
}
