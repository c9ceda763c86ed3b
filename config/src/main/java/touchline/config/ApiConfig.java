package touchline.config;

/**
 * {@code api}: the control API and the console.
 *
 * @param maxBodyBytes largest request body
 * @param maxConnectionsPerAddress 0 = no limit
 * @param observeNeedsToken whether /observe requires a token with scope system
 */
public record ApiConfig(
        String host,
        int port,
        int maxBodyBytes,
        int maxConnectionsPerAddress,
        boolean observeNeedsToken) {
    /** The same with another port. */
    public ApiConfig withPort(int bound) {
        return new ApiConfig(
                host, bound, maxBodyBytes, maxConnectionsPerAddress, observeNeedsToken);
    }
}
