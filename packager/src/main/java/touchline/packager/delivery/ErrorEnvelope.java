package touchline.packager.delivery;

import io.netty.handler.codec.http.HttpResponseStatus;
import java.nio.charset.StandardCharsets;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A failure as viewers see it: {@code {"code","message","data":null,"request_id"}}. Immutable, any
 * thread.
 *
 * @param code status * 100 + n
 * @param message plain words, never a client's text
 * @param retryAfterSeconds for the Retry-After header
 */
record ErrorEnvelope(
        HttpResponseStatus status, int code, String message, OptionalInt retryAfterSeconds) {
    static final ErrorEnvelope NOT_FOUND = of(HttpResponseStatus.NOT_FOUND, 1, "not found");
    static final ErrorEnvelope MALFORMED =
            of(HttpResponseStatus.BAD_REQUEST, 1, "malformed request");
    static final ErrorEnvelope METHOD =
            of(HttpResponseStatus.METHOD_NOT_ALLOWED, 1, "method not allowed");
    static final ErrorEnvelope BODY =
            of(HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE, 1, "a request body is not accepted");
    static final ErrorEnvelope LINE_TOO_LONG =
            of(HttpResponseStatus.REQUEST_URI_TOO_LONG, 1, "request line longer than 16 KiB");
    static final ErrorEnvelope HEAD_TOO_LONG =
            of(
                    HttpResponseStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
                    1,
                    "request head longer than 32 KiB");
    static final ErrorEnvelope RANGE =
            of(HttpResponseStatus.REQUESTED_RANGE_NOT_SATISFIABLE, 1, "range not satisfiable");
    static final ErrorEnvelope INTERNAL =
            of(HttpResponseStatus.INTERNAL_SERVER_ERROR, 1, "internal error");
    static final ErrorEnvelope BUSY =
            new ErrorEnvelope(
                    HttpResponseStatus.SERVICE_UNAVAILABLE,
                    50301,
                    "too many thumbnail requests; retry later",
                    OptionalInt.of(1));
    static final ErrorEnvelope NO_NEW_MEDIA =
            new ErrorEnvelope(
                    HttpResponseStatus.SERVICE_UNAVAILABLE,
                    50301,
                    "no new media in time",
                    OptionalInt.of(1));

    static final ErrorEnvelope UNREACHABLE =
            new ErrorEnvelope(
                    HttpResponseStatus.SERVICE_UNAVAILABLE,
                    50301,
                    "the server that has this media cannot be reached; retry later",
                    OptionalInt.of(1));
    static final ErrorEnvelope NOT_A_NODE =
            of(HttpResponseStatus.FORBIDDEN, 1, "not signed by a node of this cluster");

    static ErrorEnvelope of(HttpResponseStatus status, int n, String message) {
        return new ErrorEnvelope(status, status.code() * 100 + n, message, OptionalInt.empty());
    }

    /** A later request may succeed. */
    static ErrorEnvelope unavailable(String message) {
        return new ErrorEnvelope(
                HttpResponseStatus.SERVICE_UNAVAILABLE, 50301, message, OptionalInt.of(5));
    }

    static ErrorEnvelope badParameter(String message) {
        return of(HttpResponseStatus.BAD_REQUEST, 2, message);
    }

    static ErrorEnvelope of(PlaybackDecision.Refused refused) {
        return new ErrorEnvelope(
                HttpResponseStatus.valueOf(refused.status()),
                refused.code(),
                refused.message(),
                refused.retryAfterSeconds());
    }

    /** Not secret, so no secure random source is needed: version 4, RFC 9562, 5.4. */
    static String newRequestId() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        long high = (random.nextLong() & ~0xF000L) | 0x4000L;
        long low = (random.nextLong() >>> 2) | 0x8000_0000_0000_0000L;
        return new UUID(high, low).toString();
    }

    /** The JSON text, UTF-8. */
    byte[] json(String requestId) {
        StringBuilder json = new StringBuilder(128).append("{\"code\":").append(code);
        json.append(",\"message\":\"");
        for (int i = 0; i < message.length(); i++) {
            escape(json, message.charAt(i));
        }
        return json.append("\",\"data\":null,\"request_id\":\"")
                .append(requestId)
                .append("\"}")
                .toString()
                .getBytes(StandardCharsets.UTF_8);
    }

    /** RFC 8259, 7. */
    private static void escape(StringBuilder json, char c) {
        if (c == '"' || c == '\\') {
            json.append('\\').append(c);
        } else if (c < ' ') {
            json.append("\\u00")
                    .append(c < 0x10 ? '0' : '1')
                    .append(Character.forDigit(c & 15, 16));
        } else {
            json.append(c);
        }
    }
}
