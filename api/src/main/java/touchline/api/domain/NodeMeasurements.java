package touchline.api.domain;

import java.time.Duration;
import java.util.Optional;

/**
 * What a node has measured with its newest heartbeat. Immutable.
 *
 * @param late how late it began
 * @param clock of the node; empty before its first heartbeat, and of a node of an earlier version
 */
public record NodeMeasurements(Duration late, Optional<ClockDifference> clock) {}
