package touchline.benchmarks.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;
import touchline.benchmarks.simulation.Schedule.Figures;
import touchline.benchmarks.simulation.Schedule.Outcome;

/** Runs schedules one seed after the other until one breaks an invariant, and makes it smaller. */
public final class Search {
    private final Variant variant;

    public Search(Variant variant) {
        this.variant = variant;
    }

    /**
     * The end of a search.
     *
     * @param schedules that were run, the broken one included
     * @param broken the smallest schedule found for the first violation, null where none was found
     */
    public record Result(long schedules, Figures figures, @Nullable Broken broken) {}

    /** A schedule that breaks an invariant, with its trace. */
    public record Broken(Schedule schedule, Outcome outcome) {
        /** The seed, the faults, and everything that happened, a line each. */
        public String text() {
            StringBuilder text = new StringBuilder();
            text.append("seed %d, %s%n".formatted(schedule.seed(), schedule.variant()));
            text.append("violated: %s%n".formatted(outcome.message()));
            schedule.faults().forEach(each -> text.append("fault: %s%n".formatted(each)));
            outcome.trace().forEach(each -> text.append(each).append('\n'));
            return text.toString();
        }
    }

    /**
     * @param firstSeed of the first schedule
     * @param goOn asked before each schedule, with the number of those that were run
     */
    public Result run(long firstSeed, LongPredicate goOn) {
        Figures figures = Figures.NONE;
        long count = 0;
        while (goOn.test(count)) {
            Schedule schedule = Schedule.of(firstSeed + count++, variant);
            Outcome outcome = schedule.run(/* traced= */ false);
            figures = figures.plus(outcome.figures());
            if (outcome.violated() != null) {
                return new Result(count, figures, shrink(schedule, outcome.violated()));
            }
        }
        return new Result(count, figures, null);
    }

    /** Removes faults as long as the same invariant is broken. */
    static Broken shrink(Schedule schedule, String violated) {
        Schedule smallest = schedule;
        boolean smaller = true;
        while (smaller) {
            smaller = false;
            for (int i = smallest.faults().size() - 1; i >= 0; i--) {
                List<Fault> fewer = new ArrayList<>(smallest.faults());
                fewer.remove(i);
                Schedule candidate = new Schedule(schedule.seed(), schedule.variant(), fewer);
                if (Objects.equals(candidate.run(false).violated(), violated)) {
                    smallest = candidate;
                    smaller = true;
                }
            }
        }
        return new Broken(smallest, smallest.run(/* traced= */ true));
    }
}
