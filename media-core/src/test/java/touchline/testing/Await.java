package touchline.testing;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Waits for what another thread or process does. Between two looks the core is free for it. An
 * interrupt, such as that of a test's time limit, ends the wait.
 */
public final class Await {
    /** Long, since the machine may be busy; a test that passes waits as long as it must. */
    public static final Duration PATIENCE = Duration.ofMinutes(3);

    private static final Duration OFTEN = Duration.ofMillis(1);

    private Await() {}

    /** A state that others reach. */
    @FunctionalInterface
    public interface Condition<X extends Exception> {
        boolean holds() throws X;
    }

    public static <X extends Exception> void until(Condition<X> condition) throws X {
        until(condition, "the condition of this line");
    }

    /**
     * @param what is awaited
     */
    public static <X extends Exception> void until(Condition<X> condition, String what) throws X {
        until(condition, () -> what);
    }

    /**
     * @param what is awaited, or what is there instead; asked in the end
     */
    public static <X extends Exception> void until(Condition<X> condition, Supplier<String> what)
            throws X {
        until(condition, what, PATIENCE, OFTEN);
    }

    /**
     * @param every pause between two looks
     */
    public static <X extends Exception> void until(
            Condition<X> condition, Supplier<String> what, Duration atMost, Duration every)
            throws X {
        long startNs = System.nanoTime();
        while (!condition.holds()) {
            if (System.nanoTime() - startNs > atMost.toNanos()) {
                throw new AssertionError("not within " + atMost + ": " + what.get());
            }
            LockSupport.parkNanos(every.toNanos());
            if (Thread.currentThread().isInterrupted()) {
                throw new AssertionError("interrupted: " + what.get());
            }
        }
    }
}
