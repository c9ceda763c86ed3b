package touchline.api.certificate;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.opentest4j.AssertionFailedError;
import touchline.api.db.NewEvent;

/** Events that a certificate has sent. Any thread. */
final class StoredEvents implements AutoCloseable {
    private final List<NewEvent> events = Collections.synchronizedList(new ArrayList<>());
    final CertificateLog log = new CertificateLog(events::add);

    /** Waits for as many events, and says that there are no more. */
    void assertCount(int expected) throws Exception {
        await(() -> events.size() >= expected);
        if (events.size() != expected) {
            throw new AssertionFailedError("events", expected, events.size());
        }
    }

    private static void await(Callable<Boolean> condition) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!condition.call() && System.nanoTime() < end) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    @Override
    public void close() {
        log.close();
    }
}
