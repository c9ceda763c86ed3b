package touchline.benchmarks.simulation;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import touchline.benchmarks.load.Arguments;
import touchline.benchmarks.load.Benchmark;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.simulation.Schedule.Figures;
import touchline.benchmarks.simulation.Search.Broken;
import touchline.benchmarks.simulation.Search.Result;

/**
 * {@code bench simulation [SCHEDULES] [--seed FIRST] [--variant NAME] [--threads N]}: one million
 * schedules of the ownership code, or one with {@code 1 --seed SEED}, whose trace is printed.
 */
public final class OwnershipSimulation implements Benchmark {
    private final Arguments arguments;
    private final Report report;

    public OwnershipSimulation(Arguments arguments, Report report) {
        this.arguments = arguments;
        this.report = report;
    }

    /** Returns 1 where an invariant does not hold. */
    @Override
    public int run() throws Exception {
        long schedules = arguments.number(0, 1_000_000);
        long first = Long.parseLong(arguments.option("--seed", "0"));
        Variant variant =
                Variant.valueOf(arguments.option("--variant", "built").toUpperCase(Locale.ROOT));
        if (schedules == 1) {
            return replay(Schedule.of(first, variant));
        }
        int threads = arguments.option("--threads", Runtime.getRuntime().availableProcessors());
        report.note(
                "%d schedules of the rules %s from seed %d on %d threads",
                schedules, variant, first, threads);
        long startedNs = System.nanoTime();
        List<Result> results = search(variant, schedules, first, threads);
        double seconds = (System.nanoTime() - startedNs) / 1e9;
        long run = results.stream().mapToLong(Result::schedules).sum();
        Figures figures = results.stream().map(Result::figures).reduce(Figures.NONE, Figures::plus);
        report.table(
                        "simulation",
                        "rules | schedules | seconds | schedules/s | events | claims | sessions"
                                + " resumed | parts seen | late answers | violations")
                .row(
                        variant.name(),
                        run,
                        seconds,
                        run / seconds,
                        figures.events(),
                        figures.claims(),
                        figures.resumed(),
                        figures.partsSeen(),
                        figures.staleAnswers(),
                        results.stream().filter(each -> each.broken() != null).count());
        int exit = 0;
        for (Result each : results) {
            Broken broken = each.broken();
            if (broken != null) {
                write(broken);
                exit = 1;
            }
        }
        return exit;
    }

    private List<Result> search(Variant variant, long schedules, long first, int threads)
            throws Exception {
        AtomicBoolean found = new AtomicBoolean();
        List<Future<Result>> futures = new ArrayList<>();
        try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            for (int i = 0; i < threads; i++) {
                long from = schedules * i / threads;
                long to = schedules * (i + 1) / threads;
                futures.add(
                        pool.submit(
                                () -> {
                                    Result result =
                                            new Search(variant)
                                                    .run(
                                                            first + from,
                                                            done ->
                                                                    done < to - from
                                                                            && !found.get());
                                    found.compareAndSet(false, result.broken() != null);
                                    return result;
                                }));
            }
        }
        List<Result> results = new ArrayList<>();
        for (Future<Result> each : futures) {
            results.add(each.get());
        }
        return results;
    }

    private int replay(Schedule schedule) throws Exception {
        Schedule.Outcome outcome = schedule.run(/* traced= */ true);
        Broken replayed = new Broken(schedule, outcome);
        Arrays.stream(replayed.text().split("\n", -1)).forEach(each -> report.note("%s", each));
        return outcome.violated() == null ? 0 : 1;
    }

    private void write(Broken broken) throws Exception {
        Path file = report.folder().resolve("simulation-" + broken.schedule().seed() + ".txt");
        Files.writeString(file, broken.text());
        report.note("%s", broken.text());
        report.note("written to %s", file);
    }
}
