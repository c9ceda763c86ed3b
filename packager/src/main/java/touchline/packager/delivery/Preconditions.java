package touchline.packager.delivery;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import org.jspecify.annotations.Nullable;

/** Evaluates request headers on the representation: conditions, range, coding. */
final class Preconditions {
    private Preconditions() {}

    /**
     * Whether If-None-Match names this entity tag; weak comparison (RFC 9110, 13.1.2). This
     * server's tags contain no comma and no quote.
     */
    static boolean isNotModified(HttpHeaders request, String entityTag) {
        String header = request.get(HttpHeaderNames.IF_NONE_MATCH);
        if (header == null) {
            return false;
        }
        for (String candidate : header.split(",", -1)) {
            String tag = candidate.strip();
            if (tag.equals("*") || tag.equals(entityTag)) {
                return true;
            }
            if (tag.startsWith("W/") && tag.substring(2).equals(entityTag)) {
                return true;
            }
        }
        return false;
    }

    /**
     * The requested range of a representation. A range with an If-Range that is not exactly this
     * tag is ignored (RFC 9110, 13.1.5); there is no Last-Modified, so dates never match.
     */
    static ByteRange range(HttpHeaders request, String entityTag, long sizeBytes) {
        String range = request.get(HttpHeaderNames.RANGE);
        String condition = request.get(HttpHeaderNames.IF_RANGE);
        if (range == null || (condition != null && !condition.strip().equals(entityTag))) {
            return new ByteRange.Whole();
        }
        return ByteRange.parse(range, sizeBytes);
    }

    /** Whether Accept-Encoding allows gzip: named or by {@code *}, and not with q=0. */
    static boolean acceptsGzip(HttpHeaders request) {
        String header = request.get(HttpHeaderNames.ACCEPT_ENCODING);
        if (header == null) {
            return false;
        }
        Boolean any = null;
        for (String coding : header.split(",", -1)) {
            int semicolon = coding.indexOf(';');
            String name = (semicolon < 0 ? coding : coding.substring(0, semicolon)).strip();
            if (name.equalsIgnoreCase("gzip") || name.equalsIgnoreCase("x-gzip")) {
                return isWanted(semicolon < 0 ? null : coding.substring(semicolon + 1));
            }
            if (name.equals("*")) {
                any = isWanted(semicolon < 0 ? null : coding.substring(semicolon + 1));
            }
        }
        return any != null && any;
    }

    /** RFC 9110, 12.4.2: a weight of 0 means not acceptable; a malformed one is taken as that. */
    private static boolean isWanted(@Nullable String parameters) {
        if (parameters == null) {
            return true;
        }
        String weight = parameters.strip();
        if (!weight.regionMatches(/* ignoreCase= */ true, 0, "q=", 0, 2)) {
            return false;
        }
        String value = weight.substring(2).strip();
        return value.matches("1(\\.0{0,3})?|0\\.[0-9]{0,3}") && !value.matches("0\\.0*");
    }
}
