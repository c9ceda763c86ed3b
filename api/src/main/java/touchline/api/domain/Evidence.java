package touchline.api.domain;

import java.time.Instant;

/**
 * An evidence frame that a record names. Immutable.
 *
 * @param recordId the record
 * @param place where its file is
 */
public record Evidence(
        long recordId, FrameName frame, long sizeBytes, Instant capturedAt, Place place) {
    /** Where the file of a frame was stored. */
    public enum Place {
        /** On the disk of this server. */
        HERE,

        /** On that of another node of the cluster, which runs. */
        ELSEWHERE,

        /** On that of a node that does not run, or of an unknown one. */
        GONE
    }
}
