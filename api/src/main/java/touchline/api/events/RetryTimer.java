package touchline.api.events;

import java.time.Instant;
import java.util.function.Consumer;

/** Port: wakes endpoints at a time, also after a restart of the server. Any thread. */
public interface RetryTimer {
    /**
     * Sets the receiver of the wake-ups.
     *
     * @param due receives the id of an endpoint at its time; does not block
     */
    void wakes(Consumer<String> due);

    /**
     * Sets the time of an endpoint, in place of an earlier one. Blocks.
     *
     * @return false where that is not possible at this moment: try again soon
     */
    boolean arrange(String endpoint, Instant at);
}
