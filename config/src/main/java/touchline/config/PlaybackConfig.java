package touchline.config;

import java.time.Duration;

/**
 * {@code playback}: the viewers' port.
 *
 * @param maxConnections refused at accept above it
 * @param maxConnectionsPerAddress 0 = off
 * @param idleTimeout a kept-alive connection without a request
 * @param headerTimeout from the first byte of a request to the end of its head
 */
public record PlaybackConfig(
        String host,
        int port,
        int maxConnections,
        int maxConnectionsPerAddress,
        Duration idleTimeout,
        Duration headerTimeout) {}
