package touchline.ingest.rtmp;

import java.util.OptionalInt;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.ingest.rtmp.RtmpCounters.Refusal;
import touchline.media.concurrent.LineLimit;

/**
 * Counts refused publishers and connections, and logs them. Any client of the port can cause such
 * lines, so there are at most {@value #LINES_PER_SECOND} a second; the next one says how many are
 * missing. Any thread.
 */
final class Refusals {
    static final int LINES_PER_SECOND = 10;

    private static final Logger log = LoggerFactory.getLogger(Refusals.class);

    private final RtmpCounters counters;
    private final LineLimit lines;

    /**
     * @param clockNs monotonic time in nanoseconds
     */
    Refusals(RtmpCounters counters, LongSupplier clockNs) {
        this.counters = counters;
        this.lines = new LineLimit(LINES_PER_SECOND, clockNs);
    }

    RtmpCounters counters() {
        return counters;
    }

    /** A publisher gets this status, and its connection closes. */
    void publisher(Refusal reason, String peer, String client, RtmpReplies.Status status) {
        counters.refuse(reason);
        if (mayLog()) {
            log.info(
                    "peer={} client=\"{}\" refused with {}: {}",
                    peer,
                    client,
                    status.code(),
                    status.description());
        }
    }

    /** A connection closes without a status. */
    void connection(Refusal reason, String peer, String why) {
        counters.refuse(reason);
        if (mayLog()) {
            log.info("peer={} closed: {}", peer, why);
        }
    }

    private boolean mayLog() {
        OptionalInt missing = lines.admit();
        if (missing.orElse(0) > 0) {
            log.warn("{} refusals are not in the log", missing.getAsInt());
        }
        return missing.isPresent();
    }
}
