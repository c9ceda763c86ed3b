package touchline.api.egress;

import java.time.Duration;

/**
 * What fetching a file may take. Immutable.
 *
 * @param silence between two bytes
 * @param total for the whole file, all tries together
 * @param maxBytes of the file
 * @param tries how often a transfer that breaks is taken up in a row without any progress
 */
public record DownloadLimits(Duration silence, Duration total, long maxBytes, int tries) {}
