package touchline.api.app;

import touchline.config.OverlayConfig;
import touchline.overlay.page.BrowserFacts;
import touchline.overlay.page.DevToolsException;

/** Checks whether html scoreboards can be rendered: starts the browser with the same settings. */
final class BrowserCheck {
    private static final String SUBJECT = "chromium";

    private final OverlayConfig config;
    private final Probe probe;

    /** Starts a browser and returns its facts. */
    interface Probe {
        /**
         * @throws DevToolsException if it cannot be used, with a message for the operator
         */
        BrowserFacts start(OverlayConfig config) throws InterruptedException;
    }

    BrowserCheck(OverlayConfig config, Probe probe) {
        this.config = config;
        this.probe = probe;
    }

    Finding finding() {
        try {
            BrowserFacts facts = probe.start(config);
            String text =
                    "%s, %s%s, %s, %s, %s"
                            .formatted(
                                    facts.version(),
                                    facts.binary(),
                                    facts.user().map(user -> " as " + user).orElse(""),
                                    facts.sandboxed() ? "sandboxed" : "without a sandbox",
                                    facts.ownNetwork()
                                            ? "network of its own"
                                            : "in the server's network",
                                    facts.beginFrames()
                                            ? "painting on request"
                                            : "painting at its own rate");
            if (!facts.sandboxed()) {
                return Finding.warn(
                        SUBJECT,
                        text,
                        "pages can reach what the browser's user can: allow user namespaces and"
                                + " unset overlay.allow-no-sandbox");
            }
            return facts.beginFrames()
                    ? Finding.ok(SUBJECT, text)
                    : Finding.warn(
                            SUBJECT,
                            text,
                            "half the memory and two thirds of the processor time: apt-get install"
                                    + " -y chromium-headless-shell");
        } catch (DevToolsException e) {
            return Finding.warn(
                    SUBJECT,
                    String.valueOf(e.getMessage()),
                    "html scoreboards fail until then; everything else works");
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return Finding.warn(SUBJECT, "not checked", "the check was interrupted");
        }
    }
}
