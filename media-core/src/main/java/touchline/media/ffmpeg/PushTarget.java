package touchline.media.ffmpeg;

import java.net.URI;
import java.time.Duration;

/**
 * Target of a push: an encoder's "Server" and "Key" fields. Immutable, any thread. {@code toString}
 * masks the key.
 *
 * @param server {@code rtmp://host[:port]/app} on this machine
 * @param streamKey 1 to 1024 characters
 * @param timeout for connecting, and for each write
 */
public record PushTarget(URI server, String streamKey, Duration timeout) {
    private static final int MAX_KEY_CHARS = 1024;

    public PushTarget {
        if (!"rtmp".equals(server.getScheme()) || !isLoopback(server.getHost())) {
            throw new IllegalArgumentException(
                    "server: " + server + " (expected: rtmp:// to a loopback address)");
        }
        if (server.getRawPath() == null || server.getRawPath().length() < 2) {
            throw new IllegalArgumentException("server: " + server + " (expected: an app path)");
        }
        if (streamKey.isBlank() || streamKey.length() > MAX_KEY_CHARS) {
            throw new IllegalArgumentException(
                    "stream key: " + streamKey.length() + " characters (1.." + MAX_KEY_CHARS + ")");
        }
        if (!timeout.isPositive()) {
            throw new IllegalArgumentException("timeout: " + timeout + " (> 0)");
        }
    }

    /** No name is resolved here: the rules for outgoing connections do not cover pushes. */
    private static boolean isLoopback(String host) {
        return host != null
                && (host.equals("localhost")
                        || host.equals("[::1]")
                        || host.matches("127(\\.\\d{1,3}){3}"));
    }

    @Override
    public String toString() {
        return "PushTarget[server=" + server + ", streamKey=***, timeout=" + timeout + "]";
    }
}
