package touchline.api.events;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.LongSupplier;
import touchline.api.db.EventRepository;

/**
 * Finds the events that other nodes of a cluster commit, for the console of this one. The order of
 * places is not that of the commits, so places of the last seconds are read again. One thread.
 */
public final class EventPoll {
    private static final long LOOK_BACK_NS = Duration.ofSeconds(10).toNanos();

    private final EventRepository events;
    private final EventFeed feed;
    private final LongSupplier nanoTime;

    /** The newest place at each poll, oldest first: the first one is older than the look-back. */
    private final Deque<Newest> newest = new ArrayDeque<>();

    private record Newest(long atNs, long place) {}

    /**
     * @param nanoTime a monotonic clock
     */
    public EventPoll(EventRepository events, EventFeed feed, LongSupplier nanoTime) {
        this.events = events;
        this.feed = feed;
        this.nanoTime = nanoTime;
        newest.add(new Newest(nanoTime.getAsLong(), events.newestPlace()));
        feed.share();
    }

    /** Reads the log; blocks. */
    public void tick() {
        long nowNs = nanoTime.getAsLong();
        List<Long> places = events.placesAfter(newest.getFirst().place());
        List<Long> unseen = feed.unseen(places);
        if (!unseen.isEmpty() && !feed.isIdle()) {
            feed.found(events.at(unseen));
        }
        long last = places.isEmpty() ? newest.getLast().place() : places.getLast();
        newest.add(new Newest(nowNs, last));
        while (newest.size() > 1 && isPast(newest.stream().skip(1).findFirst().orElseThrow())) {
            newest.removeFirst();
        }
        feed.dropUpTo(newest.getFirst().place());
    }

    private boolean isPast(Newest each) {
        return nanoTime.getAsLong() - each.atNs() > LOOK_BACK_NS;
    }
}
