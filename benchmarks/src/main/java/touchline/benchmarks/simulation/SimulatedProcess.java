package touchline.benchmarks.simulation;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The process of a node and its host: whether it runs, its clock, and its requests to others. What
 * reaches a stopped process waits; what reaches another life of it is lost. Owned by the schedule's
 * thread.
 */
final class SimulatedProcess {
    private static final long DATABASE_TIMEOUT_MS = 2_000;
    private static final long CONNECT_TIMEOUT_MS = 1_500;

    private final World world;
    private final int index;
    private final String id;
    private final long clockOffsetMs;
    private final long clockPpm;
    private final Deque<Runnable> deferred = new ArrayDeque<>();
    private int life;
    private boolean up;
    private boolean hostUp = true;
    private int pauses;
    private long pausedAtMs;
    private long clockStoodMs;
    private boolean frozen;
    private long awakeSinceMs;

    SimulatedProcess(World world, int index, String id) {
        this.world = world;
        this.index = index;
        this.id = id;
        this.clockOffsetMs = world.random.nextInt(1_000_000_000);
        this.clockPpm = world.random.nextInt(-200, 201);
    }

    void start() {
        up = true;
        hostUp = true;
        awakeSinceMs = world.time.nowMs();
        newLife();
    }

    /**
     * @param withHost its peers and encoders notice nothing
     */
    void kill(boolean withHost) {
        up = false;
        hostUp = !withHost;
        newLife();
    }

    /** What was arranged before is not run any more. */
    void newLife() {
        life++;
        deferred.clear();
    }

    void pause(boolean withClock) {
        if (pauses++ == 0) {
            world.trace("%s is %s", id, withClock ? "frozen" : "stopped");
            pausedAtMs = world.time.nowMs();
            frozen = withClock;
        }
    }

    void resume() {
        if (--pauses > 0) {
            return;
        }
        if (frozen) {
            clockStoodMs += world.time.nowMs() - pausedAtMs;
        }
        world.trace("%s goes on", id);
        awakeSinceMs = world.time.nowMs();
        List<Runnable> missed = new ArrayList<>(deferred);
        deferred.clear();
        missed.forEach(Runnable::run);
    }

    boolean up() {
        return up;
    }

    boolean hostUp() {
        return hostUp;
    }

    long awakeSinceMs() {
        return awakeSinceMs;
    }

    /** Node time: of its own origin, a little fast or slow. */
    long nowMs() {
        long ran = world.time.nowMs() - clockStoodMs;
        return clockOffsetMs + ran + ran * clockPpm / 1_000_000;
    }

    /** Runs an action in this process, after a time; never in a later one. */
    void post(long delayMs, Runnable action) {
        int now = life;
        world.time.after(delayMs, () -> run(now, action));
    }

    /** What comes from outside: waits while the process is stopped. */
    void deliver(Runnable action) {
        run(life, action);
    }

    private void run(int ofLife, Runnable action) {
        if (ofLife != life || !up) {
            return;
        }
        if (pauses > 0) {
            deferred.add(() -> run(ofLife, action));
        } else {
            action.run();
        }
    }

    /** A request to another node. Exactly one of the three outcomes is run, if this node lives. */
    <R> void ask(
            SimulatedNode target,
            BiConsumer<SimulatedNode, Consumer<R>> request,
            Consumer<R> answered,
            Runnable refused,
            Runnable timedOut) {
        int now = life;
        Once once = new Once();
        world.network.send(
                index,
                target.index,
                () -> {
                    if (!target.process.up) {
                        if (target.process.hostUp) {
                            world.network.send(
                                    target.index, index, () -> run(now, () -> once.run(refused)));
                        }
                        return;
                    }
                    target.process.deliver(
                            () ->
                                    request.accept(
                                            target,
                                            result ->
                                                    world.network.send(
                                                            target.index,
                                                            index,
                                                            () ->
                                                                    run(
                                                                            now,
                                                                            () ->
                                                                                    once.run(
                                                                                            () ->
                                                                                                    answered
                                                                                                            .accept(
                                                                                                                    result))))));
                });
        post(CONNECT_TIMEOUT_MS, () -> once.run(timedOut));
    }

    /** A transaction; between the decision and the sending the process may be stopped. */
    <R> void transaction(
            Function<SimulatedDatabase, R> body, Consumer<R> answered, Runnable failed) {
        int now = life;
        Once once = new Once();
        post(
                world.random.nextInt(3),
                () ->
                        world.database.call(
                                index,
                                body,
                                result -> run(now, () -> once.run(() -> answered.accept(result))),
                                () -> run(now, () -> once.run(failed))));
        post(DATABASE_TIMEOUT_MS, () -> once.run(failed));
    }

    /** Runs the first of several actions. */
    private static final class Once {
        private boolean done;

        void run(Runnable action) {
            if (!done) {
                done = true;
                action.run();
            }
        }
    }
}
