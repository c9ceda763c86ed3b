package touchline.testing.fuzz;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** One run of one target by Jazzer, in a JVM of its own. Keeps its corpus for the next run. */
final class FuzzProcess {
    private static final Pattern DONE =
            Pattern.compile("stat::number_of_executed_units:\\s*(\\d+)");
    private static final Pattern PER_SECOND =
            Pattern.compile("stat::average_exec_per_sec:\\s*(\\d+)");
    private static final Pattern EDGES = Pattern.compile("cov: (\\d+)");
    private static final Pattern CORPUS = Pattern.compile("corp: (\\d+)/");

    /** Longer than any limit of {@link FuzzCheck}: for an input that never ends. */
    private static final int TIMEOUT_SECONDS = 20;

    /** {@link FuzzCheck} measures CPU time; libFuzzer's clock accuses inputs on a busy host. */
    private static final int NEVER_SECONDS = 100_000;

    private final FuzzTarget target;
    private final Path folder;

    /**
     * @param cpuSeconds of the JVM, its start included
     * @param edges of the code under test that the corpus reaches
     * @param corpus inputs that reach different code
     */
    record Result(
            long iterations,
            long perSecond,
            double cpuSeconds,
            long edges,
            long corpus,
            List<Path> findings,
            int exit,
            Path log) {}

    FuzzProcess(FuzzTarget target, Path results) {
        this.target = target;
        this.folder = results.resolve(target.name());
    }

    /**
     * @param limits {@code -runs=N}, {@code -max_total_time=SECONDS}, or both
     */
    Result run(List<String> limits) throws IOException, InterruptedException {
        Path corpus = Files.createDirectories(folder.resolve("corpus"));
        Path seeds = Files.createDirectories(folder.resolve("seeds"));
        Path found = Files.createDirectories(folder.resolve("findings"));
        List<byte[]> inputs = FuzzTargets.inputs(target);
        for (int i = 0; i < inputs.size(); i++) {
            Files.write(seeds.resolve("seed-" + i), inputs.get(i));
        }
        List<Path> known = files(found);
        Path log = folder.resolve("log");
        Process process =
                new ProcessBuilder(command(limits, found, corpus, seeds))
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
        Duration cpu = Duration.ZERO;
        while (!process.waitFor(500, TimeUnit.MILLISECONDS)) {
            cpu = process.info().totalCpuDuration().orElse(cpu);
        }
        String text = Files.readString(log);
        List<Path> findings = new ArrayList<>(files(found));
        findings.removeAll(known);
        return new Result(
                last(DONE, text),
                last(PER_SECOND, text),
                cpu.toMillis() / 1e3,
                last(EDGES, text),
                last(CORPUS, text),
                findings,
                process.exitValue(),
                log);
    }

    private List<String> command(List<String> limits, Path found, Path corpus, Path seeds) {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        List<String> command = new ArrayList<>();
        Collections.addAll(
                command,
                java,
                "-Xmx1g",
                "-XX:+UseSerialGC",
                "-XX:+EnableDynamicAgentLoading",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-Dio.netty.leakDetection.level=disabled",
                "-Dlogback.configurationFile=touchline/testing/fuzz/logback-fuzz.xml",
                "-cp",
                System.getProperty("java.class.path"),
                "com.code_intelligence.jazzer.Jazzer",
                "--target_class=" + JazzerEntry.class.getName(),
                "--target_args=" + target.name(),
                "--instrumentation_includes=touchline.**",
                "--instrumentation_excludes=touchline.testing.**",
                "--custom_hook_includes=touchline.**",
                "--reproducer_path=" + folder,
                "-max_len=" + target.maxBytes(),
                "-timeout=" + TIMEOUT_SECONDS,
                "-report_slow_units=" + NEVER_SECONDS,
                "-print_final_stats=1",
                "-artifact_prefix=" + found + "/",
                corpus.toString(),
                seeds.toString());
        command.addAll(limits);
        return command;
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        }
    }

    private static long last(Pattern pattern, String text) {
        long value = 0;
        Matcher matcher = pattern.matcher(text);
        while (matcher.find()) {
            value = Long.parseLong(matcher.group(1));
        }
        return value;
    }
}
