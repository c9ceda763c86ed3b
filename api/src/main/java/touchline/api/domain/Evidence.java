package touchline.api.domain;

import java.time.Instant;

/**
 * An evidence frame that a record names. Immutable.
 *
 * @param recordId the record
 * @param place where its file is
 */
public record Evidence(
        long recordId, FrameName frame, long sizeBytes, Instant capturedAt, FilePlace place) {}
