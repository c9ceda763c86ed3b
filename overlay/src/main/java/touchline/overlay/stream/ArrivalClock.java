package touchline.overlay.stream;

import java.util.Arrays;
import java.util.OptionalLong;

/**
 * Estimates arrival time minus presentation time without network jitter: the minimum of the last
 * two seconds. Follows a clock that drifts. One thread at a time.
 */
final class ArrivalClock {
    private static final long BUCKET_US = 250_000;
    private static final int BUCKETS = 8;

    private final long[] minimumUs = new long[BUCKETS];
    private final long[] bucketOf = new long[BUCKETS];

    ArrivalClock() {
        reset();
    }

    /** Drops all measurements. */
    void reset() {
        Arrays.fill(bucketOf, Long.MIN_VALUE);
    }

    /**
     * Adds an arrival.
     *
     * @param ptsUs its presentation time
     * @param nowUs monotonic time
     */
    void arrived(long ptsUs, long nowUs) {
        long bucket = Math.floorDiv(nowUs, BUCKET_US);
        int index = (int) Math.floorMod(bucket, (long) BUCKETS);
        long differenceUs = nowUs - ptsUs;
        if (bucketOf[index] != bucket) {
            bucketOf[index] = bucket;
            minimumUs[index] = differenceUs;
        } else {
            minimumUs[index] = Math.min(minimumUs[index], differenceUs);
        }
    }

    /** Arrival minus presentation time; empty without arrivals in the last two seconds. */
    OptionalLong differenceUs(long nowUs) {
        long oldest = Math.floorDiv(nowUs, BUCKET_US) - BUCKETS;
        long minimum = Long.MAX_VALUE;
        for (int i = 0; i < BUCKETS; i++) {
            if (bucketOf[i] > oldest) {
                minimum = Math.min(minimum, minimumUs[i]);
            }
        }
        return minimum == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(minimum);
    }
}
