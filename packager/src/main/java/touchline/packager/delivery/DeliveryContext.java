package touchline.packager.delivery;

import java.util.function.LongSupplier;
import touchline.packager.thumbnail.Thumbnails;

/**
 * Shared by all connections of one server. Any thread.
 *
 * @param nanoTime the clock of all deadlines
 * @param files stored media on its way out
 * @param thumbnails owned by the server
 */
record DeliveryContext(
        PlaybackAccess access,
        DeliveryLimits limits,
        DeliveryCounters counters,
        ResponseHeaders headers,
        ViewerAddress viewers,
        LongSupplier nanoTime,
        OpenFiles files,
        Thumbnails thumbnails) {
    DeliveryContext(
            PlaybackAccess access,
            DeliveryLimits limits,
            DeliveryCounters counters,
            ResponseHeaders headers,
            ViewerAddress viewers,
            LongSupplier nanoTime,
            Thumbnails thumbnails) {
        this(
                access,
                limits,
                counters,
                headers,
                viewers,
                nanoTime,
                new OpenFiles(nanoTime),
                thumbnails);
    }
}
