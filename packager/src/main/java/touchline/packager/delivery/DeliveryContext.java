package touchline.packager.delivery;

import java.util.function.LongSupplier;

/**
 * What all connections of one server share. Any thread.
 *
 * @param nanoTime the clock of all deadlines
 * @param files stored media on its way out
 */
record DeliveryContext(
        PlaybackAccess access,
        DeliveryLimits limits,
        DeliveryCounters counters,
        ResponseHeaders headers,
        ViewerAddress viewers,
        LongSupplier nanoTime,
        OpenFiles files) {
    DeliveryContext(
            PlaybackAccess access,
            DeliveryLimits limits,
            DeliveryCounters counters,
            ResponseHeaders headers,
            ViewerAddress viewers,
            LongSupplier nanoTime) {
        this(access, limits, counters, headers, viewers, nanoTime, new OpenFiles(nanoTime));
    }
}
