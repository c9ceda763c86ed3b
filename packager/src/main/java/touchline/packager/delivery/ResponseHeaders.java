package touchline.packager.delivery;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.util.AsciiString;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import touchline.packager.edge.PlaylistBundle;
import touchline.packager.edge.UpstreamAnswer;

/**
 * The header sets of the playback plane: CORS, caching, ranges, RFC 6266. Values are prepared once,
 * since a part costs little more than its head. Any thread.
 */
final class ResponseHeaders {
    static final AsciiString HLS = AsciiString.cached("application/vnd.apple.mpegurl");

    /** For init segments, segments and parts: every player accepts it, some accept no other. */
    static final AsciiString MP4 = AsciiString.cached("video/mp4");

    static final AsciiString JPEG = AsciiString.cached("image/jpeg");
    private static final AsciiString WEB_VTT = AsciiString.cached("text/vtt; charset=utf-8");

    static final AsciiString ALLOWED_METHODS = AsciiString.cached("GET, HEAD, OPTIONS");

    private static final AsciiString JSON = AsciiString.cached("application/json");
    private static final AsciiString REQUEST_ID = AsciiString.cached("x-request-id");
    private static final AsciiString CONTENT_TYPE_OPTIONS =
            AsciiString.cached("x-content-type-options");
    private static final AsciiString NO_SNIFF = AsciiString.cached("nosniff");
    private static final AsciiString REFERRER_POLICY = AsciiString.cached("referrer-policy");
    private static final AsciiString NO_REFERRER = AsciiString.cached("no-referrer");
    private static final AsciiString ORIGIN_ONLY = AsciiString.cached("strict-origin");
    private static final AsciiString ANY = AsciiString.cached("*");
    private static final AsciiString EXPOSED =
            AsciiString.cached(
                    "Content-Length, Content-Range, Accept-Ranges, Date, ETag, Retry-After,"
                            + " X-Request-Id");
    private static final AsciiString ALLOWED_HEADERS =
            AsciiString.cached(
                    "Range, If-Range, If-None-Match, Cache-Control, Content-Type, CMCD-Object,"
                            + " CMCD-Request, CMCD-Session, CMCD-Status");
    private static final AsciiString PREFLIGHT_SECONDS = AsciiString.cached("86400");
    private static final AsciiString FOREVER =
            AsciiString.cached("public, max-age=31536000, immutable");
    private static final AsciiString FOREVER_PRIVATE =
            AsciiString.cached("private, max-age=31536000, immutable");
    private static final AsciiString SHORT = AsciiString.cached("public, max-age=1");
    private static final AsciiString SHORT_PRIVATE = AsciiString.cached("private, max-age=1");

    /**
     * An answer to a blocking reload that ends with exactly the requested part is good for six
     * target durations of low latency streams, 6 s each (draft-pantos-hls-rfc8216bis-20, Appendix
     * B.1): its address names the state it shows.
     */
    private static final AsciiString RELOADED = AsciiString.cached("public, max-age=36");

    private static final AsciiString RELOADED_PRIVATE = AsciiString.cached("private, max-age=36");

    /** A shared cache may answer a burst of viewers with it; a browser must not replay it. */
    private static final AsciiString PASSING = AsciiString.cached("public, max-age=0, s-maxage=1");

    private static final AsciiString PASSING_PRIVATE = AsciiString.cached("private, max-age=0");

    /** As long as a link is good. */
    private static final AsciiString A_DAY_PRIVATE = AsciiString.cached("private, max-age=86400");

    private static final AsciiString NO_STORE = AsciiString.cached("private, no-store");

    /** IMF-fixdate, RFC 9110, 5.6.7. */
    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
                    .withZone(ZoneOffset.UTC);

    private static final DefaultHttpHeadersFactory FACTORY =
            DefaultHttpHeadersFactory.headersFactory().withValidation(false);

    private static final Set<AsciiString> CONSTANT =
            Set.of(
                    AsciiString.cached(":status"),
                    HttpHeaderNames.ACCESS_CONTROL_ALLOW_ORIGIN,
                    HttpHeaderNames.ACCESS_CONTROL_EXPOSE_HEADERS,
                    CONTENT_TYPE_OPTIONS,
                    REFERRER_POLICY,
                    HttpHeaderNames.CONTENT_TYPE,
                    HttpHeaderNames.CONTENT_ENCODING,
                    HttpHeaderNames.VARY,
                    HttpHeaderNames.CACHE_CONTROL,
                    HttpHeaderNames.ACCEPT_RANGES);

    /** Headers of another node's answer that are not those of every answer. */
    private static final List<AsciiString> PASSED_ON =
            List.of(
                    REFERRER_POLICY,
                    HttpHeaderNames.CONTENT_TYPE,
                    HttpHeaderNames.ETAG,
                    HttpHeaderNames.VARY,
                    HttpHeaderNames.ACCEPT_RANGES,
                    HttpHeaderNames.CONTENT_ENCODING,
                    HttpHeaderNames.CACHE_CONTROL,
                    REQUEST_ID,
                    HttpHeaderNames.RETRY_AFTER);

    private static final int MAX_NAME_CHARS = 100;

    private final InstantSource clock;

    /** Replaced as a whole when it is old; a lost race costs a second rendering. */
    private volatile Stamp stamp = new Stamp(Long.MIN_VALUE, AsciiString.EMPTY_STRING);

    private record Stamp(long second, AsciiString text) {}

    ResponseHeaders(InstantSource clock) {
        this.clock = clock;
    }

    /** For headers with names and values that were checked before. */
    static HttpHeaders unchecked() {
        return FACTORY.newHeaders();
    }

    /** Whether a header of this server has few different values. */
    static boolean isConstant(CharSequence name) {
        return CONSTANT.contains(AsciiString.of(name));
    }

    /** How long a playlist is good. */
    enum Freshness {
        /** Requested without a part: it is polled. */
        POLLED,
        /** It ends with exactly the part that its address requests. */
        SETTLED,
        /** Another answer to a blocking reload: the same address may get a newer one at once. */
        PASSING
    }

    /** What every answer carries. */
    HttpHeaders common(boolean restricted) {
        HttpHeaders headers = FACTORY.newHeaders();
        headers.add(HttpHeaderNames.DATE, date());
        headers.add(HttpHeaderNames.ACCESS_CONTROL_ALLOW_ORIGIN, ANY);
        headers.add(HttpHeaderNames.ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
        headers.add(CONTENT_TYPE_OPTIONS, NO_SNIFF);
        if (restricted) {
            headers.add(REFERRER_POLICY, NO_REFERRER);
        }
        return headers;
    }

    /** A playlist, without its length and coding. */
    HttpHeaders playlist(String entityTag, Freshness freshness, boolean restricted) {
        HttpHeaders headers = common(restricted);
        headers.add(HttpHeaderNames.CONTENT_TYPE, HLS);
        headers.add(HttpHeaderNames.ETAG, entityTag);
        headers.add(HttpHeaderNames.VARY, HttpHeaderNames.ACCEPT_ENCODING);
        AsciiString value =
                switch (freshness) {
                    case POLLED -> restricted ? SHORT_PRIVATE : SHORT;
                    case SETTLED -> restricted ? RELOADED_PRIVATE : RELOADED;
                    case PASSING -> restricted ? PASSING_PRIVATE : PASSING;
                };
        headers.add(HttpHeaderNames.CACHE_CONTROL, value);
        return headers;
    }

    /** Chapters, which change as markers are added. */
    HttpHeaders chapters(String entityTag, boolean restricted) {
        HttpHeaders headers = common(restricted);
        headers.add(HttpHeaderNames.CONTENT_TYPE, WEB_VTT);
        headers.add(HttpHeaderNames.ETAG, entityTag);
        headers.add(HttpHeaderNames.VARY, HttpHeaderNames.ACCEPT_ENCODING);
        headers.add(HttpHeaderNames.CACHE_CONTROL, restricted ? SHORT_PRIVATE : SHORT);
        return headers;
    }

    /** A page for viewers, or data for one, without its length and coding. */
    HttpHeaders page(String entityTag, PageDecision.Page page) {
        HttpHeaders headers = common(/* restricted= */ false);
        if (page.restricted()) {
            // Rules of a token may ask for the referring host, and its address has the token.
            headers.add(REFERRER_POLICY, ORIGIN_ONLY);
        }
        headers.add(HttpHeaderNames.CONTENT_TYPE, page.contentType());
        headers.add(HttpHeaderNames.ETAG, entityTag);
        headers.add(HttpHeaderNames.VARY, HttpHeaderNames.ACCEPT_ENCODING);
        headers.add(HttpHeaderNames.CACHE_CONTROL, page.restricted() ? SHORT_PRIVATE : SHORT);
        if (!page.contentSecurityPolicy().isEmpty()) {
            headers.add(HttpHeaderNames.CONTENT_SECURITY_POLICY, page.contentSecurityPolicy());
        }
        return headers;
    }

    /** A file of the pages, without its length and coding. */
    HttpHeaders pageFile(PageFile file, String entityTag) {
        HttpHeaders headers = common(/* restricted= */ false);
        headers.add(HttpHeaderNames.CONTENT_TYPE, file.contentType());
        headers.add(HttpHeaderNames.ETAG, entityTag);
        headers.add(HttpHeaderNames.VARY, HttpHeaderNames.ACCEPT_ENCODING);
        headers.add(HttpHeaderNames.CACHE_CONTROL, FOREVER);
        return headers;
    }

    /** An init segment, segment or part, without its length. */
    HttpHeaders media(String entityTag, boolean restricted) {
        HttpHeaders headers = common(restricted);
        headers.add(HttpHeaderNames.CONTENT_TYPE, MP4);
        headers.add(HttpHeaderNames.ETAG, entityTag);
        headers.add(HttpHeaderNames.ACCEPT_RANGES, HttpHeaderValues.BYTES);
        headers.add(HttpHeaderNames.CACHE_CONTROL, restricted ? FOREVER_PRIVATE : FOREVER);
        return headers;
    }

    /**
     * A thumbnail, without its length.
     *
     * @param settled the address will never show another one
     */
    HttpHeaders thumbnail(String entityTag, boolean settled, boolean restricted) {
        HttpHeaders headers = common(restricted);
        headers.add(HttpHeaderNames.CONTENT_TYPE, JPEG);
        headers.add(HttpHeaderNames.ETAG, entityTag);
        headers.add(HttpHeaderNames.ACCEPT_RANGES, HttpHeaderValues.BYTES);
        AsciiString open = settled ? FOREVER : SHORT;
        AsciiString closed = settled ? FOREVER_PRIVATE : SHORT_PRIVATE;
        headers.add(HttpHeaderNames.CACHE_CONTROL, restricted ? closed : open);
        return headers;
    }

    /** An evidence frame, without its length; its address is a credential. */
    HttpHeaders frame(String entityTag) {
        HttpHeaders headers = common(/* restricted= */ true);
        headers.add(HttpHeaderNames.CONTENT_TYPE, JPEG);
        headers.add(HttpHeaderNames.ETAG, entityTag);
        headers.add(HttpHeaderNames.ACCEPT_RANGES, HttpHeaderValues.BYTES);
        headers.add(HttpHeaderNames.CACHE_CONTROL, A_DAY_PRIVATE);
        return headers;
    }

    /** A failure, with the length of its envelope. */
    HttpHeaders error(ErrorEnvelope error, String requestId, int lengthBytes) {
        HttpHeaders headers = common(/* restricted= */ true);
        headers.add(HttpHeaderNames.CONTENT_TYPE, JSON);
        headers.add(HttpHeaderNames.CONTENT_LENGTH, Integer.toString(lengthBytes));
        headers.add(HttpHeaderNames.CACHE_CONTROL, NO_STORE);
        headers.add(REQUEST_ID, requestId);
        error.retryAfterSeconds()
                .ifPresent(
                        seconds ->
                                headers.add(
                                        HttpHeaderNames.RETRY_AFTER, Integer.toString(seconds)));
        return headers;
    }

    /**
     * An answer that only another node understands.
     *
     * @param playlists what the body holds; empty: nothing
     */
    HttpHeaders forNode(String playlists) {
        HttpHeaders headers = FACTORY.newHeaders();
        headers.add(HttpHeaderNames.DATE, date());
        headers.add(HttpHeaderNames.CACHE_CONTROL, NO_STORE);
        if (!playlists.isEmpty()) {
            headers.add(PlaylistBundle.HEADER, playlists);
        }
        return headers;
    }

    /** The answer of another node, without its length. */
    HttpHeaders passedOn(UpstreamAnswer answer) {
        HttpHeaders headers = common(/* restricted= */ false);
        for (AsciiString name : PASSED_ON) {
            answer.header(name.toString()).ifPresent(value -> headers.add(name, value));
        }
        return headers;
    }

    /** The answer to a CORS preflight, and to any other OPTIONS. */
    HttpHeaders preflight() {
        HttpHeaders headers = common(/* restricted= */ false);
        headers.add(HttpHeaderNames.ALLOW, ALLOWED_METHODS);
        headers.add(HttpHeaderNames.ACCESS_CONTROL_ALLOW_METHODS, ALLOWED_METHODS);
        headers.add(HttpHeaderNames.ACCESS_CONTROL_ALLOW_HEADERS, ALLOWED_HEADERS);
        headers.add(HttpHeaderNames.ACCESS_CONTROL_MAX_AGE, PREFLIGHT_SECONDS);
        return headers;
    }

    /** RFC 9110, 14.4, of a 206. */
    static String contentRange(ByteRange.Slice slice, long sizeBytes) {
        return "bytes " + slice.first() + '-' + slice.last() + '/' + sizeBytes;
    }

    /** RFC 9110, 14.4, of a 416. */
    static String unsatisfiedRange(long sizeBytes) {
        return "bytes */" + sizeBytes;
    }

    static boolean isReadOnly(HttpMethod method) {
        return method.equals(HttpMethod.GET) || method.equals(HttpMethod.HEAD);
    }

    /**
     * A Content-Disposition with the file name that the client requested (RFC 6266, 4): {@code
     * filename} in plain ASCII for all, {@code filename*} beside it where that lost something. The
     * name is a bare file name afterwards: no path, no control or direction characters, no leading
     * dot, 100 characters at most, and it ends with the extension.
     *
     * @param request decoded, any text
     * @param extension with its dot, e.g. {@code .mp4}
     */
    static String attachment(String request, String extension) {
        String name = sanitise(request, extension) + extension;
        StringBuilder plain = new StringBuilder(name.length());
        name.codePoints().forEach(c -> plain.append(c < 0x7F && c != '%' ? (char) c : '_'));
        String header = "attachment; filename=\"" + plain + '"';
        return plain.toString().equals(name)
                ? header
                : header + "; filename*=UTF-8''" + encode(name);
    }

    private static String sanitise(String request, String extension) {
        int[] kept =
                request.codePoints()
                        .filter(c -> !isInvisible(c))
                        .map(c -> c < 0x80 && "\\/:*?\"<>|;".indexOf(c) >= 0 ? '_' : c)
                        .limit(MAX_NAME_CHARS + (long) extension.length())
                        .toArray();
        String name = new String(kept, 0, kept.length).strip();
        if (name.toLowerCase(Locale.ROOT).endsWith(extension)) {
            name = name.substring(0, name.length() - extension.length());
        }
        int from = 0;
        while (from < name.length() && (name.charAt(from) == '.' || name.charAt(from) == ' ')) {
            from++;
        }
        int length = Math.min(MAX_NAME_CHARS, name.codePointCount(from, name.length()));
        name = name.substring(from, name.offsetByCodePoints(from, length)).strip();
        return name.isEmpty() ? "video" : name;
    }

    /** Control, format (direction overrides among them), lone surrogate, line separator. */
    private static boolean isInvisible(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR ->
                    true;
            default -> false;
        };
    }

    /** RFC 8187, 3.2.1. */
    private static String encode(String text) {
        StringBuilder encoded = new StringBuilder(text.length() * 3);
        for (byte b : text.getBytes(UTF_8)) {
            char c = (char) (b & 0xFF);
            if (c < 0x80 && (Character.isLetterOrDigit(c) || "!#$&+-.^_`|~".indexOf(c) >= 0)) {
                encoded.append(c);
            } else {
                encoded.append('%')
                        .append(Character.toUpperCase(Character.forDigit(c >> 4, 16)))
                        .append(Character.toUpperCase(Character.forDigit(c & 15, 16)));
            }
        }
        return encoded.toString();
    }

    private AsciiString date() {
        long second = clock.millis() / 1000;
        Stamp now = stamp;
        if (now.second != second) {
            now = new Stamp(second, new AsciiString(DATE.format(clock.instant())));
            stamp = now;
        }
        return now.text;
    }
}
