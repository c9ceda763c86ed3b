package touchline.packager.delivery;

import io.netty.channel.SelectStrategy;
import io.netty.util.IntSupplier;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * How an event loop waits: as always while little happens; where it is woken tens of thousands of
 * times a second for one request each, it naps a tenth of a millisecond and then takes what has
 * come meanwhile. A wake-up costs as much as the request that it brings, so that ten thousand
 * viewers who ask for the next part at once would pay it ten thousand times. The same that network
 * cards do with their interrupts. One per event loop, which alone calls it.
 */
final class AdaptivePollStrategy implements SelectStrategy {
    /** As long as a viewer waits longer for its answer while the loop is that busy. */
    static final long NAP_NS = 100_000;

    /** A wake-up that follows the one before so closely brings little with it. */
    static final long CLOSE_NS = 50_000;

    /** So many in a row, and the loop naps. */
    static final int MANY = 32;

    /** What a nap must bring, or the loop waits as always again. */
    static final int WORTH_EVENTS = 4;

    private final LongSupplier nanoTime;
    private final LongConsumer nap;
    private long lastNs;
    private int closeInARow;
    private boolean napping;

    AdaptivePollStrategy() {
        this(System::nanoTime, LockSupport::parkNanos);
    }

    AdaptivePollStrategy(LongSupplier nanoTime, LongConsumer nap) {
        this.nanoTime = nanoTime;
        this.nap = nap;
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
        if (napping) {
            return napped(selectNow);
        }
        closeInARow = close ? closeInARow + 1 : 0;
        napping = closeInARow >= MANY;
        return SelectStrategy.SELECT;
    }

    private int napped(IntSupplier selectNow) throws Exception {
        nap.accept(NAP_NS);
        lastNs = nanoTime.getAsLong();
        int events = selectNow.get();
        if (events < WORTH_EVENTS) {
            napping = false;
            closeInARow = 0;
        }
        return events > 0 ? events : SelectStrategy.SELECT;
    }
}
