package touchline.testing.fuzz;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * {@code ./touchline bench fuzz N [TARGET...]}: runs the targets by Jazzer with coverage guidance,
 * each in a JVM of its own, and prints a table. {@code repeat TARGET FILE} runs one input.
 */
public final class FuzzRuns {
    private static final Pattern COUNT = Pattern.compile("[1-9]\\d{0,10}");
    private static final Pattern TIME = Pattern.compile("([1-9]\\d{0,4})([sm])");

    private FuzzRuns() {}

    /**
     * @param args the number of iterations, or a time such as {@code 10m}; then names of targets,
     *     all by default
     */
    public static void main(String[] args) throws Exception {
        System.exit(run(List.of(args)));
    }

    private static int run(List<String> args) throws Exception {
        String first = args.isEmpty() ? "100000" : args.getFirst();
        if (first.equals("repeat") && args.size() == 3) {
            return repeat(args.get(1), Path.of(args.get(2)));
        }
        boolean timed = TIME.matcher(first).matches();
        if (!timed && !COUNT.matcher(first).matches()) {
            System.err.println(
                    "bench fuzz: N: '%s' (expected: iterations such as 1000000, a time such as 60s"
                                    .formatted(first)
                            + " or 10m, or repeat TARGET FILE)");
            return 2;
        }
        List<FuzzTarget> targets = chosen(args.subList(Math.min(1, args.size()), args.size()));
        String limit = timed ? "-max_total_time=" + seconds(first) : "-runs=" + first;
        Path results =
                Path.of(System.getProperty("touchline.home", "."))
                        .toAbsolutePath()
                        .resolve("target/fuzz");
        return runAll(targets, limit, results);
    }

    private static List<FuzzTarget> chosen(List<String> names) {
        return names.isEmpty()
                ? FuzzTargets.all()
                : names.stream().map(FuzzTargets::named).toList();
    }

    private static long seconds(String text) {
        long number = Long.parseLong(text.substring(0, text.length() - 1));
        return text.endsWith("m") ? Duration.ofMinutes(number).toSeconds() : number;
    }

    private static int runAll(List<FuzzTarget> targets, String limit, Path results)
            throws IOException, InterruptedException {
        System.out.printf(
                Locale.ROOT,
                "%-16s %12s %9s %9s %7s %7s  %s%n",
                "target",
                "iterations",
                "per s",
                "CPU s",
                "edges",
                "corpus",
                "findings");
        List<String> findings = new ArrayList<>();
        boolean failed = false;
        for (FuzzTarget target : targets) {
            FuzzProcess.Result result = new FuzzProcess(target, results).run(limit);
            System.out.printf(
                    Locale.ROOT,
                    "%-16s %12d %9d %9.0f %7d %7d  %d%n",
                    target.name(),
                    result.iterations(),
                    result.perSecond(),
                    result.cpuSeconds(),
                    result.edges(),
                    result.corpus(),
                    result.findings().size());
            result.findings().forEach(file -> findings.add(described(target, file)));
            if (result.findings().isEmpty() && result.exit() != 0) {
                failed = true;
                System.out.printf("%s ended with %d: %s%n", target.name(), result.exit(), result.log());
            }
        }
        findings.forEach(System.out::println);
        return findings.isEmpty() && !failed ? 0 : 1;
    }

    private static String described(FuzzTarget target, Path file) {
        return "finding of %s: %s%n  repeat: ./touchline bench fuzz repeat %s %s%n  keep: copy it to src/test/resources/fuzz/%s of the module"
                .formatted(target.name(), file, target.name(), file, target.name());
    }

    private static int repeat(String name, Path file) throws IOException {
        byte[] input = Files.readAllBytes(file);
        System.out.printf(
                "%s, %d bytes: %s%n", name, input.length, Base64.getEncoder().encodeToString(input));
        try {
            FuzzCheck.check(FuzzTargets.named(name), input);
        } catch (Throwable finding) {
            finding.printStackTrace(System.out);
            return 1;
        }
        System.out.println("holds");
        return 0;
    }
}
