package touchline.config;

import java.util.List;

/** {@code egress}: CIDRs that outgoing connections may use, in addition to public addresses. */
public record EgressConfig(List<String> allow) {
    public EgressConfig {
        allow = List.copyOf(allow);
    }
}
