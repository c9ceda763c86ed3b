package touchline.api.app;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a server has opened so far; closes it in reverse order. One thread at a time. */
final class OpenResources implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(OpenResources.class);

    private final Deque<Named> open = new ArrayDeque<>();

    /** A resource with its name in the log. */
    private record Named(String name, AutoCloseable resource) {}

    void add(String name, AutoCloseable resource) {
        open.push(new Named(name, resource));
    }

    @Override
    public void close() {
        while (!open.isEmpty()) {
            Named last = open.pop();
            try {
                last.resource().close();
            } catch (Exception e) {
                log.warn("closing {}: {}", last.name(), e.toString());
            }
        }
    }
}
