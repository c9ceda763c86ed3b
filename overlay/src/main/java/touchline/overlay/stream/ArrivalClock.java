package touchline.overlay.stream;

import java.util.Arrays;
import java.util.OptionalLong;

/**
 * How far arrival lies behind presentation time, without what the network adds now and then: the
 * least difference of the last two seconds. It follows a clock that runs fast or slow. One thread
 * at a time.
 */
final class ArrivalClock {
    private static final long BUCKET_US = 250_000;
    private static final int BUCKETS = 8;

    private final long[] minimumUs = new long[BUCKETS];
    private final long[] bucketOf = new long[BUCKETS];

    ArrivalClock() {
        reset();
    }

    /** As if nothing had arrived. */
    void reset() {
        Arrays.fill(bucketOf, Long.MIN_VALUE);
    }

    /**
     * Something has arrived.
     *
     * @param ptsUs its presentation time
     * @param nowUs of a clock that never goes back
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

    /** Arrival less presentation time; empty where nothing has arrived lately. */
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
