package touchline.moderation;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for a state that another thread reaches; fails after 20 seconds. */
public final class Await {
    /** How long a test waits for another thread. */
    public static final Duration TIMEOUT = Duration.ofSeconds(20);

    private Await() {}

    /** Polls the condition until it holds. */
    public static void until(BooleanSupplier condition, Supplier<String> otherwise) {
        long startNs = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - startNs > TIMEOUT.toNanos()) {
                throw new AssertionError(otherwise.get());
            }
            Thread.onSpinWait();
        }
    }
}
