package touchline.api.egress;

import java.time.Duration;

/**
 * Limits of a download. Immutable.
 *
 * @param silence longest time between two bytes
 * @param total for the whole file, all tries together
 * @param maxBytes of the file
 * @param tries attempts in a row without progress
 */
public record DownloadLimits(Duration silence, Duration total, long maxBytes, int tries) {}
