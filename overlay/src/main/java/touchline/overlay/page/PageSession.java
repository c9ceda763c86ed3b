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
 * One attempt to show a page: its own browser context (cookies, cache, proxy), one page, and its
 * screencast. Events go to the mailbox. Owned and closed by the page's thread; events arrive on the
 * browser's reader thread.
 */
final class PageSession implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(PageSession.class);
    private static final Duration CALL = Duration.ofSeconds(5);

    /** The browser starts a process for the page: on a busy host that takes seconds. */
    private static final Duration OPENING = Duration.ofSeconds(20);

    /** It ends one. The same time as for a frame: a browser that exceeds it ends with all pages. */
    private static final Duration CLOSING = Duration.ofSeconds(10);

    private static final Duration PAINT = Duration.ofSeconds(1);
    private static final String BLANK = "about:blank";

    /**
     * What to show, and the receiver of its events.
     *
     * @param proxy address of the page's proxy, for this browser
     * @param attempt number of this attempt
     */
    record Dependencies(PageRequest request, String proxy, PageMailbox mailbox, int attempt) {}

    private final RunningBrowser running;
    private final DevToolsPipe pipe;
    private final Dependencies dependencies;
    private final Consumer<DevToolsPipe.Event> listener = this::onEvent;

    private String context = "";
    // Written by the page's thread before the first event, read by the reader thread.
    private volatile String target = "";
    private volatile String session = "";
    // Whether the load has reached a document; used by the reader thread only.
    private boolean hasDocument;
    // Address of the loaded document; written by the page's thread, read by the reader thread.
    private volatile @Nullable String documentUrl;

    private PageSession(RunningBrowser running, Dependencies dependencies) {
        this.running = running;
        this.pipe = running.browser().pipe();
        this.dependencies = dependencies;
    }

    /**
     * Opens a blank page, ready to be navigated; the caller closes it.
     *
     * @throws DevToolsException the browser refused or does not answer
     */
    static PageSession open(RunningBrowser running, Dependencies dependencies)
            throws InterruptedException {
        PageSession session = new PageSession(running, dependencies);
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
                                        dependencies.proxy(),
                                        "proxyBypassList",
                                        "<-loopback>"),
                                OPENING)
                        .path("browserContextId")
                        .asText();
        browser(
                "Browser.setDownloadBehavior",
                Map.of("behavior", "deny", "browserContextId", context),
                OPENING);
        Map<String, Object> blank = new HashMap<>();
        blank.put("url", BLANK);
        blank.put("browserContextId", context);
        if (running.beginFrames().isPresent()) {
            blank.put("enableBeginFrameControl", true);
        }
        target = browser("Target.createTarget", blank, OPENING).path("targetId").asText();
        session =
                browser(
                                "Target.attachToTarget",
                                Map.of("targetId", target, "flatten", true),
                                OPENING)
                        .path("sessionId")
                        .asText();
        PageRequest request = dependencies.request();
        page("Page.enable", Map.of(), OPENING);
        page("Inspector.enable", Map.of(), OPENING);
        page(
                "Emulation.setDefaultBackgroundColorOverride",
                Map.of("color", Map.of("r", 0, "g", 0, "b", 0, "a", 0)),
                OPENING);
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
                        false),
                OPENING);
        // Focused and visible, so that timers and painting are not throttled.
        page("Emulation.setFocusEmulationEnabled", Map.of("enabled", true), OPENING);
        page(
                "Page.addScriptToEvaluateOnNewDocument",
                Map.of("source", PageScript.definition(request.streamId())),
                OPENING);
        running.beginFrames().ifPresent(frames -> frames.add(session));
        page("Page.startScreencast", screencast(), OPENING);
    }

    /** Starts the load; the mailbox receives its result. */
    void navigate() {
        String url = dependencies.request().url();
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

    /** Runs an expression in the page; a hung page never replies. */
    CompletableFuture<JsonNode> evaluate(String expression) {
        return pipe.send(
                session,
                "Runtime.evaluate",
                Map.of("expression", expression, "returnByValue", true));
    }

    /** The value of an expression. */
    JsonNode value(String expression) throws InterruptedException {
        return page(
                        "Runtime.evaluate",
                        Map.of("expression", expression, "returnByValue", true),
                        CALL)
                .path("result")
                .path("value");
    }

    /** Waits until the loaded document is painted; after a time-out the page is shown as it is. */
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

    /** Requests the next frame. */
    void acknowledge(PageMailbox.Frame frame) {
        pipe.send(session, "Page.screencastFrameAck", Map.of("sessionId", frame.number()));
    }

    /** Requests a frame of the current state, changed or not. */
    void restartScreencast() {
        pipe.send(session, "Page.stopScreencast", Map.of());
        pipe.send(session, "Page.startScreencast", screencast());
    }

    /** Whether the server triggers each paint. */
    boolean usesBeginFrames() {
        return running.beginFrames().isPresent();
    }

    /** Closes the page and its context. A browser that cannot do this is killed. */
    @Override
    public void close() {
        running.beginFrames().ifPresent(frames -> frames.remove(session));
        pipe.removeListener(listener);
        if (!session.isEmpty()) {
            pipe.failRequests(session);
        }
        if (!running.runs()) {
            return;
        }
        try {
            if (!target.isEmpty()) {
                browser("Target.closeTarget", Map.of("targetId", target), CLOSING);
            }
            if (!context.isEmpty()) {
                browser(
                        "Target.disposeBrowserContext",
                        Map.of("browserContextId", context),
                        CLOSING);
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

    /** Without begin frames, one frame in flight delays the next: this limits the rate. */
    private Map<String, Object> screencast() {
        return Map.of(
                "format",
                "png",
                "everyNthFrame",
                1,
                "maxFramesInFlight",
                usesBeginFrames() ? 3 : 1);
    }

    private JsonNode browser(String method, Map<String, ?> parameters, Duration atMost)
            throws InterruptedException {
        return running.browser().call(method, parameters, atMost);
    }

    private JsonNode page(String method, Map<String, ?> parameters, Duration atMost)
            throws InterruptedException {
        return pipe.call(session, method, parameters, atMost);
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
        dependencies.mailbox().fail(dependencies.attempt(), reason);
    }

    private void onEvent(DevToolsPipe.Event event) {
        if (event.session().isEmpty()) {
            onBrowserEvent(event);
        } else if (event.session().equals(session)) {
            onPageEvent(event);
        }
    }

    private void onPageEvent(DevToolsPipe.Event event) {
        switch (event.method()) {
            case "Page.screencastFrame" -> onFrame(event);
            case "Page.frameNavigated" -> onNavigated(event.parameters().path("frame"));
            case "Page.loadEventFired" -> {
                if (hasDocument) {
                    dependencies.mailbox().loaded(dependencies.attempt());
                }
            }
            case "Page.javascriptDialogOpening" ->
                    pipe.send(
                            session,
                            "Page.handleJavaScriptDialog",
                            // Only a beforeunload dialog is accepted, so that the page can be left.
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

    private void onBrowserEvent(DevToolsPipe.Event event) {
        if (target.isEmpty()) {
            return; // The new target is this page itself.
        }
        JsonNode parameters = event.parameters();
        switch (event.method()) {
            case "Target.targetCreated" -> onTargetCreated(parameters.path("targetInfo"));
            case "Target.targetCrashed" -> {
                if (parameters.path("targetId").asText().equals(target)) {
                    crashed();
                }
            }
            case "Target.targetDestroyed" -> {
                if (parameters.path("targetId").asText().equals(target)) {
                    pipe.failRequests(session);
                    fail("the page closed its own window");
                }
            }
            default -> {}
        }
    }

    private void onFrame(DevToolsPipe.Event event) {
        PageMailbox.Frame frame =
                new PageMailbox.Frame(
                        event.data(),
                        event.parameters().path("sessionId").asInt(),
                        System.nanoTime());
        if (usesBeginFrames()) {
            // The server triggers the next paint, so it is acknowledged at once.
            acknowledge(frame);
        }
        dependencies.mailbox().frame(dependencies.attempt(), frame);
    }

    /**
     * Only documents of the main frame count; a page may change its address within one document.
     */
    private void onNavigated(JsonNode frame) {
        String url = frame.path("url").asText();
        String loadedUrl = documentUrl;
        if (frame.has("parentId") || (url.equals(BLANK) && loadedUrl == null)) {
            return;
        }
        hasDocument = true;
        if (frame.path("unreachableUrl").isTextual()) {
            fail("it cannot be loaded any more");
        } else if (loadedUrl == null || loadedUrl.equals(url)) {
            dependencies.mailbox().loading(dependencies.attempt());
        } else {
            fail("the page went to another address: " + withoutQuery(url));
        }
    }

    /** Called by the page's thread after the load: the page must stay at this address. */
    void recordDocumentUrl() throws InterruptedException {
        JsonNode frame = page("Page.getFrameTree", Map.of(), CALL).path("frameTree").path("frame");
        documentUrl = frame.path("url").asText();
    }

    private void onTargetCreated(JsonNode info) {
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
        pipe.failRequests(session);
        fail("the page crashed");
    }

    /** An address without query and fragment, which may hold secrets. */
    private static String withoutQuery(String url) {
        return Optional.of(url.replaceFirst("[?#].*", ""))
                .filter(text -> text.length() <= 200)
                .orElse("a long one");
    }
}
