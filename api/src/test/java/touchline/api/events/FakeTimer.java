package touchline.api.events;

import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** A timer that the test triggers. Any thread. */
public final class FakeTimer implements RetryTimer {
    private final Map<String, Instant> arranged = new ConcurrentHashMap<>();
    private volatile Consumer<String> due = _ -> {};

    @Override
    public void wakes(Consumer<String> woken) {
        due = woken;
    }

    @Override
    public boolean arrange(String endpoint, Instant at) {
        arranged.put(endpoint, at);
        return true;
    }

    /** The current schedule. */
    public Map<String, Instant> arranged() {
        return Map.copyOf(arranged);
    }

    /** Nothing is arranged any more, as when the process that arranged it is gone. */
    public void clear() {
        arranged.clear();
    }

    /** Sets the time: wakes all waiters for it, or for an earlier one. */
    public void reach(Instant now) {
        arranged.forEach(
                (endpoint, at) -> {
                    if (!now.isBefore(at) && arranged.remove(endpoint, at)) {
                        due.accept(endpoint);
                    }
                });
    }
}
