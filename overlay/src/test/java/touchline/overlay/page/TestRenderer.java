package touchline.overlay.page;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import touchline.config.OverlayConfig;
import touchline.config.PageLimits;
import touchline.media.net.AddressRules;

/** Renderers as in a server, restricted to 127.0.0.1. */
final class TestRenderer {
    static final PageLimits LIMITS = new PageLimits(512L << 20, 1000, 256L << 20, 64);

    private TestRenderer() {}

    static ChromiumRenderer of(BrowserLaunch.Kind kind) {
        return of(kind, LIMITS);
    }

    static ChromiumRenderer of(BrowserLaunch.Kind kind, PageLimits limits) {
        return new ChromiumRenderer(config(kind, limits), rules(), Map.of());
    }

    /** Uses the sandbox if the host has one, as root and as an ordinary user. */
    static OverlayConfig config(BrowserLaunch.Kind kind, PageLimits limits) {
        Path binary = kind.installed().orElseThrow();
        return new OverlayConfig(
                Optional.of(binary.toString()),
                /* allowNoSandbox= */ true,
                "nobody",
                /* maxCompositors= */ 0,
                limits);
    }

    static AddressRules rules() {
        return AddressRules.allowing(List.of("127.0.0.1"));
    }

    static PageRequest request(String url) {
        return new PageRequest("stream-1", url, 320, 80, Duration.ofSeconds(20));
    }
}
