package touchline.overlay.page;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One page of {@link ChromiumRenderer}: a thread that shows it, tells its listener, and shows it
 * again when something fails. Any thread may call the public methods.
 */
final class ChromiumPage implements RenderedPage {
    private static final Logger log = LoggerFactory.getLogger(ChromiumPage.class);

    /** A failure after this time, beyond the load's own, starts over at the first pause. */
    private static final Duration HEALTHY = Duration.ofSeconds(30);

    private static final long NEVER = Long.MIN_VALUE;

    /**
     * What all pages share.
     *
     * @param watch knows why a process was ended
     */
    record Dependencies(BrowserHost host, ResourceWatch watch) {}

    private final Dependencies dependencies;
    private final PageRequest request;
    private final PageListener listener;
    private final FilteringProxy proxy;
    private final PageMailbox inbox = new PageMailbox();
    private final Thread thread;
    // Written by whoever composes, read by the page's thread; a torn pair does not exist.
    private volatile @Nullable MediaTime mediaTime;

    // The page's thread's.
    private final Backoff backoff = new Backoff(Duration.ofMillis(500), Duration.ofSeconds(30), HEALTHY);
    private @Nullable String lastReason;
    private long goodNs = NEVER;
    private boolean everLoaded;

    /** As a rule not this page's fault: the pause before the next start is the browser's own. */
    private boolean browserEnded;

    private record MediaTime(long mediaTimeMs, long wallClockMs) {}

    private ChromiumPage(
            Dependencies dependencies,
            PageRequest request,
            PageListener listener,
            FilteringProxy proxy) {
        this.dependencies = dependencies;
        this.request = request;
        this.listener = listener;
        this.proxy = proxy;
        this.thread =
                Thread.ofPlatform()
                        .daemon()
                        .name("page-" + request.streamId())
                        .unstarted(this::run);
    }

    /** Takes ownership of the proxy. */
    static ChromiumPage open(
            Dependencies dependencies,
            PageRequest request,
            PageListener listener,
            FilteringProxy proxy) {
        ChromiumPage page = new ChromiumPage(dependencies, request, listener, proxy);
        page.thread.start();
        return page;
    }

    @Override
    public void reload() {
        inbox.reload();
    }

    @Override
    public void mediaTimeUs(long mediaTimeUs) {
        mediaTime =
                new MediaTime(
                        TimeUnit.MICROSECONDS.toMillis(mediaTimeUs), System.currentTimeMillis());
    }

    @Override
    public void close() {
        inbox.close();
    }

    /** Why a host was not reached; see {@link FilteringProxy#problem}. */
    Optional<String> problem(String host) {
        return proxy.problem(host);
    }

    boolean ended() {
        return !thread.isAlive();
    }

    /** Waits until the page's thread has ended, after {@link #close}. */
    void awaitEnd() throws InterruptedException {
        if (!Thread.currentThread().equals(thread)) {
            thread.join();
        }
    }

    private void run() {
        try (proxy;
                PageCanvas canvas = new PageCanvas(request.widthPixels(), request.heightPixels())) {
            while (!inbox.closed()) {
                long startedNs = System.nanoTime();
                Optional<String> failure = tryGuarded(canvas);
                if (failure.isPresent() && !inbox.closed()) {
                    long ranNs = System.nanoTime() - startedNs - request.loadTimeout().toNanos();
                    failed(failure.get());
                    if (!browserEnded) {
                        inbox.pause(System.nanoTime() + backoff.nextNs(ranNs));
                    }
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            log.warn("stream={} page={}: {}", request.streamId(), request, e.toString());
        }
    }

    /** An unexpected exception is one more failure of the page; its thread goes on. */
    private Optional<String> tryGuarded(PageCanvas canvas) throws InterruptedException {
        try {
            return tryOnce(canvas);
        } catch (RuntimeException | Error e) {
            log.error("stream={} page={}: internal error", request.streamId(), request, e);
            return Optional.of("internal error: " + e);
        }
    }

    /** Shows the page until it is closed (empty) or fails: the reason. */
    private Optional<String> tryOnce(PageCanvas canvas) throws InterruptedException {
        int attempt = inbox.begin();
        browserEnded = false;
        RunningBrowser running;
        try {
            running = dependencies.host().acquire();
        } catch (DevToolsException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
        try {
            CompletableFuture<String> ended = running.browser().pipe().ended();
            CompletableFuture<Void> _ = ended.thenAccept(reason -> inbox.fail(attempt, reason));
            proxy.onExceeded(
                    () ->
                            inbox.fail(
                                    attempt,
                                    "the page loads more than overlay.page-bytes-per-minute"));
            try (PageSession session =
                    PageSession.open(
                            running,
                            new PageSession.Dependencies(request, proxy.port(), inbox, attempt))) {
                canvas.refresh();
                return new PageRenderLoop(session, canvas, inbox, this).run();
            } catch (DevToolsException e) {
                return Optional.of(running.runs() ? String.valueOf(e.getMessage()) : ended.join());
            }
        } finally {
            browserEnded = !running.runs();
            dependencies.host().release();
        }
    }

    PageRequest request() {
        return request;
    }

    /** What is to be run in the page now and then: tells it the time, and shows that it runs. */
    String heartbeat() {
        MediaTime time = mediaTime;
        return time == null
                ? PageScript.ALIVE
                : PageScript.sync(time.mediaTimeMs(), time.wallClockMs());
    }

    /**
     * Why the loaded document is none that can be shown.
     *
     * @param status {@code [status, host]}
     */
    Optional<String> refusal(JsonNode status) {
        int code = status.path(0).asInt();
        if (code < 400) {
            return Optional.empty();
        }
        return Optional.of(
                proxy.problem(status.path(1).asText())
                        .orElseGet(() -> "its server answered " + code));
    }

    void loaded() {
        log.info("stream={} page={} loaded", request.streamId(), request);
        boolean first = !everLoaded && lastReason == null;
        everLoaded = true;
        lastReason = null;
        if (first) {
            tell(listener::loaded);
        } else {
            tell(listener::recovered);
        }
    }

    /** The page has answered a question that was asked at this time of {@link System#nanoTime}. */
    void good(long askedNs) {
        goodNs = askedNs;
    }

    void frame(PageFrame frame) {
        tell(() -> listener.frame(frame));
    }

    private void failed(String reason) {
        String why =
                dependencies.watch().explain(reason).or(() -> unreached(reason)).orElse(reason);
        String line = why.replaceAll("\\p{Cntrl}+", " ").strip();
        if (!Objects.equals(line, lastReason)) {
            log.warn("stream={} page={} failed: {}", request.streamId(), request, line);
            lastReason = line;
            long silentNs = goodNs == NEVER ? 0 : System.nanoTime() - goodNs;
            tell(() -> listener.failed(line, silentNs));
        }
    }

    /** A tunnel that was refused says nothing to the browser; the proxy knows. */
    private Optional<String> unreached(String reason) {
        if (!reason.contains("ERR_TUNNEL_CONNECTION_FAILED")) {
            return Optional.empty();
        }
        String authority = request.url().replaceFirst("^[a-zA-Z]+://([^/?#]*).*", "$1");
        try {
            return proxy.problem(HostPort.parse(authority, 443).host());
        } catch (ProxyRefusal _) {
            return Optional.empty();
        }
    }

    private void tell(Runnable call) {
        if (inbox.closed()) {
            return;
        }
        try {
            call.run();
        } catch (RuntimeException | Error e) {
            log.error("stream={} a page listener failed", request.streamId(), e);
        }
    }
}
