package touchline.config;

import java.net.URI;

/**
 * {@code public}: the addresses clients are told, without a trailing slash.
 *
 * <p>An address that was derived from a listener on port 0 carries port 0 until {@link
 * #withBoundPorts}.
 *
 * @param rtmpUrl what an encoder calls Server, app name included: {@code rtmp://host:1935/live}
 */
public record PublicConfig(URI apiUrl, URI playbackUrl, URI rtmpUrl) {
    /**
     * The address of a listener. One that listens everywhere is told as loopback: a guess at an
     * outer address would be wrong behind every router and container.
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
     * The same addresses once the listeners are bound: port 0 is replaced, any other is kept.
     *
     * @param rtmpPort the RTMPS listener's where {@link #rtmpUrl} is one
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
