package touchline.media.signal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/** The faults that a session has now; reports each change once. Any thread. */
final class ActiveFaults {
    private final SignalListener listener;
    private final SignalCounters counters;
    private final InstantSource clock;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Set<SignalFault> active = EnumSet.noneOf(SignalFault.class);

    @GuardedBy("lock")
    private boolean closed;

    ActiveFaults(SignalListener listener, SignalCounters counters, InstantSource clock) {
        this.listener = listener;
        this.counters = counters;
        this.clock = clock;
    }

    void set(SignalFault fault, boolean present) {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            if (present && active.add(fault)) {
                counters.began(fault);
                listener.began(fault, clock.instant());
            } else if (!present && active.remove(fault)) {
                end(fault);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Ends those of audio, or those of video. */
    void endAll(boolean ofAudio) {
        for (SignalFault fault : SignalFault.values()) {
            if (fault.isOfAudio() == ofAudio) {
                set(fault, false);
            }
        }
    }

    /** Ends all and ignores later ones. Idempotent. */
    void close() {
        lock.lock();
        try {
            closed = true;
            active.forEach(this::end);
            active.clear();
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void end(SignalFault fault) {
        counters.ended(fault);
        listener.ended(fault, clock.instant());
    }
}
