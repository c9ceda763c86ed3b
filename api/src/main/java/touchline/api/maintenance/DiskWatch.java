package touchline.api.maintenance;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.db.Database;
import touchline.api.db.NewEvent;
import touchline.api.domain.EventType;
import touchline.media.store.DiskSpace;

/**
 * Reports a nearly full disk: once, and again only after there was space in between. Runs on its
 * own virtual thread until it is closed.
 */
public final class DiskWatch implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(DiskWatch.class);
    private static final Duration EVERY = Duration.ofSeconds(5);

    private final Database database;
    private final AssetRetention.FreeSpace space;
    private final Supplier<DiskSpace.Least> limit;
    private final PeriodicTask task = new PeriodicTask("disk-watch", EVERY, this::look);

    // Used by the watching thread only.
    private boolean reported;

    /**
     * @param limit recording stops below this free space; zero: nothing is reported; asked each
     *     time
     */
    public DiskWatch(
            Database database, AssetRetention.FreeSpace space, Supplier<DiskSpace.Least> limit) {
        this.database = database;
        this.space = space;
        this.limit = limit;
    }

    public void start() {
        task.start();
    }

    @Override
    public void close() {
        task.close();
    }

    /** Checks once, and reports a new shortage. */
    void look() {
        DiskSpace.Least least = limit.get();
        if (least.bytes() <= 0 && least.inodes() <= 0) {
            return;
        }
        try {
            DiskSpace now = space.read();
            if (!now.isBelow(least)) {
                // Needs a tenth more than the minimum, or it would be reported again and again.
                reported &= now.isBelow(withTenth(least));
            } else if (!reported) {
                report(now, least);
                reported = true;
            }
        } catch (IOException e) {
            log.warn("cannot read free disk space: {}", e.toString());
        }
    }

    private static DiskSpace.Least withTenth(DiskSpace.Least least) {
        return new DiskSpace.Least(
                least.bytes() + least.bytes() / 10, least.inodes() + least.inodes() / 10);
    }

    private void report(DiskSpace now, DiskSpace.Least least) {
        log.warn(
                "disk is nearly full: {} (storage.min-free, storage.min-free-inodes)",
                now.shortage(least));
        ObjectNode storage =
                JsonNodeFactory.instance
                        .objectNode()
                        .put("free_bytes", now.freeBytes())
                        .put("min_free_bytes", least.bytes());
        if (least.inodes() > 0 && now.freeInodes() < Long.MAX_VALUE) {
            storage.put("free_inodes", now.freeInodes()).put("min_free_inodes", least.inodes());
        }
        database.transact(
                () -> database.outbox().append(NewEvent.of(EventType.STORAGE_LOW_SPACE, storage)));
    }
}
