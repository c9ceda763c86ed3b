package touchline.api.domain;

import java.time.Duration;
import java.util.List;

/** How long to wait before what a receiver did not take is sent again: webhooks and notices. */
public final class RetryPauses {
    /** One for each retry, some three days in all; after the last one it is given up. */
    public static final List<Duration> ALL =
            List.of(
                    Duration.ofSeconds(5),
                    Duration.ofMinutes(5),
                    Duration.ofMinutes(30),
                    Duration.ofHours(2),
                    Duration.ofHours(5),
                    Duration.ofHours(10),
                    Duration.ofHours(14),
                    Duration.ofHours(20),
                    Duration.ofHours(24));

    private RetryPauses() {}
}
