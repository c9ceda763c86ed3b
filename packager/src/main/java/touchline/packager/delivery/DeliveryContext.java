package touchline.packager.delivery;

import java.util.function.LongSupplier;

/**
 * What all connections of one server share. Any thread.
 *
 * @param nanoTime the clock of all deadlines
 */
record DeliveryContext(
        PlaybackAccess access,
        DeliveryLimits limits,
        DeliveryCounters counters,
        ResponseHeaders headers,
        ViewerAddress viewers,
        LongSupplier nanoTime) {}
