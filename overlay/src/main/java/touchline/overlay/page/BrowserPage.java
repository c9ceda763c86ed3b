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
    private static final Duration POLL = Duration.ofMillis(50);
    private static final int MOST_PROBLEMS = 100;

    private final Browser browser;
    private final String target;
    private final String session;
    private final List<String> problems = new CopyOnWriteArrayList<>();
    private final Consumer<DevToolsPipe.Event> listener = this::happened;

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
     * Begins to load an address; it does not wait for the load's end.
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
     * @throws DevToolsException it threw
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
     * Waits until an expression is truthy. One that throws is not, yet: what it looks for may come.
     *
     * @throws DevToolsException it was not in time; the message holds the page's text and {@link
     *     #problems}
     */
    public void await(String expression, Duration atMost) throws InterruptedException {
        long deadlineNs = System.nanoTime() + atMost.toNanos();
        String holds = "try { Boolean(" + expression + ") } catch { false }";
        while (!evaluate(holds).asBoolean()) {
            if (System.nanoTime() > deadlineNs) {
                String text = evaluate("document.body ? document.body.innerText : ''").asText();
                throw new DevToolsException(
                        "not within %s: %s; the page says: %s; the console says: %s"
                                .formatted(atMost, expression, text, problems));
            }
            Thread.sleep(POLL);
        }
    }

    /** The first hundred complaints of the page's console and the browser's log. */
    public List<String> problems() {
        return List.copyOf(problems);
    }

    /** What the page's layout takes for the window. */
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

    /** {@code light} or {@code dark}, as the page's media queries see it. */
    public void colourScheme(String scheme) throws InterruptedException {
        Map<String, String> feature = Map.of("name", "prefers-color-scheme", "value", scheme);
        call("Emulation.setEmulatedMedia", Map.of("features", List.of(feature)));
    }

    /** The page as a PNG file. */
    public byte[] screenshot() throws InterruptedException {
        JsonNode reply = call("Page.captureScreenshot", Map.of("format", "png"));
        return Base64.getDecoder().decode(reply.path("data").asText());
    }

    /** A page of a browser that is gone is closed already. */
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

    private void happened(DevToolsPipe.Event event) {
        if (!event.session().equals(session) || problems.size() >= MOST_PROBLEMS) {
            return;
        }
        JsonNode level = event.parameters().path("entry").path("level");
        if (event.method().equals("Runtime.exceptionThrown") || level.asText().equals("error")) {
            problems.add(event.parameters().toString());
        }
    }
}
