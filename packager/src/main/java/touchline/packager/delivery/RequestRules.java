package touchline.packager.delivery;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Rules for requests that cannot be answered; their connection is closed. */
final class RequestRules {
    /** RFC 9110, 9.3, and RFC 5789. */
    private static final Set<HttpMethod> KNOWN =
            Set.of(
                    HttpMethod.GET,
                    HttpMethod.HEAD,
                    HttpMethod.OPTIONS,
                    HttpMethod.POST,
                    HttpMethod.PUT,
                    HttpMethod.DELETE,
                    HttpMethod.PATCH,
                    HttpMethod.TRACE,
                    HttpMethod.CONNECT);

    /** With a shorter line the decoder's limits suffice for the whole head. */
    private static final int SHORT_LINE_CHARS = 256;

    /** Colon, blank, CR and LF. */
    private static final int HEADER_OVERHEAD_BYTES = 4;

    /** The rest of a request line: two blanks, the version, CR and LF. */
    private static final long VERSION_BYTES = 12;

    private RequestRules() {}

    /** Empty where the request can be answered. */
    static Optional<ErrorEnvelope> violation(HttpRequest request) {
        if (request.decoderResult().isFailure()) {
            Throwable cause = request.decoderResult().cause();
            if (cause instanceof TooLongHttpLineException) {
                return Optional.of(ErrorEnvelope.LINE_TOO_LONG);
            }
            return Optional.of(
                    cause instanceof TooLongHttpHeaderException
                            ? ErrorEnvelope.HEAD_TOO_LONG
                            : ErrorEnvelope.MALFORMED);
        }
        if (!KNOWN.contains(request.method()) || !hasOneHost(request)) {
            return Optional.of(ErrorEnvelope.MALFORMED);
        }
        if (hasBody(request.headers())) {
            return Optional.of(ErrorEnvelope.BODY);
        }
        return isTooLong(request) ? Optional.of(ErrorEnvelope.HEAD_TOO_LONG) : Optional.empty();
    }

    /**
     * The same for HTTP/2: its decoder limits the whole head only, and bodies need no header field.
     *
     * @param ended nothing follows the head
     */
    static Optional<ErrorEnvelope> http2Violation(HttpRequest request, boolean ended) {
        long lineBytes = request.method().name().length() + request.uri().length() + VERSION_BYTES;
        if (lineBytes > DeliveryLimits.MAX_LINE_BYTES) {
            return Optional.of(ErrorEnvelope.LINE_TOO_LONG);
        }
        if (headBytes(request) > DeliveryLimits.MAX_HEAD_BYTES) {
            return Optional.of(ErrorEnvelope.HEAD_TOO_LONG);
        }
        Optional<ErrorEnvelope> violation = violation(request);
        return violation.isEmpty() && !ended ? Optional.of(ErrorEnvelope.BODY) : violation;
    }

    /** RFC 9112, 3.2: exactly one Host in HTTP/1.1, at most one before. */
    private static boolean hasOneHost(HttpRequest request) {
        Iterator<? extends CharSequence> hosts =
                request.headers().valueCharSequenceIterator(HttpHeaderNames.HOST);
        if (!hosts.hasNext()) {
            return request.protocolVersion().compareTo(HttpVersion.HTTP_1_1) < 0;
        }
        hosts.next();
        return !hosts.hasNext();
    }

    private static boolean hasBody(HttpHeaders headers) {
        String length = headers.get(HttpHeaderNames.CONTENT_LENGTH);
        return (length != null && !length.equals("0"))
                || headers.contains(HttpHeaderNames.TRANSFER_ENCODING);
    }

    /** The decoder limits line and headers apart; together they must not pass the limit either. */
    private static boolean isTooLong(HttpRequest request) {
        if (request.uri().length() <= SHORT_LINE_CHARS) {
            return false;
        }
        return headBytes(request) > DeliveryLimits.MAX_HEAD_BYTES;
    }

    private static long headBytes(HttpRequest request) {
        long bytes = request.method().name().length() + request.uri().length() + VERSION_BYTES;
        Iterator<Map.Entry<CharSequence, CharSequence>> headers =
                request.headers().iteratorCharSequence();
        while (headers.hasNext()) {
            Map.Entry<CharSequence, CharSequence> header = headers.next();
            bytes += header.getKey().length() + header.getValue().length() + HEADER_OVERHEAD_BYTES;
        }
        return bytes;
    }
}
