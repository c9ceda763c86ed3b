package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import touchline.overlay.page.Browser;
import touchline.overlay.page.BrowserLaunch;
import touchline.overlay.page.BrowserPage;
import touchline.overlay.page.DevToolsException;

/** A real Chromium with one page, 1280x860, in which films may start by themselves. */
final class TestBrowser implements AutoCloseable {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final Duration POLL = Duration.ofMillis(20);
    private static final Path SCREENSHOTS = Path.of("target", "screenshots");

    private final Browser browser;
    private final BrowserPage page;

    private TestBrowser(Browser browser, BrowserPage page) {
        this.browser = browser;
        this.page = page;
    }

    static TestBrowser start() throws IOException, InterruptedException {
        Browser browser =
                Browser.start(
                        BrowserLaunch.of(BrowserLaunch.Kind.CHROMIUM.installed().orElseThrow())
                                .withoutSandbox()
                                .with("--autoplay-policy=no-user-gesture-required"));
        try {
            BrowserPage page = browser.openPage();
            page.viewport(1280, 860);
            return new TestBrowser(browser, page);
        } catch (InterruptedException | RuntimeException e) {
            browser.close();
            throw e;
        }
    }

    void open(String address) throws InterruptedException {
        page.navigate(address);
    }

    /**
     * As soon as it does not throw: pages are drawn anew at any time, and what it looks for may not
     * be there yet.
     */
    JsonNode evaluate(String expression) throws InterruptedException {
        long deadlineNs = System.nanoTime() + SOON.toNanos();
        while (true) {
            try {
                return page.evaluate(expression);
            } catch (DevToolsException e) {
                if (System.nanoTime() > deadlineNs) {
                    throw e;
                }
                Thread.sleep(POLL);
            }
        }
    }

    void await(String expression, Duration atMost) throws InterruptedException {
        page.await(expression, atMost);
    }

    void fill(String selector, String value) throws InterruptedException {
        evaluate("document.querySelector(" + quoted(selector) + ").value = " + quoted(value));
    }

    /** The page of before is gone, and so is its token; the window has its first size. */
    void signOut(TestServer server) throws InterruptedException {
        viewport(1280, 860);
        open(server.api("/").toString());
        evaluate("sessionStorage.clear()");
        open("about:blank");
    }

    /** What an element says. */
    String text(String selector) throws InterruptedException {
        return evaluate("document.querySelector(" + quoted(selector) + ").textContent").asText();
    }

    /** Clicks the first button with this label. */
    void press(String label) throws InterruptedException {
        evaluate(
                "[...document.querySelectorAll('button')].find(b => b.textContent === "
                        + quoted(label)
                        + ").click()");
    }

    /** The page says that its token lacks a scope. */
    void awaitMissing(String scope) throws InterruptedException {
        await("document.querySelector('.notice b')?.textContent === " + quoted(scope), SOON);
    }

    /** Waits until the element exists and is enabled; for the page it is a real click. */
    void click(String selector) throws InterruptedException {
        await("!document.querySelector(" + quoted(selector) + ").matches(':disabled')", SOON);
        evaluate("document.querySelector(" + quoted(selector) + ").click()");
    }

    /** Opens the console, and gives it the server's token. */
    void signIn(TestServer server) throws InterruptedException {
        signIn(server, server.token());
    }

    /** The same with another token. */
    void signIn(TestServer server, String token) throws InterruptedException {
        open(server.api("/").toString());
        await("document.querySelector('#token')", SOON);
        fill("#token", token);
        evaluate("document.querySelector('form').requestSubmit()");
        await("!document.querySelector('#nav').hidden", SOON);
    }

    /** The page kept to its content security policy. */
    void assertNoPolicyReports() {
        assertEquals(
                List.of(),
                problems().stream()
                        .filter(problem -> problem.contains("Content Security"))
                        .toList());
    }

    void viewport(int width, int height) throws InterruptedException {
        page.viewport(width, height);
    }

    void colourScheme(String scheme) throws InterruptedException {
        page.colourScheme(scheme);
    }

    List<String> problems() {
        return page.problems();
    }

    /** Kept below {@code target/screenshots} to be looked at. */
    void save(String name) throws IOException, InterruptedException {
        Files.createDirectories(SCREENSHOTS);
        Files.write(SCREENSHOTS.resolve(name), page.screenshot());
    }

    private static String quoted(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }

    @Override
    public void close() throws IOException {
        page.close();
        browser.close();
    }
}
