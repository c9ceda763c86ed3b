package touchline.config;

import java.time.Duration;

/**
 * {@code events}: how much of the log of events and deliveries is kept.
 *
 * @param keep older ones go
 * @param maxKept events; the oldest go
 */
public record EventsConfig(Duration keep, int maxKept) {}
