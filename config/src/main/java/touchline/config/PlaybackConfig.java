package touchline.config;

import java.time.Duration;

/**
 * {@code playback}: the viewers' port.
 *
 * @param maxConnections refused at accept above it
 * @param maxConnectionsPerAddress 0 = off
 * @param idleTimeout a kept-alive connection without a request
 * @param headerTimeout from the first byte of a request to the end of its head
 * @param thumbnailCpuPercent of one core, for making thumbnails in the long run
 * @param thumbnailCacheBytes of thumbnails that are kept in memory
 */
public record PlaybackConfig(
        String host,
        int port,
        int maxConnections,
        int maxConnectionsPerAddress,
        Duration idleTimeout,
        Duration headerTimeout,
        int thumbnailCpuPercent,
        long thumbnailCacheBytes) {}
