package touchline.config;

import java.time.Duration;

/**
 * {@code playback}: the viewers' port.
 *
 * @param maxConnections maximum; further connections are refused at accept
 * @param maxConnectionsPerAddress maximum per client address, loopback and trusted proxies apart; 0
 *     disables the limit
 * @param idleTimeout of a kept-alive connection without a request
 * @param headerTimeout from the first byte of a request to the end of its head
 * @param thumbnailCpuPercent of one core, long-term average for generating thumbnails
 * @param thumbnailCacheBytes size of the thumbnail cache in memory
 * @param pages to watch in a browser
 */
public record PlaybackConfig(
        String host,
        int port,
        int maxConnections,
        int maxConnectionsPerAddress,
        Duration idleTimeout,
        Duration headerTimeout,
        int thumbnailCpuPercent,
        long thumbnailCacheBytes,
        PageConfig pages) {
    /** With the default pages. */
    public PlaybackConfig(
            String host,
            int port,
            int maxConnections,
            int maxConnectionsPerAddress,
            Duration idleTimeout,
            Duration headerTimeout,
            int thumbnailCpuPercent,
            long thumbnailCacheBytes) {
        this(
                host,
                port,
                maxConnections,
                maxConnectionsPerAddress,
                idleTimeout,
                headerTimeout,
                thumbnailCpuPercent,
                thumbnailCacheBytes,
                PageConfig.DEFAULT);
    }

    /** The same with another port. */
    public PlaybackConfig withPort(int bound) {
        return new PlaybackConfig(
                host,
                bound,
                maxConnections,
                maxConnectionsPerAddress,
                idleTimeout,
                headerTimeout,
                thumbnailCpuPercent,
                thumbnailCacheBytes,
                pages);
    }
}
