package touchline.api.events;

import java.net.URI;
import java.util.Map;
import touchline.api.egress.EgressAnswer;
import touchline.api.egress.EgressException;

/** Port: sends one request. Blocks; any thread. */
@FunctionalInterface
public interface Poster {
    /**
     * @throws EgressException without a complete answer
     */
    EgressAnswer post(URI url, Map<String, String> headers, byte[] body) throws EgressException;
}
