package touchline.api.http;

import io.helidon.http.HeaderNames;
import io.helidon.http.WritableHeaders;
import java.net.URI;

/**
 * Headers of every reply for browsers: no sniffing, no frames, no referrer, and a content security
 * policy. The console plays from the playback address, which is the only foreign origin in its
 * policy. The API reference and the page of score links have none. Any thread.
 */
final class SecurityHeaders {
    /** Replies of the API are data: nothing in them may load or run. */
    private static final String API_POLICY = "default-src 'none'; frame-ancestors 'none'";

    /** The path of the API reference; its files are below. */
    private static final String REFERENCE = "/docs";

    /** The renderer's stylesheet has its icons as data: URIs. */
    private static final String REFERENCE_POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
                    + "connect-src 'self'; base-uri 'none'; form-action 'none'; "
                    + "frame-ancestors 'none'";

    /** The path of the page behind score links; its files are below. */
    private static final String SCORE = "/score";

    private static final String SCORE_POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
                    + "connect-src 'self'; base-uri 'none'; form-action 'none'; "
                    + "frame-ancestors 'none'";

    private final String consolePolicy;
    private final boolean tls;

    /**
     * @param playbackUrl the public playback address
     * @param tls whether this server speaks TLS itself
     */
    SecurityHeaders(URI playbackUrl, boolean tls) {
        String playback = origin(playbackUrl);
        this.tls = tls;
        // blob: is the source of Media Source Extensions and of the worker of hls.js.
        this.consolePolicy =
                "default-src 'self'; script-src 'self'; style-src 'self'; "
                        + ("img-src 'self' data: " + playback + "; ")
                        + ("media-src 'self' blob: " + playback + "; ")
                        + ("connect-src 'self' " + playback + "; ")
                        + "worker-src 'self' blob:; object-src 'none'; base-uri 'none'; "
                        + "form-action 'self'; frame-ancestors 'none'";
    }

    /** For all replies but the console's files; caches must not store them. */
    void api(WritableHeaders<?> headers) {
        common(headers);
        headers.set(HeaderNames.create("Content-Security-Policy"), API_POLICY);
        headers.set(HeaderNames.CACHE_CONTROL, "no-store");
    }

    /**
     * For the files of the console and of the API reference, which set their own cache headers.
     *
     * @param path as sent
     */
    void page(String path, WritableHeaders<?> headers) {
        common(headers);
        headers.set(HeaderNames.create("Content-Security-Policy"), policy(path));
    }

    private String policy(String path) {
        if (isBelow(path, REFERENCE)) {
            return REFERENCE_POLICY;
        }
        return isBelow(path, SCORE) ? SCORE_POLICY : consolePolicy;
    }

    private static boolean isBelow(String path, String folder) {
        return path.equals(folder) || path.startsWith(folder + "/");
    }

    /** Scheme, host and port: the origin of an address. */
    static String origin(URI url) {
        return url.getScheme() + "://" + url.getRawAuthority();
    }

    private void common(WritableHeaders<?> headers) {
        headers.set(HeaderNames.create("X-Content-Type-Options"), "nosniff");
        headers.set(HeaderNames.create("X-Frame-Options"), "DENY");
        headers.set(HeaderNames.create("Referrer-Policy"), "no-referrer");
        headers.set(HeaderNames.create("Cross-Origin-Opener-Policy"), "same-origin");
        headers.set(HeaderNames.create("Cross-Origin-Resource-Policy"), "same-origin");
        if (tls) {
            headers.set(HeaderNames.create("Strict-Transport-Security"), "max-age=31536000");
        }
    }
}
