package touchline.config;

import java.time.Duration;

/**
 * {@code rtmp}: the listener for publishers.
 *
 * @param maxMessageBytes largest message; a larger one closes the connection
 * @param maxConnections maximum; further connections are refused at accept
 * @param maxConnectionsPerAddress maximum per client address, loopback and trusted proxies apart; 0
 *     disables the limit
 * @param handshakeTimeout maximum duration of the handshake
 * @param publishTimeout maximum from the end of the handshake to the request to publish
 * @param idleTimeout maximum time without media
 * @param completeHold how long a completed session's encoder is refused; zero disables it
 */
public record RtmpConfig(
        String host,
        int port,
        int maxMessageBytes,
        int maxConnections,
        int maxConnectionsPerAddress,
        Duration handshakeTimeout,
        Duration publishTimeout,
        Duration idleTimeout,
        Duration completeHold) {
    /** The same with another port. */
    public RtmpConfig withPort(int bound) {
        return new RtmpConfig(
                host,
                bound,
                maxMessageBytes,
                maxConnections,
                maxConnectionsPerAddress,
                handshakeTimeout,
                publishTimeout,
                idleTimeout,
                completeHold);
    }
}
