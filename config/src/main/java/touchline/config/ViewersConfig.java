package touchline.config;

import java.time.Duration;

/**
 * {@code viewers}: the history of viewers of live streams.
 *
 * @param keep maximum age of a minute
 */
public record ViewersConfig(Duration keep) {}
