package touchline.benchmarks.hostile;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import touchline.benchmarks.load.Samples;

/** Milliseconds of requests and their failures, by the phase in which they began. Any thread. */
final class PhaseTimes {
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Phase, Samples> ms = new EnumMap<>(Phase.class);
    private final Map<Phase, Integer> failures = new EnumMap<>(Phase.class);
    private volatile Phase phase = Phase.START;

    /** From now on. */
    void phase(Phase next) {
        phase = next;
    }

    Phase phase() {
        return phase;
    }

    void add(Phase began, double took) {
        lock.lock();
        try {
            ms.computeIfAbsent(began, _ -> new Samples()).add(took);
        } finally {
            lock.unlock();
        }
    }

    void failed(Phase began) {
        lock.lock();
        try {
            failures.merge(began, 1, Integer::sum);
        } finally {
            lock.unlock();
        }
    }

    /** Call it after the end of all requests. */
    Samples of(Phase of) {
        return ms.getOrDefault(of, new Samples());
    }

    int failures(Phase of) {
        return failures.getOrDefault(of, 0);
    }
}
