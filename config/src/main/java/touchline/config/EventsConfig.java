package touchline.config;

import java.time.Duration;

/**
 * {@code events}: retention of the event and delivery log.
 *
 * @param keep maximum age of an event
 * @param maxKept maximum number of events; the oldest are deleted first
 */
public record EventsConfig(Duration keep, int maxKept) {}
