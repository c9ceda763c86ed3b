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
 * One page of {@link ChromiumRenderer}. Its thread loads the page, calls the listener, and loads it
 * again after a failure. Any thread may call the public methods.
 */
final class ChromiumPage implements RenderedPage {
    private static final Logger log = LoggerFactory.getLogger(ChromiumPage.class);

    /** A failure after this time, beyond the load's own, starts over at the first pause. */
    private static final Duration HEALTHY = Duration.ofSeconds(30);

    private static final long NEVER = Long.MIN_VALUE;

    /**
     * Shared by all pages.
     *
     * @param watch knows why it ended a process
     */
    record Dependencies(BrowserHost host, ResourceWatch watch) {}

    private final Dependencies dependencies;
    private final PageRequest request;
    private final PageListener listener;
    private final FilteringProxy proxy;
    private final PageMailbox mailbox = new PageMailbox();
    private final Thread thread;
    // Written by the compositing thread, read by the page's thread, always as a pair.
    private volatile @Nullable MediaTime mediaTime;

    // Used by the page's thread only.
    private final Backoff backoff =
            new Backoff(Duration.ofMillis(500), Duration.ofSeconds(30), HEALTHY);
    private @Nullable String lastReason;
    private long lastAnswerNs = NEVER;
    private boolean everLoaded;

    /** The browser ended: {@link BrowserHost} waits before the next start, this page does not. */
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
        mailbox.reload();
    }

    @Override
    public void mediaTimeUs(long mediaTimeUs) {
        mediaTime =
                new MediaTime(
                        TimeUnit.MICROSECONDS.toMillis(mediaTimeUs), System.currentTimeMillis());
    }

    @Override
    public void close() {
        mailbox.close();
    }

    /** Why a host was not reached: see {@link FilteringProxy#problem}. */
    Optional<String> problem(String host) {
        return proxy.problem(host);
    }

    boolean ended() {
        return !thread.isAlive();
    }

    /** After {@link #close}: waits for the page's thread. */
    void awaitEnd() throws InterruptedException {
        if (!Thread.currentThread().equals(thread)) {
            thread.join();
        }
    }

    private void run() {
        try (proxy;
                PageCanvas canvas = new PageCanvas(request.widthPixels(), request.heightPixels())) {
            while (!mailbox.closed()) {
                long startedNs = System.nanoTime();
                Optional<String> failure = tryGuarded(canvas);
                if (failure.isPresent() && !mailbox.closed()) {
                    long ranNs = System.nanoTime() - startedNs - request.loadTimeout().toNanos();
                    failed(failure.get());
                    if (!browserEnded) {
                        mailbox.pause(System.nanoTime() + backoff.nextNs(ranNs));
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

    /** Shows the page until it is closed (empty) or fails (the reason). */
    private Optional<String> tryOnce(PageCanvas canvas) throws InterruptedException {
        int attempt = mailbox.begin();
        browserEnded = false;
        RunningBrowser running;
        try {
            running = dependencies.host().acquire();
        } catch (DevToolsException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
        try {
            CompletableFuture<String> ended = running.browser().pipe().ended();
            CompletableFuture<Void> _ = ended.thenAccept(reason -> mailbox.fail(attempt, reason));
            proxy.onExceeded(
                    () ->
                            mailbox.fail(
                                    attempt,
                                    "the page loads more than overlay.page-bytes-per-minute"));
            return show(running, attempt, canvas);
        } catch (DevToolsException e) {
            return Optional.of(
                    running.runs()
                            ? String.valueOf(e.getMessage())
                            : running.browser().pipe().ended().join());
        } finally {
            browserEnded = !running.runs();
            dependencies.host().release();
        }
    }

    private Optional<String> show(RunningBrowser running, int attempt, PageCanvas canvas)
            throws InterruptedException {
        String address = running.browser().admit(proxy.port(), proxy.maxConnections());
        try (PageSession session =
                PageSession.open(
                        running,
                        new PageSession.Dependencies(request, address, mailbox, attempt))) {
            canvas.refresh();
            return new PageRenderLoop(session, canvas, mailbox, this).run();
        } finally {
            running.browser().withdraw(proxy.port());
        }
    }

    PageRequest request() {
        return request;
    }

    /** Script that runs in the page every second: sets its media time, and proves that it runs. */
    String heartbeat() {
        MediaTime time = mediaTime;
        return time == null
                ? PageScript.ALIVE
                : PageScript.sync(time.mediaTimeMs(), time.wallClockMs());
    }

    /**
     * Why the loaded document cannot be shown.
     *
     * @param status {@code [status, host]}
     */
    Optional<String> loadProblem(JsonNode status) {
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
            notifyListener(listener::loaded);
        } else {
            notifyListener(listener::recovered);
        }
    }

    /** The page has answered a heartbeat that was sent at this {@link System#nanoTime}. */
    void answered(long askedNs) {
        lastAnswerNs = askedNs;
    }

    void frame(PageFrame frame) {
        notifyListener(() -> listener.frame(frame));
    }

    private void failed(String reason) {
        String why =
                dependencies.watch().explain(reason).or(() -> tunnelProblem(reason)).orElse(reason);
        String line = why.replaceAll("\\p{Cntrl}+", " ").strip();
        if (!Objects.equals(line, lastReason)) {
            log.warn("stream={} page={} failed: {}", request.streamId(), request, line);
            lastReason = line;
            long silentNs = lastAnswerNs == NEVER ? 0 : System.nanoTime() - lastAnswerNs;
            notifyListener(() -> listener.failed(line, silentNs));
        }
    }

    /** The browser does not report why a tunnel was refused; the proxy does. */
    private Optional<String> tunnelProblem(String reason) {
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

    private void notifyListener(Runnable call) {
        if (mailbox.closed()) {
            return;
        }
        try {
            call.run();
        } catch (RuntimeException | Error e) {
            log.error("stream={} a page listener failed", request.streamId(), e);
        }
    }
}
