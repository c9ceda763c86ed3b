package touchline.overlay.page;

import java.util.Locale;

/**
 * Target of a request (RFC 9112, 3.2.2 and 3.2.3). Immutable, any thread.
 *
 * @param host in lower case, without brackets
 */
record HostPort(String host, int port) {
    private static final int HIGHEST_PORT = 65_535;

    /**
     * Reads {@code host}, {@code host:port} or {@code [address]:port}.
     *
     * @param usual port where none is given
     * @throws ProxyRefusal 400: no valid host and port
     */
    static HostPort parse(String text, int usual) throws ProxyRefusal {
        int bracket = text.indexOf(']');
        int colon = text.indexOf(':', Math.max(0, bracket));
        String host = colon < 0 ? text : text.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        String digits = colon < 0 ? "" : text.substring(colon + 1);
        if (host.isEmpty() || host.indexOf('@') >= 0 || !digits.matches("\\d{0,5}")) {
            throw new ProxyRefusal(400, "the request has no valid host");
        }
        int port = digits.isEmpty() ? usual : Integer.parseInt(digits);
        if (port < 1 || port > HIGHEST_PORT) {
            throw new ProxyRefusal(400, "the request has no valid port");
        }
        return new HostPort(host.toLowerCase(Locale.ROOT), port);
    }

    @Override
    public String toString() {
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }
}
