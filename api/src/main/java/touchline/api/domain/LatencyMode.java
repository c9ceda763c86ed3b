package touchline.api.domain;

import java.util.Optional;

/** {@code latency_mode} of a live stream. */
public enum LatencyMode {
    /** LL-HLS. */
    LOW,
    /** HLS with whole segments. */
    STANDARD;

    public String wireName() {
        return WireNames.lowerCase(this);
    }

    public static Optional<LatencyMode> of(String wireName) {
        return WireNames.find(LatencyMode.class, wireName);
    }
}
