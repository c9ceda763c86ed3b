package touchline.api.maintenance;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.db.Database;
import touchline.api.db.NewEvent;
import touchline.api.domain.EventType;

/**
 * Reports a nearly full disk: once, and again only after there was space in between. Runs on its
 * own virtual thread until it is closed.
 */
public final class DiskWatch implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(DiskWatch.class);
    private static final Duration EVERY = Duration.ofSeconds(5);

    private final Database database;
    private final AssetRetention.FreeSpace space;
    private final long minFreeBytes;
    private final PeriodicTask task = new PeriodicTask("disk-watch", EVERY, this::look);

    // Used by the watching thread only.
    private boolean reported;

    /**
     * @param minFreeBytes recording stops below this free space; 0: nothing is reported
     */
    public DiskWatch(Database database, AssetRetention.FreeSpace space, long minFreeBytes) {
        this.database = database;
        this.space = space;
        this.minFreeBytes = minFreeBytes;
    }

    public void start() {
        if (minFreeBytes > 0) {
            task.start();
        }
    }

    @Override
    public void close() {
        task.close();
    }

    /** Checks once, and reports a new shortage. */
    void look() {
        try {
            long freeBytes = space.bytes();
            if (freeBytes >= minFreeBytes) {
                // Needs a tenth more than the minimum, or it would be reported again and again.
                reported &= freeBytes < minFreeBytes + minFreeBytes / 10;
            } else if (!reported) {
                report(freeBytes);
                reported = true;
            }
        } catch (IOException e) {
            log.warn("cannot read free disk space: {}", e.toString());
        }
    }

    private void report(long freeBytes) {
        log.warn(
                "disk is nearly full: {} bytes free, storage.min-free {}", freeBytes, minFreeBytes);
        ObjectNode storage =
                JsonNodeFactory.instance
                        .objectNode()
                        .put("free_bytes", freeBytes)
                        .put("min_free_bytes", minFreeBytes);
        database.transact(
                () -> database.outbox().append(NewEvent.of(EventType.STORAGE_LOW_SPACE, storage)));
    }
}
