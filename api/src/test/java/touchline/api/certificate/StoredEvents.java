package touchline.api.certificate;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.opentest4j.AssertionFailedError;
import touchline.api.db.NewEvent;
import touchline.testing.Await;

/** Events that a certificate has sent. Any thread. */
final class StoredEvents implements AutoCloseable {
    private final List<NewEvent> events = Collections.synchronizedList(new ArrayList<>());
    final CertificateLog log = new CertificateLog(events::add);

    /** Waits for as many events, and says that there are no more. */
    void assertCount(int expected) throws Exception {
        Await.until(() -> events.size() >= expected, events::toString);
        if (events.size() != expected) {
            throw new AssertionFailedError("events", expected, events.size());
        }
    }

    @Override
    public void close() {
        log.close();
    }
}
