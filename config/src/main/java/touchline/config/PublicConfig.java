package touchline.config;

import java.net.URI;

/**
 * {@code public}: the addresses published to clients, without a trailing slash.
 *
 * <p>An address derived from a listener on port 0 has port 0 until {@link #withBoundPorts}.
 *
 * @param rtmpUrl the encoder's "Server" field, including the app name: {@code
 *     rtmp://host:1935/live}
 */
public record PublicConfig(URI apiUrl, URI playbackUrl, URI rtmpUrl) {
    /**
     * Returns the address of a listener. A listener on all addresses is published as loopback: the
     * outer address is unknown behind a router or in a container.
     */
    static URI derived(String scheme, String host, int port) {
        String reachable =
                switch (host) {
                    case "0.0.0.0" -> "127.0.0.1";
                    case "::" -> "[::1]";
                    default -> host.contains(":") ? "[" + host + "]" : host;
                };
        return URI.create(scheme + "://" + reachable + ":" + port);
    }

    /**
     * Returns the addresses with the bound ports: port 0 is replaced, other ports are kept.
     *
     * @param rtmpPort port of the RTMPS listener if {@link #rtmpUrl} is an rtmps address
     */
    public PublicConfig withBoundPorts(int apiPort, int playbackPort, int rtmpPort) {
        return new PublicConfig(
                bound(apiUrl, apiPort), bound(playbackUrl, playbackPort), bound(rtmpUrl, rtmpPort));
    }

    private static URI bound(URI url, int port) {
        if (url.getPort() != 0) {
            return url;
        }
        return URI.create(url.getScheme() + "://" + url.getHost() + ":" + port + url.getRawPath());
    }
}
