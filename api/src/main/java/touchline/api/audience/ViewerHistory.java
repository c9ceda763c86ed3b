package touchline.api.audience;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.db.ViewerRepository;
import touchline.api.domain.ViewerCounts;
import touchline.media.StreamId;
import touchline.packager.audience.Audience;
import touchline.packager.audience.ViewerMinute;

/**
 * Viewers of live streams, now and by minutes. {@link #store} writes minutes that are over, {@link
 * #trim} deletes old ones. Any thread.
 */
public final class ViewerHistory {
    /** Minutes that wait for the database; the oldest are dropped. */
    private static final int MAX_WAITING = 100_000;

    private static final int ROWS_AT_ONCE = 1_000;
    private static final Logger log = LoggerFactory.getLogger(ViewerHistory.class);

    private final Audience audience;
    private final ViewerRepository repository;
    private final Supplier<Duration> keep;
    private final InstantSource clock;

    /** Volatile: set once, before the first request. */
    private volatile Supplier<ViewerCounts> elsewhere = () -> ViewerCounts.NONE;

    @GuardedBy("this")
    private final Deque<ViewerMinute> waiting = new ArrayDeque<>();

    /**
     * @param keep maximum age of a minute, asked at each {@link #trim}
     */
    public ViewerHistory(
            Audience audience,
            ViewerRepository repository,
            Supplier<Duration> keep,
            InstantSource clock) {
        this.audience = audience;
        this.repository = repository;
        this.keep = keep;
        this.clock = clock;
    }

    /**
     * Adds the viewers that other nodes of a cluster serve. Called before the first request.
     *
     * @param others may block for a moment
     */
    public void serveWith(Supplier<ViewerCounts> others) {
        elsewhere = others;
    }

    /** Viewers that this server serves now. */
    public ViewerCounts here() {
        return new ViewerCounts(audience.now(), audience.nowByStream());
    }

    /** Viewers of all streams now. */
    public int now() {
        return audience.now() + elsewhere.get().total();
    }

    /** Viewers of a stream now. */
    public int now(StreamId stream) {
        return audience.now(stream) + elsewhere.get().of(stream);
    }

    /** Streams with viewers, with their numbers. */
    public Map<StreamId, Integer> nowByStream() {
        return here().plus(elsewhere.get()).byStream();
    }

    /**
     * Viewers in steps, in their order; steps without viewers are left out.
     *
     * @param stream empty: all streams together
     * @param from a whole minute
     * @param to exclusive
     * @param step whole minutes
     */
    public List<ViewerMinute> steps(
            Optional<StreamId> stream, Instant from, Instant to, Duration step) {
        // Read in this order, a minute on its way is seen twice rather than not at all.
        List<ViewerMinute> inMemory = new ArrayList<>(audience.running());
        synchronized (this) {
            waiting.addAll(audience.finished());
            inMemory.addAll(waiting);
        }
        Map<Instant, ViewerMinute> byStep = new HashMap<>();
        repository.steps(stream, from, to, step).forEach(each -> byStep.put(each.start(), each));
        for (ViewerMinute each : inMemory) {
            if (each.stream().equals(stream)
                    && !each.start().isBefore(from)
                    && each.start().isBefore(to)) {
                Instant start =
                        from.plus(
                                step.multipliedBy(
                                        Duration.between(from, each.start()).dividedBy(step)));
                byStep.merge(start, each.at(start), ViewerMinute::and);
            }
        }
        return byStep.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(Map.Entry::getValue)
                .toList();
    }

    /** Stores minutes that are over. After a failure they wait for the next call. */
    public synchronized void store() {
        store(audience.finished());
    }

    /** Stores the minute that runs too: for the end of the server. */
    public synchronized void storeAll() {
        store(audience.last());
    }

    @GuardedBy("this")
    private void store(List<ViewerMinute> minutes) {
        waiting.addAll(minutes);
        int dropped = 0;
        while (waiting.size() > MAX_WAITING) {
            waiting.removeFirst();
            dropped++;
        }
        if (dropped > 0) {
            log.warn("{} minutes of viewers dropped: the database did not take them", dropped);
        }
        while (!waiting.isEmpty()) {
            List<ViewerMinute> next = waiting.stream().limit(ROWS_AT_ONCE).toList();
            repository.add(next);
            next.forEach(_ -> waiting.removeFirst());
        }
    }

    /** Deletes minutes that are too old, and those of deleted streams. Returns their number. */
    public int trim() {
        Instant oldest = clock.instant().minus(keep.get());
        int deleted = 0;
        int batch;
        do {
            batch =
                    repository.deleteBefore(oldest, ROWS_AT_ONCE)
                            + repository.deleteOrphans(ROWS_AT_ONCE);
            deleted += batch;
        } while (batch >= ROWS_AT_ONCE);
        return deleted;
    }
}
