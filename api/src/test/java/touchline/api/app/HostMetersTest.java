package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.media.store.DiskSpace;

class HostMetersTest {
    @TempDir private Path folder;

    /** Gauges hold their object weakly by default. */
    @Test
    void disk_showsItsInodes() throws IOException {
        PrometheusMeterRegistry registry = HostMeters.registry();
        HostMeters.bind(registry, folder);

        double size = registry.get("touchline.disk.inodes.size").gauge().value();
        double free = registry.get("touchline.disk.inodes.free").gauge().value();

        long inodes = DiskSpace.of(folder).totalInodes();
        assertEquals(inodes == Long.MAX_VALUE ? Double.POSITIVE_INFINITY : inodes, size);
        assertTrue(free > 0 && free <= size, "free: " + free);
    }

    @Test
    void residentMemory_afterACollection_isStillThere() {
        PrometheusMeterRegistry registry = HostMeters.registry();
        HostMeters.bind(registry, folder);
        WeakReference<Object> collected = new WeakReference<>(new Object());
        while (collected.get() != null) {
            System.gc();
        }

        double bytes = registry.get("process.resident.memory").gauge().value();

        assertTrue(bytes > 1 << 20, "bytes: " + bytes);
    }
}
