package touchline.overlay.page;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one page from its load until it fails or is closed: waits for the load event, sends
 * heartbeats, forwards screencast frames. Used once, by the page's thread.
 *
 * <p>A screencast skips changes while a frame is in flight, so the last of several changes could be
 * lost. When frames stop after a burst, one more is requested; after any frame where the browser
 * paints at its own rate.
 */
final class PageRenderLoop {
    private static final Logger log = LoggerFactory.getLogger(PageRenderLoop.class);
    private static final long HEARTBEAT_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long HEARTBEAT_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(3);
    private static final long FRAME_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(33);
    private static final long QUIET_NS = TimeUnit.MILLISECONDS.toNanos(120);

    /** A requested frame arrives within two frames, or, rarely, never. */
    private static final long REFRESH_TIMEOUT_NS = TimeUnit.MILLISECONDS.toNanos(250);

    private static final long NEVER = Long.MAX_VALUE;

    private final PageSession session;
    private final PageCanvas canvas;
    private final PageMailbox mailbox;
    private final ChromiumPage page;

    /** Frames are held back until the load has ended: the page may be incomplete. */
    private boolean loaded;

    private boolean reportedLoaded;
    private long loadUntilNs;
    private PageMailbox.@Nullable Frame pendingFrame;

    private long heartbeatAtNs = NEVER;
    private long heartbeatSentNs;
    private @Nullable CompletableFuture<JsonNode> heartbeat;

    private PageMailbox.@Nullable Frame unacknowledged;
    private long acknowledgeAtNs = NEVER;
    private long lastAcknowledgedNs;
    private long refreshAtNs = NEVER;
    private boolean refreshing;
    private long lastFrameNs;

    PageRenderLoop(PageSession session, PageCanvas canvas, PageMailbox mailbox, ChromiumPage page) {
        this.session = session;
        this.canvas = canvas;
        this.mailbox = mailbox;
        this.page = page;
    }

    /**
     * Shows the page until it ends.
     *
     * @return why the page failed; empty if it was closed
     * @throws DevToolsException the browser does not answer
     */
    Optional<String> run() throws InterruptedException {
        loading(System.nanoTime());
        session.navigate();
        while (true) {
            PageMailbox.Update update = mailbox.await(nextNs());
            long nowNs = System.nanoTime();
            if (update.closed()) {
                return Optional.empty();
            }
            if (update.reload()) {
                loading(nowNs);
                session.reload();
            }
            if (update.frame().isPresent()) {
                frameArrived(update.frame().get(), nowNs);
            }
            Optional<String> failure = update.failure().or(() -> progress(update, nowNs));
            if (failure.isEmpty()) {
                failure = update.loaded() ? endOfLoad() : Optional.empty();
            }
            if (failure.isPresent()) {
                return failure;
            }
            acknowledgeOrRefresh(nowNs);
            show();
        }
    }

    private Optional<String> progress(PageMailbox.Update update, long nowNs) {
        if (update.loading() && loaded) {
            loading(nowNs); // The page has reloaded itself.
        }
        if (!loaded && !update.loaded() && nowNs >= loadUntilNs) {
            return Optional.of(
                    "it did not load within " + page.request().loadTimeout().toSeconds() + " s");
        }
        return checkHeartbeat(nowNs);
    }

    private void loading(long nowNs) {
        loaded = false;
        loadUntilNs = nowNs + page.request().loadTimeout().toNanos();
        heartbeat = null;
        heartbeatAtNs = NEVER;
    }

    private Optional<String> endOfLoad() throws InterruptedException {
        Optional<String> loadProblem = page.loadProblem(session.value(PageScript.STATUS));
        if (loadProblem.isPresent()) {
            return loadProblem;
        }
        session.recordDocumentUrl();
        session.awaitPaint();
        // Earlier frames may show the page before its first paint.
        pendingFrame = null;
        unacknowledged = null;
        acknowledgeAtNs = NEVER;
        mailbox.discardFrame();
        refresh(System.nanoTime());
        loaded = true;
        heartbeatAtNs = System.nanoTime();
        page.answered(heartbeatAtNs);
        if (!reportedLoaded) {
            reportedLoaded = true;
            page.loaded();
        }
        return Optional.empty();
    }

    /** Sends a heartbeat every second; a page that does not answer is in an endless loop. */
    private Optional<String> checkHeartbeat(long nowNs) {
        if (nowNs < heartbeatAtNs) {
            return Optional.empty();
        }
        CompletableFuture<JsonNode> pending = heartbeat;
        if (pending == null || pending.isDone()) {
            if (pending != null) {
                page.answered(heartbeatSentNs);
            }
            heartbeat = session.evaluate(page.heartbeat());
            heartbeatSentNs = nowNs;
            heartbeatAtNs = nowNs + HEARTBEAT_NS;
        } else if (nowNs - heartbeatSentNs >= HEARTBEAT_TIMEOUT_NS) {
            return Optional.of("the page hangs");
        } else {
            heartbeatAtNs = heartbeatSentNs + HEARTBEAT_TIMEOUT_NS;
        }
        return Optional.empty();
    }

    private void frameArrived(PageMailbox.Frame frame, long nowNs) {
        pendingFrame = frame;
        boolean burst = frame.sinceNs() - lastFrameNs < QUIET_NS;
        lastFrameNs = frame.sinceNs();
        if (!session.usesBeginFrames()) {
            unacknowledged = frame;
            // At once if the page changes less often than the frame interval.
            acknowledgeAtNs = Math.max(nowNs, lastAcknowledgedNs + FRAME_INTERVAL_NS);
        }
        // A requested frame is complete and needs no further request.
        boolean another = !refreshing && (burst || !session.usesBeginFrames());
        refreshAtNs = another ? nowNs + QUIET_NS : NEVER;
        refreshing = false;
    }

    private void show() {
        PageMailbox.Frame frame = pendingFrame;
        if (!loaded || frame == null) {
            return;
        }
        pendingFrame = null;
        try {
            canvas.apply(frame.base64(), frame.sinceNs()).ifPresent(page::frame);
        } catch (IOException e) {
            log.warn("stream={} {}", page.request().streamId(), e.getMessage());
        }
    }

    private void acknowledgeOrRefresh(long nowNs) {
        PageMailbox.Frame frame = unacknowledged;
        if (frame != null && nowNs >= acknowledgeAtNs) {
            unacknowledged = null;
            acknowledgeAtNs = NEVER;
            lastAcknowledgedNs = nowNs;
            session.acknowledge(frame);
        }
        if (nowNs >= refreshAtNs && unacknowledged == null) {
            refresh(nowNs);
        }
    }

    private void refresh(long nowNs) {
        refreshing = true;
        refreshAtNs = nowNs + REFRESH_TIMEOUT_NS;
        session.restartScreencast();
    }

    private long nextNs() {
        long next = Math.min(Math.min(acknowledgeAtNs, refreshAtNs), heartbeatAtNs);
        return loaded ? next : Math.min(next, loadUntilNs);
    }
}
