package touchline.api.db;

import org.jspecify.annotations.Nullable;
import touchline.api.cluster.ownership.ResumeRecord;

/**
 * What an owner leaves with a stream that it gives up, so that its session can go on elsewhere.
 * Immutable.
 *
 * @param newest highest media sequence number used
 * @param resume what the successor needs; null where nothing was published
 */
public record Release(long newest, @Nullable ResumeRecord resume) {}
