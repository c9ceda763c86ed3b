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
 * Tells when the disk is nearly full: once, and again only after there was room in between. On a
 * virtual thread of its own, until it is closed.
 */
public final class DiskWatch implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(DiskWatch.class);
    private static final Duration EVERY = Duration.ofSeconds(5);

    private final Database database;
    private final AssetRetention.FreeSpace space;
    private final long minFreeBytes;
    private final PeriodicTask task = new PeriodicTask("disk-watch", EVERY, this::look);

    // The watching thread only.
    private boolean told;

    /**
     * @param minFreeBytes recording stops when less is free; 0: there is nothing to tell
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

    /** Looks once, and tells where that is new. */
    void look() {
        try {
            long freeBytes = space.bytes();
            if (freeBytes >= minFreeBytes) {
                // A little more than the least is not room yet: it would be told again and again.
                told &= freeBytes < minFreeBytes + minFreeBytes / 10;
            } else if (!told) {
                tell(freeBytes);
                told = true;
            }
        } catch (IOException e) {
            log.warn("free space is not known: {}", e.toString());
        }
    }

    private void tell(long freeBytes) {
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
