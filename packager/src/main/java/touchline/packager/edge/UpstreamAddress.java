package touchline.packager.edge;

import java.net.URI;
import java.util.Locale;
import java.util.Optional;

/**
 * The playback port of another node. Immutable.
 *
 * @param host an IP address, without brackets: names would be looked up on an event loop
 * @param port 1 to 65535
 * @param secure HTTPS
 */
public record UpstreamAddress(String host, int port, boolean secure) {
    private static final int MAX_PORT = 65_535;

    public UpstreamAddress {
        if (host.isEmpty() || port < 1 || port > MAX_PORT) {
            throw new IllegalArgumentException("upstream: " + host + ":" + port);
        }
    }

    /**
     * Reads {@code http://host:port} or {@code https://host:port}; empty for anything else, such as
     * an empty text.
     */
    public static Optional<UpstreamAddress> of(String url) {
        try {
            URI uri = URI.create(url);
            String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
            boolean known = scheme.equals("http") || scheme.equals("https");
            if (!known || uri.getHost() == null || uri.getPort() < 1) {
                return Optional.empty();
            }
            String host = uri.getHost();
            boolean brackets = host.startsWith("[") && host.endsWith("]");
            return Optional.of(
                    new UpstreamAddress(
                            brackets ? host.substring(1, host.length() - 1) : host,
                            uri.getPort(),
                            scheme.equals("https")));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    /** As in a Host header (RFC 9110, 7.2). */
    String authority() {
        return (host.indexOf(':') < 0 ? host : '[' + host + ']') + ':' + port;
    }
}
