package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import touchline.config.OverlayConfig;
import touchline.config.PageLimits;
import touchline.overlay.page.BrowserFacts;
import touchline.overlay.page.DevToolsException;

final class BrowserCheckTest {
    private static final OverlayConfig CONFIG =
            new OverlayConfig(
                    Optional.empty(), false, "nobody", 0, new PageLimits(1 << 30, 100, 1 << 20, 1));

    private static Finding finding(boolean sandboxed, boolean ownNetwork, boolean beginFrames) {
        BrowserFacts facts =
                new BrowserFacts(
                        Path.of("/opt/browser"),
                        "Chrome/1",
                        sandboxed,
                        Optional.of("nobody"),
                        ownNetwork,
                        beginFrames);
        return new BrowserCheck(CONFIG, _ -> facts).finding();
    }

    @Test
    void browser_sandboxedAndPaced_isOk() {
        assertEquals(
                Finding.ok(
                        "chromium",
                        "Chrome/1, /opt/browser as nobody, sandboxed, network of its own,"
                                + " painting on request"),
                finding(true, true, true));
    }

    @Test
    void browser_inTheServersNetwork_isNamed() {
        assertEquals(
                Finding.ok(
                        "chromium",
                        "Chrome/1, /opt/browser as nobody, sandboxed, in the server's network,"
                                + " painting on request"),
                finding(true, false, true));
    }

    @Test
    void browser_withoutSandboxOrPace_isWarnedOf() {
        assertEquals(Finding.Level.WARN, finding(false, true, true).level());
        assertEquals(Finding.Level.WARN, finding(true, true, false).level());
    }

    @Test
    void browser_thatCannotBeStarted_isWarnedOf_withTheReason() {
        Finding finding =
                new BrowserCheck(
                                CONFIG,
                                _ -> {
                                    throw new DevToolsException("no Chromium: install it");
                                })
                        .finding();

        assertEquals(Finding.Level.WARN, finding.level());
        assertEquals("no Chromium: install it", finding.text());
    }
}
