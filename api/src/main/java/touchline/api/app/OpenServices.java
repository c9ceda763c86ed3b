package touchline.api.app;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The services of a server that are open; closes them in reverse order. One thread. */
final class OpenServices {
    private static final Logger log = LoggerFactory.getLogger(OpenServices.class);

    private final Deque<Closing> open = new ArrayDeque<>();

    /** A resource that is closed with the server, with its name in the log. */
    private record Closing(String name, AutoCloseable closing) {}

    <T extends AutoCloseable> T opened(String name, T service) {
        open.push(new Closing(name, service));
        return service;
    }

    void closeAll() {
        while (!open.isEmpty()) {
            Closing service = open.pop();
            try {
                service.closing().close();
            } catch (Exception e) {
                log.warn("closing {}: {}", service.name(), e.toString());
            }
        }
    }
}
