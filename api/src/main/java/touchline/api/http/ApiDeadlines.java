package touchline.api.http;

import java.time.Duration;

/**
 * How long a connection of the control API may take. Immutable.
 *
 * @param head from the first byte of a head to its end; of the first head from the accept
 * @param body for all of a body
 * @param reply for all of a reply, or for one write of a streamed one
 * @param idle between two requests
 * @param linger for what a client sends behind a refusal
 */
record ApiDeadlines(Duration head, Duration body, Duration reply, Duration idle, Duration linger) {
    static final ApiDeadlines DEFAULT =
            new ApiDeadlines(
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(30),
                    Duration.ofSeconds(60),
                    Duration.ofSeconds(60),
                    Duration.ofSeconds(2));
}
