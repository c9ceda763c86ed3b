package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostMetersTest {
    @TempDir private Path folder;

    /** Gauges hold their object weakly by default. */
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
