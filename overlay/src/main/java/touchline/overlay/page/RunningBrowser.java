package touchline.overlay.page;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.worker.EmptyNetwork;

/**
 * A running browser for pages, with sandbox and begin-frame control where the host supports them,
 * which is found by trying. Any thread.
 */
final class RunningBrowser implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(RunningBrowser.class);
    private static final Duration PROBE = Duration.ofSeconds(5);
    private static final List<String> BEGIN_FRAMES =
            List.of("--enable-begin-frame-control", "--run-all-compositor-stages-before-draw");

    private final Browser browser;
    private final BrowserFacts facts;
    private final Optional<BeginFrames> frames;

    private record Started(Browser browser, BrowserLaunch launch) {}

    private RunningBrowser(Browser browser, BrowserFacts facts) {
        this.browser = browser;
        this.facts = facts;
        this.frames =
                facts.beginFrames() ? Optional.of(BeginFrames.start(browser)) : Optional.empty();
    }

    /**
     * Starts a browser; the caller closes it.
     *
     * @param allowNoSandbox whether pages may be shown without a sandbox
     * @throws DevToolsException the browser cannot be started; the message is for the operator
     */
    static RunningBrowser start(BrowserLaunch launch, boolean allowNoSandbox)
            throws IOException, InterruptedException {
        boolean shell = launch.isHeadlessShell();
        Started started =
                startBest(
                        shell ? launch.with(BEGIN_FRAMES.toArray(String[]::new)) : launch,
                        allowNoSandbox);
        BrowserLaunch used = started.launch();
        Browser browser = started.browser();
        boolean usesBeginFrames;
        try {
            usesBeginFrames = shell && supportsBeginFrames(browser);
        } catch (InterruptedException e) {
            browser.close();
            throw e;
        }
        if (shell && !usesBeginFrames) {
            log.info("{} has no begin-frame control", launch.binary());
            browser.close();
            browser = Browser.start(used.without(BEGIN_FRAMES));
        }
        try {
            browser.call(
                    "Target.setDiscoverTargets",
                    Map.of("discover", true, "filter", List.of(Map.of("type", "page"))),
                    PROBE);
            return new RunningBrowser(
                    browser,
                    new BrowserFacts(
                            used.binary(),
                            browser.version(),
                            used.sandboxed(),
                            used.user().map(BrowserUser::name),
                            used.network().isPresent(),
                            usesBeginFrames));
        } catch (DevToolsException | InterruptedException e) {
            browser.close();
            throw e;
        }
    }

    private static Started startBest(BrowserLaunch launch, boolean allowNoSandbox)
            throws IOException, InterruptedException {
        try {
            return startInBestNetwork(launch);
        } catch (DevToolsException e) {
            if (!launch.sandboxed() || !lacksSandbox(e)) {
                throw e;
            }
            if (!allowNoSandbox) {
                throw new DevToolsException(
                        "Chromium has no sandbox on this host: allow user namespaces, or install"
                                + " chromium-sandbox, or set overlay.allow-no-sandbox",
                        e);
            }
            log.warn("pages are shown without a sandbox: overlay.allow-no-sandbox is set");
            return startInBestNetwork(launch.withoutSandbox());
        }
    }

    /** The sandbox counts more than the network: a network in which there is none is not used. */
    private static Started startInBestNetwork(BrowserLaunch launch)
            throws IOException, InterruptedException {
        for (EmptyNetwork network : launch.networks(BrowserUser.needed())) {
            BrowserLaunch candidate = launch.in(network);
            try {
                return new Started(Browser.start(candidate), candidate);
            } catch (NetworkRefusedException e) {
                log.info("the browser has no network of its own ({}): {}", network, e.getMessage());
            } catch (DevToolsException e) {
                if (!launch.sandboxed() || !lacksSandbox(e)) {
                    throw e;
                }
                log.info("the browser has no sandbox in a network of its own ({})", network);
            }
        }
        return new Started(Browser.start(launch), launch);
    }

    BrowserFacts facts() {
        return facts;
    }

    Browser browser() {
        return browser;
    }

    /** Triggers the paints, where the browser supports that. */
    Optional<BeginFrames> beginFrames() {
        return frames;
    }

    boolean runs() {
        return !browser.pipe().ended().isDone();
    }

    /** Kills a browser that does not answer; waiting calls fail. */
    void kill() {
        browser.kill();
    }

    @Override
    public void close() throws IOException {
        frames.ifPresent(BeginFrames::close);
        browser.close();
    }

    /** Chromium's message if neither user namespaces nor the setuid helper exist. */
    private static boolean lacksSandbox(DevToolsException e) {
        String message = String.valueOf(e.getMessage());
        return message.contains("No usable sandbox") || message.contains("--no-sandbox");
    }

    private static boolean supportsBeginFrames(Browser browser) throws InterruptedException {
        try {
            JsonNode target =
                    browser.call(
                            "Target.createTarget",
                            Map.of("url", "about:blank", "enableBeginFrameControl", true),
                            PROBE);
            String id = target.path("targetId").asText();
            String session =
                    browser.call(
                                    "Target.attachToTarget",
                                    Map.of("targetId", id, "flatten", true),
                                    PROBE)
                            .path("sessionId")
                            .asText();
            browser.pipe().call(session, "HeadlessExperimental.beginFrame", Map.of(), PROBE);
            browser.call("Target.closeTarget", Map.of("targetId", id), PROBE);
            return true;
        } catch (DevToolsException e) {
            log.debug("begin-frame control: {}", e.getMessage());
            return false;
        }
    }
}
