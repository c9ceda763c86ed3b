package touchline.api.egress;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The answer to a request. Immutable.
 *
 * @param statusLine e.g. {@code HTTP/1.1 200 OK}
 * @param headers in their order, names as received
 * @param bodyText the beginning of the body, up to the limit, decoded as UTF-8
 * @param cut whether the body is longer
 */
public record EgressAnswer(
        int status,
        String statusLine,
        List<Map.Entry<String, String>> headers,
        String bodyText,
        boolean cut) {
    public EgressAnswer {
        headers = List.copyOf(headers);
    }

    static EgressAnswer of(
            int status,
            String statusLine,
            List<Map.Entry<String, String>> headers,
            byte[] body,
            boolean cut) {
        return new EgressAnswer(
                status, statusLine, headers, new String(body, StandardCharsets.UTF_8), cut);
    }

    public boolean isSuccess() {
        return status >= 200 && status < 300;
    }

    /** The first header of this name, in any case. */
    public Optional<String> header(String name) {
        return headers.stream()
                .filter(header -> header.getKey().equalsIgnoreCase(name))
                .map(Map.Entry::getValue)
                .findFirst();
    }
}
