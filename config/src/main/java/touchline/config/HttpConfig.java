package touchline.config;

import java.util.List;

/** {@code http}: CIDRs of trusted proxies. The server uses X-Forwarded-For only from these. */
public record HttpConfig(List<String> trustedProxies) {
    public HttpConfig {
        trustedProxies = List.copyOf(trustedProxies);
    }
}
