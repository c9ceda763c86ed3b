package touchline.api.cluster;

import java.util.Map;

/**
 * A request of a client that another node answers.
 *
 * @param target path and query
 * @param headers passed on
 * @param body not copied, and never written after construction
 */
@SuppressWarnings("ArrayRecordComponent") // compared by identity only
public record NodeRequest(String method, String target, Map<String, String> headers, byte[] body) {
    public NodeRequest {
        headers = Map.copyOf(headers);
    }

    @Override
    public String toString() {
        return "NodeRequest[" + method + ", headers and body masked]";
    }
}
