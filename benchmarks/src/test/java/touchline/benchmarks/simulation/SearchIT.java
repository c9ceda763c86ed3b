package touchline.benchmarks.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import touchline.benchmarks.simulation.Fault.Kind;
import touchline.benchmarks.simulation.Schedule.Figures;
import touchline.benchmarks.simulation.Search.Broken;
import touchline.benchmarks.simulation.Search.Result;

/** The rules as built hold; rules that are broken on purpose are found. */
final class SearchIT {
    private static final long MOST_SCHEDULES = 10_000;
    private static final Duration RUN = Duration.ofSeconds(5);

    @Test
    void built_asManySchedulesAsFit_breakNothing() {
        // Other schedules on each day; the seeds are printed, and repeat a failure.
        long first = Duration.ofMillis(System.currentTimeMillis()).toDays() * 1_000_000;
        long endNs = System.nanoTime() + RUN.toNanos();
        Result result =
                new Search(Variant.BUILT)
                        .run(first, done -> done < 100 || System.nanoTime() < endNs);
        System.out.printf(
                "simulation: %d schedules from seed %d: %s%n",
                result.schedules(), first, result.figures());

        assertNull(result.broken(), () -> text(result.broken()));
        Figures figures = result.figures();
        assertTrue(figures.claims() > result.schedules(), "too few claims: " + figures);
        assertTrue(figures.resumed() > 0, "no session was resumed: " + figures);
        assertTrue(figures.partsSeen() > 100 * result.schedules(), "too few parts: " + figures);
    }

    /**
     * Two rules are the core of the design: epochs, and a successor behind the floor. The others
     * are rules that the design did not have at first; the simulation asked for them.
     */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "BUILT")
    void brokenRule_isFoundAndShrunk(Variant variant) {
        Result result = new Search(variant).run(firstSeed(variant), n -> n < MOST_SCHEDULES);
        Broken broken = result.broken();
        System.out.printf("simulation: %s: %d schedules%n", variant, result.schedules());

        assertNotNull(broken, "not found within " + MOST_SCHEDULES);
        assertEquals(broken.outcome().violated(), broken.schedule().run(false).violated());
        assertTrue(broken.text().contains("VIOLATION " + broken.outcome().message()));
        for (int i = 0; i < broken.schedule().faults().size(); i++) {
            List<Fault> fewer = new ArrayList<>(broken.schedule().faults());
            fewer.remove(i);
            Schedule without = new Schedule(broken.schedule().seed(), variant, fewer);
            assertNotEquals(broken.outcome().violated(), without.run(false).violated());
        }
    }

    /** Some faults need many things at a time: the search starts near a schedule that has them. */
    private static long firstSeed(Variant variant) {
        return switch (variant) {
            case FLOOR_MAY_FALL -> 1_357;
            case OUTAGE_COUNTED_FROM_STORED_HEARTBEAT -> 2_154;
            case JOIN_IGNORES_FORMER -> 1_604;
            case JANITOR_KEEPS_EPOCH -> 193;
            case LEASE_ALONE_DECIDES -> 315;
            case UNHELD_ROWS_STAY -> 278;
            case BUILT,
                    NO_EPOCH_CHECK,
                    SUCCESSOR_AT_NEWEST,
                    FLOOR_READ_BEFORE_CLAIM,
                    NO_GRACE_AFTER_OUTAGE ->
                    0;
        };
    }

    /** Schedules by which the simulation found faults of the first design. */
    static Stream<Arguments> formerFaults() {
        return Stream.of(
                arguments(
                        "a stopped database: time jumps, and its janitor ended running sessions",
                        1_326,
                        List.of(
                                new Fault(Kind.DATABASE_DOWN, 13_148, 12_490, 1, 0),
                                new Fault(Kind.CUT_ONE_WAY, 15_973, 2_920, 0, 3),
                                new Fault(Kind.ENCODER_DROP, 17_862, 6_039, 0, 0),
                                new Fault(Kind.SECOND_ENCODER, 23_035, 18_382, 0, 0),
                                new Fault(Kind.DATABASE_STOPPED, 27_074, 18_033, 0, 0),
                                new Fault(Kind.SECOND_ENCODER, 30_132, 18_891, 1, 0))),
                arguments(
                        "an owner whose clock stood still entered outage mode when taken over",
                        1_689,
                        List.of(
                                new Fault(Kind.SECOND_ENCODER, 22_689, 25_937, 0, 0),
                                new Fault(Kind.FREEZE, 28_848, 9_852, 2, 0),
                                new Fault(Kind.DATABASE_STOPPED, 36_374, 16_410, 2, 0))),
                arguments(
                        "the programme stood for 5 s when the database was stopped",
                        4_501,
                        List.of(new Fault(Kind.DATABASE_STOPPED, 9_107, 5_904, 0, 0))),
                arguments(
                        "a stopped node that had missed heartbeats without a failure was a witness",
                        9_665,
                        List.of(
                                new Fault(Kind.PAUSE, 3_235, 26_064, 1, 0),
                                new Fault(Kind.CUT_ONE_WAY, 24_586, 8_431, 0, 2))),
                arguments(
                        "two encoders of one stream claimed at one node",
                        15_135,
                        List.of(
                                new Fault(Kind.SECOND_ENCODER, 9_533, 14_331, 0, 0),
                                new Fault(Kind.KILL, 14_736, 1_752, 0, 0),
                                new Fault(Kind.CUT_ONE_WAY, 15_275, 3_972, 0, 1))),
                arguments(
                        "a node claimed a stream that it had lost and not dropped",
                        109_575,
                        List.of(
                                new Fault(Kind.KILL, 6_675, 9_396, 1, 0),
                                new Fault(Kind.KILL, 6_675, 10_753, 2, 0),
                                new Fault(Kind.ISOLATE, 16_048, 25_000, 0, 0),
                                new Fault(Kind.PAUSE, 16_111, 3_567, 2, 0),
                                new Fault(Kind.SECOND_ENCODER, 20_414, 20_000, 0, 0),
                                new Fault(Kind.ISOLATE, 30_527, 3_504, 2, 0),
                                new Fault(Kind.KILL, 31_709, 3_968, 1, 0),
                                new Fault(Kind.DATABASE_STOPPED, 33_052, 15_972, 1, 0),
                                new Fault(Kind.SECOND_ENCODER, 34_838, 21_469, 0, 0))),
                arguments(
                        "the first node behind a database outage knew no peer to ask",
                        222_187,
                        List.of(
                                new Fault(Kind.CUT, 7_910, 26_678, 0, 2),
                                new Fault(Kind.DATABASE_DOWN, 21_423, 5_047, 2, 0),
                                new Fault(Kind.ISOLATE, 28_300, 25_274, 2, 0),
                                new Fault(Kind.CUT_ONE_WAY, 30_120, 27_023, 0, 2),
                                new Fault(Kind.SECOND_ENCODER, 36_335, 15_418, 0, 0))));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("formerFaults")
    void formerFault_isMended(String fault, long seed, List<Fault> faults) {
        Schedule schedule = new Schedule(seed, Variant.BUILT, faults);
        Schedule.Outcome outcome = schedule.run(/* traced= */ true);

        assertNull(outcome.violated(), () -> fault + "\n" + new Broken(schedule, outcome).text());
        long begun =
                outcome.trace().stream()
                        .filter(each -> each.contains("FAULT") && !each.contains("END OF"))
                        .count();
        assertEquals(faults.size(), begun);
    }

    @Test
    void schedule_sameSeed_sameTrace() {
        List<String> first = Schedule.of(42, Variant.BUILT).run(/* traced= */ true).trace();

        assertTrue(first.size() > 10, "too short: " + first);
        assertEquals(first, Schedule.of(42, Variant.BUILT).run(/* traced= */ true).trace());
    }

    private static String text(@Nullable Broken broken) {
        return broken == null ? "" : broken.text();
    }
}
