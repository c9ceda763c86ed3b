package touchline.api.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import touchline.overlay.page.Browser;
import touchline.overlay.page.BrowserLaunch;
import touchline.overlay.page.BrowserPage;
import touchline.overlay.page.DevToolsException;

/**
 * A page of a real Chromium, 1280x860, in which films may start by themselves. One Chromium serves
 * all tests of a JVM: each has pages of its own, and servers with addresses of their own.
 */
final class TestBrowser implements AutoCloseable {
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final Duration POLL = Duration.ofMillis(20);
    private static final Path SCREENSHOTS = Path.of("target", "screenshots");
    private static final String AXE = "/META-INF/resources/webjars/axe-core/4.6.3/axe.min.js";

    /** What axe finds by WCAG 2.1 A and AA: rule and elements. */
    private static final String FINDINGS =
            """
            axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'] })
              .then((found) => found.violations.flatMap((rule) => rule.nodes.map((node) =>
                `${rule.id}: ${node.target} ${node.any.map((any) => any.message).join(' ')}`)))\
            """;

    /** Whether a player waits for data, or the browser does not play what it has. */
    private static final String VIDEOS =
            """
            [...document.querySelectorAll('video')].map((video) => ({
              at: video.currentTime, of: video.duration, ended: video.ended, ready: video.readyState, network: video.networkState,
              paused: video.paused, seeking: video.seeking, error: video.error?.message,
              hidden: document.hidden, problems: window.problems,
              buffered: Array.from(video.buffered, (_, i) =>
                [video.buffered.start(i), video.buffered.end(i)]),
              frames: video.getVideoPlaybackQuality().totalVideoFrames,
              audioBytes: video.webkitAudioDecodedByteCount,
            }))\
            """;

    private static @Nullable Browser shared;

    private final BrowserPage page;

    private TestBrowser(BrowserPage page) {
        this.page = page;
    }

    static TestBrowser start() throws IOException, InterruptedException {
        BrowserPage page = browser().openPage();
        page.viewport(1280, 860);
        return new TestBrowser(page);
    }

    private static synchronized Browser browser() throws IOException, InterruptedException {
        Browser known = shared;
        if (known == null || !known.process().isAlive()) {
            Browser started = Browser.start(BrowserLaunch.ofPlayers());
            Runtime.getRuntime().addShutdownHook(new Thread(() -> end(started)));
            shared = started;
            return started;
        }
        return known;
    }

    private static void end(Browser browser) {
        try {
            browser.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
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

    /** As the page's; a failure also says how far the page's videos are. */
    void await(String expression, Duration atMost) throws InterruptedException {
        try {
            page.await(expression, atMost);
        } catch (DevToolsException e) {
            throw new DevToolsException(page.evaluate(VIDEOS) + "; " + e.getMessage(), e);
        }
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
        signIn(server.api("/").toString(), token);
    }

    /** The same of any server, by the address of its console. */
    void signIn(String console, String token) throws InterruptedException {
        open(console);
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

    /** What axe finds on the page, and whether the page is wider than its window. */
    List<String> findings() throws IOException, InterruptedException {
        List<String> found = new ArrayList<>();
        evaluate(axe());
        evaluate(FINDINGS).forEach(each -> found.add(each.asText()));
        if (evaluate("document.documentElement.scrollWidth > innerWidth").asBoolean()) {
            found.add("wider than the window");
        }
        return found;
    }

    private static String axe() throws IOException {
        try (InputStream source = TestBrowser.class.getResourceAsStream(AXE)) {
            if (source == null) {
                throw new FileNotFoundException(AXE);
            }
            return "if (!window.axe) { " + new String(source.readAllBytes(), UTF_8) + " } null";
        }
    }

    void viewport(int width, int height) throws InterruptedException {
        page.viewport(width, height);
    }

    void offline(boolean offline) throws InterruptedException {
        page.offline(offline);
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
    public void close() {
        page.close();
    }
}
