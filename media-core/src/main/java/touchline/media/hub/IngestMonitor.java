package touchline.media.hub;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import touchline.media.AccessUnit;
import touchline.media.FeedItem;

/** Measures what a session's publisher sends. SKELETON. */
final class IngestMonitor {
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong nextStartUs = new AtomicLong();

    void observe(FeedItem item) {
        if (item instanceof AccessUnit unit) {
            bytes.addAndGet(unit.payload().byteSize());
            nextStartUs.set(Math.max(nextStartUs.get(), unit.dtsUs() + 33_333));
        }
    }

    /** Media time at which the next timeline may start. */
    long nextStartUs() {
        return nextStartUs.get();
    }

    IngestReport report() {
        return new IngestReport(List.of(), 0, 0, 0, 0, 0, bytes.get(), 0, List.of());
    }
}
