package touchline.packager.audience;

import java.util.concurrent.atomic.LongAdder;

/** Totals of all live streams since the start, for the metrics page. Any thread. */
public final class AudienceCounters {
    private final LongAdder begunBySid = new LongAdder();
    private final LongAdder begunByAddress = new LongAdder();
    private final LongAdder notCounted = new LongAdder();
    private final LongAdder reports = new LongAdder();
    private final LongAdder starvedReports = new LongAdder();

    /**
     * Viewer sessions that have begun.
     *
     * @param bySid those named by their players, or those by address
     */
    public long begun(boolean bySid) {
        return (bySid ? begunBySid : begunByAddress).sum();
    }

    /** Requests for media beyond the limits of sessions. */
    public long notCounted() {
        return notCounted.sum();
    }

    /** Requests for segments and parts with a report of the player (CMCD). */
    public long reports() {
        return reports.sum();
    }

    /** Reports of a buffer that ran empty. */
    public long starvedReports() {
        return starvedReports.sum();
    }

    void begin(boolean bySid) {
        (bySid ? begunBySid : begunByAddress).increment();
    }

    void refuse() {
        notCounted.increment();
    }

    void report(boolean starved) {
        reports.increment();
        if (starved) {
            starvedReports.increment();
        }
    }
}
