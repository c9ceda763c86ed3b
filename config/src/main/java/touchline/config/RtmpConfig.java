package touchline.config;

import java.time.Duration;

/**
 * {@code rtmp}: where encoders push.
 *
 * @param maxMessageBytes largest message; a larger one closes the connection
 * @param maxConnections refused at accept above it
 * @param maxConnectionsPerAddress 0 = off
 * @param handshakeTimeout for the handshake to finish
 * @param idleTimeout without media
 */
public record RtmpConfig(
        String host,
        int port,
        int maxMessageBytes,
        int maxConnections,
        int maxConnectionsPerAddress,
        Duration handshakeTimeout,
        Duration idleTimeout) {}
