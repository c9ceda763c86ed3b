package touchline.api.events;

import java.time.Instant;
import java.util.function.Consumer;

/** Port: wakes endpoints later, in a later life of the server too. Any thread. */
public interface RetryTimer {
    /**
     * Says who is woken.
     *
     * @param due told of an endpoint whose time has come; does not block
     */
    void wakes(Consumer<String> due);

    /**
     * Has an endpoint woken at this time, instead of any time that was arranged before. Blocks.
     *
     * @return false where that cannot be arranged at this moment: to be asked again soon
     */
    boolean arrange(String endpoint, Instant at);
}
