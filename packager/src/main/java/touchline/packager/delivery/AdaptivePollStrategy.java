package touchline.packager.delivery;

import io.netty.channel.SelectStrategy;
import io.netty.util.IntSupplier;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Adapts how an event loop waits. Normally it blocks in select. Under load the loop sleeps 100 µs
 * between polls, to handle several requests per wake-up. A wake-up costs as much as a request, so
 * ten thousand viewers that request the next part at once would cause ten thousand wake-ups.
 * Network cards moderate their interrupts in the same way. One per event loop, which alone calls
 * it.
 */
final class AdaptivePollStrategy implements SelectStrategy {
    /** Sleep between polls: the delay it adds to an answer under load. */
    static final long SLEEP_NS = 100_000;

    /** Wake-ups closer than this bring few events each. */
    static final long CLOSE_NS = 50_000;

    /** Number of close wake-ups in a row that starts polling. */
    static final int MANY = 32;

    /** Minimum of events per poll; with fewer the loop blocks in select again. */
    static final int WORTH_EVENTS = 4;

    private final LongSupplier nanoTime;
    private final LongConsumer sleep;
    private long lastNs;
    private int closeInARow;
    private boolean polling;

    AdaptivePollStrategy() {
        this(System::nanoTime, LockSupport::parkNanos);
    }

    AdaptivePollStrategy(LongSupplier nanoTime, LongConsumer sleep) {
        this.nanoTime = nanoTime;
        this.sleep = sleep;
        lastNs = nanoTime.getAsLong();
    }

    @Override
    public int calculateStrategy(IntSupplier selectNow, boolean hasTasks) throws Exception {
        long nowNs = nanoTime.getAsLong();
        boolean close = nowNs - lastNs < CLOSE_NS;
        lastNs = nowNs;
        if (hasTasks) {
            return selectNow.get();
        }
        if (polling) {
            return poll(selectNow);
        }
        closeInARow = close ? closeInARow + 1 : 0;
        polling = closeInARow >= MANY;
        return SelectStrategy.SELECT;
    }

    private int poll(IntSupplier selectNow) throws Exception {
        sleep.accept(SLEEP_NS);
        lastNs = nanoTime.getAsLong();
        int events = selectNow.get();
        if (events < WORTH_EVENTS) {
            polling = false;
            closeInARow = 0;
        }
        return events > 0 ? events : SelectStrategy.SELECT;
    }
}
