package touchline.ingest.rtmp;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;

/**
 * Where another server takes a publish: {@code rtmp://host[:port]/app} or {@code rtmps://…}. It
 * holds no stream key. Immutable, any thread.
 *
 * @param app the path without its first slash, as {@code connect} names it
 */
public record RtmpTarget(boolean tls, String host, int port, String app) {
    private static final int RTMP_PORT = 1935;
    private static final int RTMPS_PORT = 443;
    private static final int MAX_PORT = 65_535;

    /** The reason to reject an address; empty for one that {@link #parse} accepts. */
    public static Optional<String> refusal(String url) {
        URI uri;
        try {
            uri = new URI(url);
        } catch (URISyntaxException _) {
            return Optional.of("malformed (expected: rtmp://host/app or rtmps://host/app)");
        }
        String scheme = scheme(uri);
        if (!scheme.equals("rtmp") && !scheme.equals("rtmps")) {
            return Optional.of("scheme not accepted (expected: rtmp or rtmps)");
        }
        if (uri.getHost() == null || uri.getRawUserInfo() != null || uri.getRawFragment() != null) {
            return Optional.of(
                    "no plain host (expected: a name or an address, no user name, no fragment)");
        }
        if (uri.getRawQuery() != null) {
            return Optional.of("query not accepted (expected: it stands behind the stream_key)");
        }
        if (uri.getPort() == 0 || uri.getPort() > MAX_PORT) {
            return Optional.of("port not accepted (expected: 1 to 65535)");
        }
        if (app(uri).isEmpty()) {
            return Optional.of("path missing (expected: rtmp://host/app)");
        }
        return Optional.empty();
    }

    /**
     * @throws IllegalArgumentException for an address that {@link #refusal} rejects
     */
    public static RtmpTarget parse(String url) {
        Optional<String> refusal = refusal(url);
        if (refusal.isPresent()) {
            throw new IllegalArgumentException("RTMP address: " + refusal.get());
        }
        URI uri = URI.create(url);
        boolean tls = scheme(uri).equals("rtmps");
        int usualPort = tls ? RTMPS_PORT : RTMP_PORT;
        return new RtmpTarget(
                tls, uri.getHost(), uri.getPort() < 0 ? usualPort : uri.getPort(), app(uri));
    }

    /** As {@code connect} names it. */
    String tcUrl() {
        boolean usual = port == (tls ? RTMPS_PORT : RTMP_PORT);
        return (tls ? "rtmps://" : "rtmp://") + host + (usual ? "" : ":" + port) + "/" + app;
    }

    private static String scheme(URI uri) {
        return uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
    }

    /** Many services name their address with a slash at its end, which the app has not. */
    private static String app(URI uri) {
        String path = uri.getRawPath() == null ? "" : uri.getRawPath();
        int from = 0;
        int to = path.length();
        while (from < to && path.charAt(from) == '/') {
            from++;
        }
        while (to > from && path.charAt(to - 1) == '/') {
            to--;
        }
        return path.substring(from, to);
    }
}
