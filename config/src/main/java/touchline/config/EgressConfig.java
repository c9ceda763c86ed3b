package touchline.config;

import java.util.List;

/** {@code egress}: CIDRs that may be reached besides public addresses. */
public record EgressConfig(List<String> allow) {
    public EgressConfig {
        allow = List.copyOf(allow);
    }
}
