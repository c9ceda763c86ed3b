package touchline.testing.fuzz;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code ./touchline bench fuzz LIMIT... [TARGET...]}: runs the targets by Jazzer with coverage
 * guidance, each in a JVM of its own, and prints a table. {@code repeat TARGET FILE} runs one
 * input.
 */
public final class FuzzRuns {
    private static final Pattern COUNT = Pattern.compile("[1-9]\\d{0,10}");
    private static final Pattern TIME = Pattern.compile("([1-9]\\d{0,4})([sm])");

    private FuzzRuns() {}

    /**
     * @param args the number of iterations, a time such as {@code 10m}, or both; then names of
     *     targets, all by default
     */
    public static void main(String[] args) throws Exception {
        System.exit(run(List.of(args)));
    }

    private static int run(List<String> args) throws Exception {
        if (args.size() == 3 && args.getFirst().equals("repeat")) {
            return repeat(args.get(1), Path.of(args.get(2)));
        }
        List<String> limits = new ArrayList<>();
        int named = 0;
        while (named < args.size() && limit(args.get(named)).isPresent()) {
            limit(args.get(named++)).ifPresent(limits::add);
        }
        if (limits.isEmpty()) {
            System.err.println(
                    "bench fuzz: no limit (expected: iterations such as 1000000, a time such as 60s"
                            + " or 10m, or repeat TARGET FILE)");
            return 2;
        }
        List<FuzzTarget> targets = chosen(args.subList(named, args.size()));
        Path results =
                Path.of(System.getProperty("touchline.home", "."))
                        .toAbsolutePath()
                        .resolve("target/fuzz");
        return runAll(targets, limits, results);
    }

    private static List<FuzzTarget> chosen(List<String> names) {
        return names.isEmpty()
                ? FuzzTargets.all()
                : names.stream().map(FuzzTargets::named).toList();
    }

    /** The option of libFuzzer for a number of iterations or a time. */
    private static Optional<String> limit(String text) {
        if (COUNT.matcher(text).matches()) {
            return Optional.of("-runs=" + text);
        }
        Matcher time = TIME.matcher(text);
        if (!time.matches()) {
            return Optional.empty();
        }
        long number = Long.parseLong(time.group(1));
        long seconds = time.group(2).equals("m") ? Duration.ofMinutes(number).toSeconds() : number;
        return Optional.of("-max_total_time=" + seconds);
    }

    private static int runAll(List<FuzzTarget> targets, List<String> limits, Path results)
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
            FuzzProcess.Result result = new FuzzProcess(target, results).run(limits);
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
                System.out.printf(
                        "%s ended with %d: %s%n", target.name(), result.exit(), result.log());
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
                "%s, %d bytes: %s%n",
                name, input.length, Base64.getEncoder().encodeToString(input));
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
