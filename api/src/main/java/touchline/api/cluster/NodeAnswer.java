package touchline.api.cluster;

import java.io.InputStream;
import java.util.Map;

/**
 * The answer of another node to the request of a client.
 *
 * @param headers the first value of each, by its name in lower case
 * @param body arrives while it is read; the reader closes it
 */
public record NodeAnswer(int status, Map<String, String> headers, InputStream body) {
    public NodeAnswer {
        headers = Map.copyOf(headers);
    }
}
