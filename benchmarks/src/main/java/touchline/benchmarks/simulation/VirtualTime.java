package touchline.benchmarks.simulation;

import java.util.PriorityQueue;

/** Events in the order of their virtual time, then of their insertion. Owned by one thread. */
final class VirtualTime {
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private long nowMs;
    private long inserted;

    private record Event(long atMs, long number, Runnable action) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            return atMs != other.atMs
                    ? Long.compare(atMs, other.atMs)
                    : Long.compare(number, other.number);
        }
    }

    long nowMs() {
        return nowMs;
    }

    void after(long delayMs, Runnable action) {
        events.add(new Event(nowMs + delayMs, inserted++, action));
    }

    /** Runs all events up to a time; returns how many. */
    long runUntil(long endMs) {
        long before = inserted - events.size();
        while (!events.isEmpty() && events.element().atMs <= endMs) {
            Event next = events.remove();
            nowMs = next.atMs;
            next.action.run();
        }
        nowMs = endMs;
        return inserted - events.size() - before;
    }
}
