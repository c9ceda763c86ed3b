package touchline.packager.edge;

import java.util.concurrent.atomic.LongAdder;

/** Counters of requests to other nodes since the start of this server. Any thread. */
public final class EdgeCounters {
    private final LongAdder requests = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private final LongAdder bytes = new LongAdder();
    private final LongAdder hits = new LongAdder();
    private final LongAdder shared = new LongAdder();
    private final LongAdder open = new LongAdder();

    /** Requests sent to other nodes, repeated ones included. */
    public long requests() {
        return requests.sum();
    }

    /** Of these, requests without a usable answer. */
    public long failures() {
        return failures.sum();
    }

    /** Bytes of bodies received. */
    public long bytes() {
        return bytes.sum();
    }

    /** Answers from the cache. */
    public long hits() {
        return hits.sum();
    }

    /** Requests that waited for a request of another viewer. */
    public long shared() {
        return shared.sum();
    }

    /** Connections to other nodes that are open now. */
    public long openConnections() {
        return open.sum();
    }

    void requested() {
        requests.increment();
    }

    void failed() {
        failures.increment();
    }

    void received(long count) {
        bytes.add(count);
    }

    void hit() {
        hits.increment();
    }

    void joined() {
        shared.increment();
    }

    void connections(int change) {
        open.add(change);
    }
}
