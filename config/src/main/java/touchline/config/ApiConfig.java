package touchline.config;

import java.util.List;

/**
 * {@code api}: the control API and the console.
 *
 * @param hostNames further names in the header Host; the host of public.api-url is known
 * @param maxBodyBytes largest request body
 * @param maxConnectionsPerAddress 0 = no limit
 * @param observeNeedsToken whether /observe requires a token with scope system
 */
public record ApiConfig(
        String host,
        int port,
        List<String> hostNames,
        int maxBodyBytes,
        int maxConnectionsPerAddress,
        boolean observeNeedsToken) {
    public ApiConfig {
        hostNames = List.copyOf(hostNames);
    }

    /** The same with another port. */
    public ApiConfig withPort(int bound) {
        return new ApiConfig(
                host, bound, hostNames, maxBodyBytes, maxConnectionsPerAddress, observeNeedsToken);
    }
}
