package touchline.media.signal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/** The samples of a session's last hour. Any thread. */
public final class SignalHistory {
    /** One a second for an hour. */
    public static final int MAX_SAMPLES = 3_600;

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final ArrayDeque<SignalSample> samples = new ArrayDeque<>();

    /** Adds the newest. */
    public void add(SignalSample sample) {
        lock.lock();
        try {
            if (samples.size() == MAX_SAMPLES) {
                samples.removeFirst();
            }
            samples.addLast(sample);
        } finally {
            lock.unlock();
        }
    }

    public Optional<SignalSample> newest() {
        lock.lock();
        try {
            return Optional.ofNullable(samples.peekLast());
        } finally {
            lock.unlock();
        }
    }

    /** Returns the samples after this moment, oldest first. */
    public List<SignalSample> after(Instant moment) {
        lock.lock();
        try {
            return samples.stream().filter(each -> each.at().isAfter(moment)).toList();
        } finally {
            lock.unlock();
        }
    }
}
