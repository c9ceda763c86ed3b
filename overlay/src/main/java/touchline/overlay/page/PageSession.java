package touchline.overlay.page;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One try to show a page: a browser context of its own (cookies, cache, proxy), one page in it, and
 * its screencast. What happens to it goes to the inbox. Owned by the page's thread, which also
 * closes it; events come on the browser's reader thread.
 */
final class PageSession implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(PageSession.class);
    private static final Duration CALL = Duration.ofSeconds(5);
    private static final Duration PAINT = Duration.ofSeconds(1);
    private static final String BLANK = "about:blank";

    /**
     * Whom it shows, where, and who hears of it.
     *
     * @param proxyPort of the page's own way out
     * @param attempt the inbox's number of this try
     */
    record Dependencies(PageRequest request, int proxyPort, PageMailbox inbox, int attempt) {}

    private final RunningBrowser running;
    private final DevToolsPipe pipe;
    private final Dependencies setting;
    private final Consumer<DevToolsPipe.Event> listener = this::happened;

    private String context = "";
    // Written by the page's thread before there can be events of it, read by the reader thread.
    private volatile String target = "";
    private volatile String session = "";
    // Whether the load has got to a document: the reader thread's.
    private boolean arrived;
    // The loaded document's address; written by the page's thread, read by the reader thread.
    private volatile @Nullable String home;

    private PageSession(RunningBrowser running, Dependencies setting) {
        this.running = running;
        this.pipe = running.browser().pipe();
        this.setting = setting;
    }

    /**
     * Opens a blank page, ready to be navigated; the caller closes it.
     *
     * @throws DevToolsException the browser refused, or does not answer
     */
    static PageSession open(RunningBrowser running, Dependencies setting)
            throws InterruptedException {
        PageSession session = new PageSession(running, setting);
        session.pipe.addListener(session.listener);
        try {
            session.prepare();
            return session;
        } catch (DevToolsException | InterruptedException e) {
            session.close();
            throw e;
        }
    }

    private void prepare() throws InterruptedException {
        context =
                browser(
                                "Target.createBrowserContext",
                                Map.of(
                                        "disposeOnDetach",
                                        true,
                                        "proxyServer",
                                        "http://127.0.0.1:" + setting.proxyPort(),
                                        "proxyBypassList",
                                        "<-loopback>"))
                        .path("browserContextId")
                        .asText();
        browser(
                "Browser.setDownloadBehavior",
                Map.of("behavior", "deny", "browserContextId", context));
        Map<String, Object> blank = new HashMap<>();
        blank.put("url", BLANK);
        blank.put("browserContextId", context);
        if (running.frames().isPresent()) {
            blank.put("enableBeginFrameControl", true);
        }
        target = browser("Target.createTarget", blank).path("targetId").asText();
        session =
                browser("Target.attachToTarget", Map.of("targetId", target, "flatten", true))
                        .path("sessionId")
                        .asText();
        PageRequest request = setting.request();
        page("Page.enable", Map.of());
        page("Inspector.enable", Map.of());
        page(
                "Emulation.setDefaultBackgroundColorOverride",
                Map.of("color", Map.of("r", 0, "g", 0, "b", 0, "a", 0)));
        page(
                "Emulation.setDeviceMetricsOverride",
                Map.of(
                        "width",
                        request.widthPixels(),
                        "height",
                        request.heightPixels(),
                        "deviceScaleFactor",
                        1,
                        "mobile",
                        false));
        // Visible and in front, as a page in a window would be: neither timers nor painting rest.
        page("Emulation.setFocusEmulationEnabled", Map.of("enabled", true));
        page(
                "Page.addScriptToEvaluateOnNewDocument",
                Map.of("source", PageScript.definition(request.streamId())));
        running.frames().ifPresent(frames -> frames.add(session));
        page("Page.startScreencast", screencast());
    }

    /** Begins the load; its end, good or bad, goes to the inbox. */
    void navigate() {
        String url = setting.request().url();
        if (!url.regionMatches(true, 0, "http://", 0, 7)
                && !url.regionMatches(true, 0, "https://", 0, 8)) {
            fail("its address is neither http nor https");
            return;
        }
        CompletableFuture<JsonNode> _ =
                pipe.send(session, "Page.navigate", Map.of("url", url))
                        .whenComplete(this::navigated);
    }

    void reload() {
        CompletableFuture<JsonNode> _ =
                pipe.send(session, "Page.reload", Map.of("ignoreCache", true))
                        .whenComplete(this::navigated);
    }

    /** Runs an expression in the page; its reply, which may never come, says that it still runs. */
    CompletableFuture<JsonNode> evaluate(String expression) {
        return pipe.send(
                session,
                "Runtime.evaluate",
                Map.of("expression", expression, "returnByValue", true));
    }

    /** The value of an expression. */
    JsonNode value(String expression) throws InterruptedException {
        return page("Runtime.evaluate", Map.of("expression", expression, "returnByValue", true))
                .path("result")
                .path("value");
    }

    /** Waits until what is loaded is painted; a page that does not get to it is shown as it is. */
    void awaitPaint() throws InterruptedException {
        try {
            pipe.call(
                    session,
                    "Runtime.evaluate",
                    Map.of("expression", PageScript.PAINTED, "awaitPromise", true),
                    PAINT);
        } catch (DevToolsException e) {
            if (!e.timedOut()) {
                throw e;
            }
        }
    }

    /** Asks for the next frame. */
    void acknowledge(PageMailbox.Frame frame) {
        pipe.send(session, "Page.screencastFrameAck", Map.of("sessionId", frame.number()));
    }

    /** Has the page framed as it is now, whether it changes or not. */
    void videoFrame() {
        pipe.send(session, "Page.stopScreencast", Map.of());
        pipe.send(session, "Page.startScreencast", screencast());
    }

    /** Whether frames come at our rate, rather than at the browser's. */
    boolean paced() {
        return running.frames().isPresent();
    }

    /** Ends the page and forgets what it stored. A browser that cannot even do that is ended. */
    @Override
    public void close() {
        running.frames().ifPresent(frames -> frames.remove(session));
        pipe.removeListener(listener);
        if (!session.isEmpty()) {
            pipe.forget(session);
        }
        if (!running.runs()) {
            return;
        }
        try {
            if (!target.isEmpty()) {
                browser("Target.closeTarget", Map.of("targetId", target));
            }
            if (!context.isEmpty()) {
                browser("Target.disposeBrowserContext", Map.of("browserContextId", context));
            }
        } catch (DevToolsException e) {
            if (e.timedOut()) {
                log.warn("the browser does not close a page and is ended: {}", e.getMessage());
                running.kill();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** Where the browser paints at its own rate, what is on its way keeps the next one back. */
    private Map<String, Object> screencast() {
        return Map.of("format", "png", "everyNthFrame", 1, "maxFramesInFlight", paced() ? 3 : 1);
    }

    private JsonNode browser(String method, Map<String, ?> parameters) throws InterruptedException {
        return running.browser().call(method, parameters, CALL);
    }

    private JsonNode page(String method, Map<String, ?> parameters) throws InterruptedException {
        return pipe.call(session, method, parameters, CALL);
    }

    private void navigated(@Nullable JsonNode reply, @Nullable Throwable failure) {
        if (failure != null) {
            Throwable cause =
                    failure instanceof CompletionException
                            ? Objects.requireNonNullElse(failure.getCause(), failure)
                            : failure;
            fail("it cannot be loaded: " + cause.getMessage());
        } else if (reply != null && reply.path("errorText").isTextual()) {
            fail(LoadError.describe(reply.path("errorText").asText()));
        }
    }

    private void fail(String reason) {
        setting.inbox().fail(setting.attempt(), reason);
    }

    private void happened(DevToolsPipe.Event event) {
        if (event.session().isEmpty()) {
            happenedToBrowser(event);
        } else if (event.session().equals(session)) {
            happenedToPage(event);
        }
    }

    private void happenedToPage(DevToolsPipe.Event event) {
        switch (event.method()) {
            case "Page.screencastFrame" -> framed(event);
            case "Page.frameNavigated" -> wentTo(event.parameters().path("frame"));
            case "Page.loadEventFired" -> {
                if (arrived) {
                    setting.inbox().loaded(setting.attempt());
                }
            }
            case "Page.javascriptDialogOpening" ->
                    pipe.send(
                            session,
                            "Page.handleJavaScriptDialog",
                            // Leaving a page that asks not to be left is all that is agreed to.
                            Map.of(
                                    "accept",
                                    event.parameters()
                                            .path("type")
                                            .asText()
                                            .equals("beforeunload")));
            case "Inspector.targetCrashed" -> crashed();
            default -> {}
        }
    }

    private void happenedToBrowser(DevToolsPipe.Event event) {
        if (target.isEmpty()) {
            return; // What is created now is the page itself.
        }
        JsonNode parameters = event.parameters();
        switch (event.method()) {
            case "Target.targetCreated" -> appeared(parameters.path("targetInfo"));
            case "Target.targetCrashed" -> {
                if (parameters.path("targetId").asText().equals(target)) {
                    crashed();
                }
            }
            case "Target.targetDestroyed" -> {
                if (parameters.path("targetId").asText().equals(target)) {
                    pipe.forget(session);
                    fail("the page closed its own window");
                }
            }
            default -> {}
        }
    }

    private void framed(DevToolsPipe.Event event) {
        PageMailbox.Frame frame =
                new PageMailbox.Frame(
                        event.data(),
                        event.parameters().path("sessionId").asInt(),
                        System.nanoTime());
        if (paced()) {
            // The next is painted when we say so, so it may come as soon as it likes.
            acknowledge(frame);
        }
        setting.inbox().frame(setting.attempt(), frame);
    }

    /** Only the main frame's documents count; within one, a page may change its address. */
    private void wentTo(JsonNode frame) {
        String url = frame.path("url").asText();
        String loadedUrl = home;
        if (frame.has("parentId") || (url.equals(BLANK) && loadedUrl == null)) {
            return;
        }
        arrived = true;
        if (frame.path("unreachableUrl").isTextual()) {
            fail("it cannot be loaded any more");
        } else if (loadedUrl == null || loadedUrl.equals(url)) {
            setting.inbox().loading(setting.attempt());
        } else {
            fail("the page went to another address: " + place(url));
        }
    }

    /** Told by the page's thread, once the load has ended: from now on this is the page. */
    void settled() throws InterruptedException {
        JsonNode frame = page("Page.getFrameTree", Map.of()).path("frameTree").path("frame");
        home = frame.path("url").asText();
    }

    private void appeared(JsonNode info) {
        boolean ours =
                info.path("browserContextId").asText().equals(context)
                        && info.path("type").asText().equals("page")
                        && !info.path("targetId").asText().equals(target);
        if (ours) {
            pipe.send("", "Target.closeTarget", Map.of("targetId", info.path("targetId").asText()));
            fail("the page opened another window");
        }
    }

    private void crashed() {
        pipe.forget(session);
        fail("the page crashed");
    }

    /** An address without what may be secret in it. */
    private static String place(String url) {
        return Optional.of(url.replaceFirst("[?#].*", ""))
                .filter(text -> text.length() <= 200)
                .orElse("a long one");
    }
}
