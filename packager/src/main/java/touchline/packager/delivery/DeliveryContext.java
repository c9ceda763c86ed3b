package touchline.packager.delivery;

import java.util.function.LongSupplier;
import java.util.function.Supplier;
import touchline.packager.thumbnail.Thumbnails;

/**
 * Shared by all connections of one server. Any thread.
 *
 * @param limitsInForce asked for each deadline
 * @param nanoTime the clock of all deadlines
 * @param files stored media on its way out
 * @param thumbnails owned by the server
 * @param pages to watch in a browser
 */
record DeliveryContext(
        PlaybackAccess access,
        Supplier<DeliveryLimits> limitsInForce,
        DeliveryCounters counters,
        ResponseHeaders headers,
        ViewerAddress viewers,
        LongSupplier nanoTime,
        OpenFiles files,
        Thumbnails thumbnails,
        WatchPages pages) {
    DeliveryContext(
            PlaybackAccess access,
            Supplier<DeliveryLimits> limitsInForce,
            DeliveryCounters counters,
            ResponseHeaders headers,
            ViewerAddress viewers,
            LongSupplier nanoTime,
            Thumbnails thumbnails) {
        this(
                access,
                limitsInForce,
                counters,
                headers,
                viewers,
                nanoTime,
                new OpenFiles(nanoTime),
                thumbnails,
                WatchPages.NONE);
    }

    /** The same with pages. */
    DeliveryContext with(WatchPages shown) {
        return new DeliveryContext(
                access,
                limitsInForce,
                counters,
                headers,
                viewers,
                nanoTime,
                files,
                thumbnails,
                shown);
    }

    /** The limits that hold now. */
    DeliveryLimits limits() {
        return limitsInForce.get();
    }
}
