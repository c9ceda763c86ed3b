package touchline.overlay.page;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** One page of a browser. Any thread; calls wait for their answer. */
public final class BrowserPage implements AutoCloseable {
    private static final long NO_LIMIT = -1;

    private static final Duration POLL = Duration.ofMillis(50);
    private static final int MAX_PROBLEMS = 100;

    private final Browser browser;
    private final String target;
    private final String session;
    private final List<String> problems = new CopyOnWriteArrayList<>();
    private final Consumer<DevToolsPipe.Event> listener = this::onEvent;

    private BrowserPage(Browser browser, String target, String session) {
        this.browser = browser;
        this.target = target;
        this.session = session;
    }

    static BrowserPage open(Browser browser, String target, String session)
            throws InterruptedException {
        BrowserPage page = new BrowserPage(browser, target, session);
        browser.pipe().addListener(page.listener);
        page.call("Page.enable", Map.of());
        page.call("Runtime.enable", Map.of());
        page.call("Log.enable", Map.of());
        return page;
    }

    /**
     * Starts to load an address; does not wait for the end of the load.
     *
     * @throws DevToolsException the address cannot be loaded
     */
    public void navigate(String address) throws InterruptedException {
        String error = call("Page.navigate", Map.of("url", address)).path("errorText").asText();
        if (!error.isEmpty()) {
            throw new DevToolsException(address + ": " + error);
        }
    }

    /**
     * The value of a JavaScript expression; promises are awaited.
     *
     * @throws DevToolsException the expression threw
     */
    public JsonNode evaluate(String expression) throws InterruptedException {
        JsonNode reply =
                call(
                        "Runtime.evaluate",
                        Map.of(
                                "expression",
                                expression,
                                "returnByValue",
                                true,
                                "awaitPromise",
                                true,
                                "userGesture",
                                true));
        if (reply.has("exceptionDetails")) {
            throw new DevToolsException(expression + " threw " + reply.path("exceptionDetails"));
        }
        return reply.path("result").path("value");
    }

    /**
     * Waits until an expression is truthy. An expression that throws is evaluated again.
     *
     * @throws DevToolsException not in time; the message has the page's text and {@link #problems}
     */
    public void await(String expression, Duration atMost) throws InterruptedException {
        long deadlineNs = System.nanoTime() + atMost.toNanos();
        String holds = "try { Boolean(" + expression + ") } catch { false }";
        while (!evaluate(holds).asBoolean()) {
            if (System.nanoTime() > deadlineNs) {
                String text = evaluate("document.body ? document.body.innerText : ''").asText();
                throw new DevToolsException(
                        "not within %s: %s; page text: %s; console: %s"
                                .formatted(atMost, expression, text, problems));
            }
            Thread.sleep(POLL);
        }
    }

    /** The first hundred errors of the page's console and the browser's log. */
    public List<String> problems() {
        return List.copyOf(problems);
    }

    /** Size of the window that the page is laid out for. */
    public void viewport(int widthPixels, int heightPixels) throws InterruptedException {
        call(
                "Emulation.setDeviceMetricsOverride",
                Map.of(
                        "width",
                        widthPixels,
                        "height",
                        heightPixels,
                        "deviceScaleFactor",
                        1,
                        "mobile",
                        false));
    }

    /**
     * Limits the network of the page, as a mobile network would.
     *
     * @param bitsPerSecond of all downloads together; 0 for no limit
     * @param roundTrip added to each request
     */
    public void network(long bitsPerSecond, Duration roundTrip) throws InterruptedException {
        network(
                /* offline= */ false,
                bitsPerSecond == 0 ? NO_LIMIT : bitsPerSecond / 8,
                roundTrip.toMillis());
    }

    /** Takes the page's network away, or gives it back without limits. */
    public void offline(boolean offline) throws InterruptedException {
        network(offline, NO_LIMIT, /* latencyMs= */ 0);
    }

    private void network(boolean offline, long bytesPerSecond, long latencyMs)
            throws InterruptedException {
        call("Network.enable", Map.of());
        call(
                "Network.emulateNetworkConditions",
                Map.of(
                        "offline",
                        offline,
                        "latency",
                        latencyMs,
                        "downloadThroughput",
                        bytesPerSecond,
                        "uploadThroughput",
                        NO_LIMIT));
    }

    /** {@code light} or {@code dark}, for the page's media queries. */
    public void colourScheme(String scheme) throws InterruptedException {
        Map<String, String> feature = Map.of("name", "prefers-color-scheme", "value", scheme);
        call("Emulation.setEmulatedMedia", Map.of("features", List.of(feature)));
    }

    /** The page as a PNG file. */
    public byte[] screenshot() throws InterruptedException {
        JsonNode reply = call("Page.captureScreenshot", Map.of("format", "png"));
        return Base64.getDecoder().decode(reply.path("data").asText());
    }

    /** Does nothing if the browser is gone. */
    @Override
    public void close() {
        browser.pipe().removeListener(listener);
        if (browser.pipe().ended().isDone()) {
            return;
        }
        try {
            browser.call("", "Target.closeTarget", Map.of("targetId", target));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private JsonNode call(String method, Map<String, ?> parameters) throws InterruptedException {
        return browser.call(session, method, parameters);
    }

    private void onEvent(DevToolsPipe.Event event) {
        if (!event.session().equals(session) || problems.size() >= MAX_PROBLEMS) {
            return;
        }
        JsonNode level = event.parameters().path("entry").path("level");
        if (event.method().equals("Runtime.exceptionThrown") || level.asText().equals("error")) {
            problems.add(event.parameters().toString());
        }
    }
}
