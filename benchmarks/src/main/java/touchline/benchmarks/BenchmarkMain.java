package touchline.benchmarks;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.openjdk.jmh.Main;
import touchline.benchmarks.load.IngestLoad;

/** {@code ./touchline bench [NAME]}: which benchmark runs. */
public final class BenchmarkMain {
    private static final List<String> NAMES = List.of("ingest", "micro");

    private BenchmarkMain() {}

    /**
     * @param args the launcher's path, then the benchmark's name and its own arguments
     */
    public static void main(String[] args) throws Exception {
        Path launcher = Path.of(args[0]);
        String name = args.length > 1 ? args[1] : "ingest";
        String[] rest = args.length > 2 ? Arrays.copyOfRange(args, 2, args.length) : new String[0];
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
        Main.main(args);
        return 0;
    }

    private static int unknown(String name) {
        System.err.println(
                "bench: unknown benchmark '" + name + "' (expected: one of " + NAMES + ")");
        return 2;
    }
}
