package touchline.config;

import java.util.List;

/** {@code http}: CIDRs of proxies whose X-Forwarded-For is believed. */
public record HttpConfig(List<String> trustedProxies) {
    public HttpConfig {
        trustedProxies = List.copyOf(trustedProxies);
    }
}
