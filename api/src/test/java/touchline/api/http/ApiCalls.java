package touchline.api.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.helidon.http.HeaderNames;
import io.helidon.http.Method;
import io.helidon.webclient.http1.Http1ClientRequest;
import io.helidon.webclient.http1.Http1ClientResponse;
import io.helidon.webserver.testing.junit5.DirectClient;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Calls of a control API without a socket. Every reply is held against the OpenAPI document. */
abstract class ApiCalls {
    static final String ADMIN_SECRET = "correct-horse-battery-staple";
    static final String ADMIN = "Bearer admin." + ADMIN_SECRET;

    final ApiDocumentCheck document = ApiDocumentCheck.SHARED;

    /** Of the routes of the API. */
    abstract DirectClient client();

    TestReply get(String target) {
        return call("GET", target, null, Map.of("Authorization", ADMIN));
    }

    TestReply delete(String target) {
        return call("DELETE", target, null, Map.of("Authorization", ADMIN));
    }

    TestReply post(String target, @Nullable String body) {
        return call("POST", target, body, Map.of("Authorization", ADMIN));
    }

    TestReply put(String target, @Nullable String body) {
        return call("PUT", target, body, Map.of("Authorization", ADMIN));
    }

    TestReply patch(String target, String body) {
        return call("PATCH", target, body, Map.of("Authorization", ADMIN));
    }

    /** A call with exactly these headers, and application/json where there is a body. */
    TestReply call(
            String method, String target, @Nullable String body, Map<String, String> headers) {
        byte[] bytes = body == null ? null : body.getBytes(StandardCharsets.UTF_8);
        return callBytes(method, target, bytes, headers);
    }

    TestReply callBytes(
            String method, String target, byte @Nullable [] body, Map<String, String> headers) {
        Http1ClientRequest request =
                client().method(Method.create(method)).uri(target).skipUriEncoding(true);
        headers.forEach((name, value) -> request.header(HeaderNames.create(name), value));
        if (body != null && !headers.containsKey("Content-Type")) {
            request.header(HeaderNames.CONTENT_TYPE, "application/json");
        }
        try (Http1ClientResponse response =
                body == null ? request.request() : request.submit(body)) {
            Map<String, List<String>> received = new TreeMap<>();
            response.headers().forEach(h -> received.put(h.name(), h.allValues()));
            boolean bodied = response.entity().hasEntity() && !method.equals("HEAD");
            String text = bodied ? response.as(String.class) : "";
            TestReply reply = new TestReply(response.status().code(), received, text);
            document.check(method, target, reply);
            return reply;
        }
    }

    /** From which address the next calls come. */
    void clientAddress(String host) {
        client().clientHost(host);
    }

    static String basic(String id, String secret) {
        return "Basic "
                + Base64.getEncoder()
                        .encodeToString((id + ":" + secret).getBytes(StandardCharsets.UTF_8));
    }

    /** A new live stream, as the API shows it. */
    JsonNode create(String body) {
        TestReply reply = post("/live/v1/live-streams", body);
        if (reply.status() != 200) {
            throw new AssertionError(reply.text());
        }
        return reply.data();
    }
}
