package touchline.api.http;

import io.helidon.http.DirectHandler;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.Headers;
import io.helidon.http.RequestException;
import io.helidon.http.Status;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.http1.Http1ConnectionListener;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Refuses requests whose body ends in more than one place: a proxy in front might see another end,
 * and take the rest for a request of another client. Source: RFC 9112, 6.1 to 6.3. Any thread.
 */
final class Http1Framing implements Http1ConnectionListener {
    private static final Pattern LENGTH = Pattern.compile("[0-9]{1,18}");

    @Override
    public void headers(ConnectionContext context, Headers headers) {
        List<String> lengths = values(headers, HeaderNames.CONTENT_LENGTH);
        List<String> codings = values(headers, HeaderNames.TRANSFER_ENCODING);
        if (!codings.isEmpty()) {
            if (!lengths.isEmpty()) {
                throw refused("Content-Length with Transfer-Encoding (expected: one of them)");
            }
            if (codings.size() > 1 || !codings.getFirst().equalsIgnoreCase("chunked")) {
                throw refused("Transfer-Encoding (expected: chunked, once)");
            }
        }
        if (lengths.size() > 1
                || (lengths.size() == 1 && !LENGTH.matcher(lengths.getFirst()).matches())) {
            throw refused("Content-Length (expected: one number of bytes)");
        }
    }

    /** The values as they were sent, without splitting at commas. */
    private static List<String> values(Headers headers, HeaderName name) {
        return headers.contains(name) ? headers.get(name).allValues() : List.of();
    }

    private static RequestException refused(String message) {
        return RequestException.builder()
                .type(DirectHandler.EventType.BAD_REQUEST)
                .status(Status.BAD_REQUEST_400)
                .setKeepAlive(false)
                .message(message)
                .safeMessage(true)
                .build();
    }
}
