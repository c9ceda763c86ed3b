package touchline.config;

import java.util.Optional;

/** {@code overlay}: the scoreboard compositor and its browser. */
public record OverlayConfig(
        Optional<String> chromium,
        boolean allowNoSandbox,
        String runAs,
        int maxCompositors,
        PageLimits pages) {}
