package touchline.api.certificate;

import java.util.concurrent.atomic.LongAdder;

/** Counts replacements of the certificate. Any thread. */
public final class RenewalCounters {
    private final LongAdder succeeded = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private volatile boolean lastSucceeded = true;

    void succeeded() {
        succeeded.increment();
        lastSucceeded = true;
    }

    void failed() {
        failed.increment();
        lastSucceeded = false;
    }

    /** Replacements since the start. */
    public long successes() {
        return succeeded.sum();
    }

    /** Failed replacements since the start. */
    public long failures() {
        return failed.sum();
    }

    /** Whether the last replacement succeeded, or there was none. */
    public boolean hasSucceeded() {
        return lastSucceeded;
    }
}
