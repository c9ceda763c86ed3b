package touchline.benchmarks.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * One run of the simulation, determined by its seed, its faults and the variant of the rules.
 * Immutable.
 *
 * @param faults by default those that the seed gives; fewer after shrinking
 */
public record Schedule(long seed, Variant variant, List<Fault> faults) {
    /** Which windows a stream of a schedule with all kinds of faults has. */
    private static final long[] WINDOWS_MS = {0, 5_000, 15_000};

    private static final long QUIET_WINDOW_MS = 20_000;

    public Schedule {
        faults = List.copyOf(faults);
    }

    /** The schedule of a seed. */
    public static Schedule of(long seed, Variant variant) {
        SplittableRandom random = new SplittableRandom(seed);
        World.Shape shape = shape(random, seed);
        return new Schedule(
                seed,
                variant,
                Fault.plan(random.split(), shape.family(), shape.nodes(), shape.streams()));
    }

    private static World.Shape shape(SplittableRandom random, long seed) {
        Fault.Family family = Fault.family(seed);
        int nodes = 2 + random.nextInt(3);
        int streams = 1 + random.nextInt(2);
        long windowMs = WINDOWS_MS[random.nextInt(WINDOWS_MS.length)];
        boolean calm = family != Fault.Family.EVERYTHING;
        return new World.Shape(nodes, streams, calm ? QUIET_WINDOW_MS : windowMs, family);
    }

    /**
     * What happened.
     *
     * @param violated the invariant that does not hold, null where all hold
     * @param message the same with details
     * @param trace empty unless asked for
     */
    public record Outcome(
            @Nullable String violated,
            @Nullable String message,
            List<String> trace,
            Figures figures) {}

    /**
     * What the schedules consisted of, to see that they are not empty.
     *
     * @param staleAnswers answers of a former owner before it fell silent
     */
    public record Figures(
            long events, long claims, long resumed, long partsSeen, long staleAnswers) {
        static final Figures NONE = new Figures(0, 0, 0, 0, 0);

        Figures plus(Figures other) {
            return new Figures(
                    events + other.events,
                    claims + other.claims,
                    resumed + other.resumed,
                    partsSeen + other.partsSeen,
                    staleAnswers + other.staleAnswers);
        }
    }

    /** Runs to the end, or to the first violation. */
    public Outcome run(boolean traced) {
        SplittableRandom random = new SplittableRandom(seed);
        World.Shape shape = shape(random, seed);
        random.split();
        World world = new World(random.split(), variant, shape, traced);
        String violated = null;
        String message = null;
        long events = 0;
        try {
            world.nodes.forEach(SimulatedNode::start);
            for (SimulatedEncoder each : world.encoders) {
                world.time.after(500 + world.random.nextInt(2_000), each::start);
            }
            faults.forEach(each -> arrange(world, each));
            events = world.time.runUntil(World.END_MS);
            world.checkEnd();
        } catch (Violation found) {
            violated = found.rule();
            message = String.valueOf(found.getMessage());
            world.trace("VIOLATION %s", message);
        }
        return new Outcome(
                violated,
                message,
                List.copyOf(world.trace()),
                new Figures(
                        events,
                        world.judge.takeovers,
                        world.judge.resumed,
                        world.judge.partsSeen,
                        world.staleAnswers));
    }

    private static void arrange(World world, Fault fault) {
        long endMs = Math.min(fault.atMs() + fault.forMs(), World.END_MS - World.QUIET_MS);
        world.time.after(
                fault.atMs(),
                () -> {
                    world.trace("FAULT %s", fault);
                    world.faultBegins();
                    List<Runnable> ends = new ArrayList<>();
                    Faults.begin(world, fault, ends::add);
                    world.time.after(
                            endMs - fault.atMs(),
                            () -> {
                                world.trace("END OF FAULT %s", fault);
                                ends.forEach(Runnable::run);
                                world.faultEnds();
                            });
                });
    }
}
