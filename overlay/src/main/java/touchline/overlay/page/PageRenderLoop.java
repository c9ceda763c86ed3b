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
 * One page from the start of its load until it fails or is closed: waits for the load, feels its
 * pulse, and hands on its frames. The page's thread's, used once.
 *
 * <p>A screencast leaves out what changes while a frame is on its way, so the last change of
 * several could be missed for good. When frames have stopped coming after more than one, or after
 * any where the browser paints at its own rate, one more is asked for.
 */
final class PageRenderLoop {
    private static final Logger log = LoggerFactory.getLogger(PageRenderLoop.class);
    private static final long PULSE_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long PULSE_LOST_NS = TimeUnit.SECONDS.toNanos(3);
    private static final long PACE_NS = TimeUnit.MILLISECONDS.toNanos(33);
    private static final long QUIET_NS = TimeUnit.MILLISECONDS.toNanos(120);

    /** What is asked for comes within two frames; now and then it does not come at all. */
    private static final long REFRESH_LOST_NS = TimeUnit.MILLISECONDS.toNanos(250);

    private static final long NEVER = Long.MAX_VALUE;

    private final PageSession session;
    private final PageCanvas canvas;
    private final PageMailbox inbox;
    private final ChromiumPage page;

    /** Before the load has ended a page may look half finished: its frames are held back. */
    private boolean loaded;

    private boolean toldLoaded;
    private long loadUntilNs;
    private PageMailbox.@Nullable Frame held;

    private long pulseAtNs = NEVER;
    private long pulseAskedNs;
    private @Nullable CompletableFuture<JsonNode> pulse;

    private PageMailbox.@Nullable Frame unacknowledged;
    private long acknowledgeAtNs = NEVER;
    private long lastAcknowledgedNs;
    private long refreshAtNs = NEVER;
    private boolean refreshing;
    private long lastFrameNs;

    PageRenderLoop(PageSession session, PageCanvas canvas, PageMailbox inbox, ChromiumPage page) {
        this.session = session;
        this.canvas = canvas;
        this.inbox = inbox;
        this.page = page;
    }

    /**
     * Shows the page.
     *
     * @return why it is not shown any more; empty where it was closed
     * @throws DevToolsException the browser does not answer
     */
    Optional<String> run() throws InterruptedException {
        loading(System.nanoTime());
        session.navigate();
        while (true) {
            PageMailbox.News news = inbox.await(nextNs());
            long nowNs = System.nanoTime();
            if (news.closed()) {
                return Optional.empty();
            }
            if (news.reload()) {
                loading(nowNs);
                session.reload();
            }
            if (news.frame().isPresent()) {
                came(news.frame().get(), nowNs);
            }
            Optional<String> failure = news.failure().or(() -> progress(news, nowNs));
            if (failure.isEmpty()) {
                failure = news.loaded() ? endOfLoad() : Optional.empty();
            }
            if (failure.isPresent()) {
                return failure;
            }
            keepCast(nowNs);
            show();
        }
    }

    private Optional<String> progress(PageMailbox.News news, long nowNs) {
        if (news.loading() && loaded) {
            loading(nowNs); // The page loads itself again.
        }
        if (!loaded && !news.loaded() && nowNs >= loadUntilNs) {
            return Optional.of(
                    "it did not load within " + page.request().loadTimeout().toSeconds() + " s");
        }
        return feelPulse(nowNs);
    }

    private void loading(long nowNs) {
        loaded = false;
        loadUntilNs = nowNs + page.request().loadTimeout().toNanos();
        pulse = null;
        pulseAtNs = NEVER;
    }

    private Optional<String> endOfLoad() throws InterruptedException {
        Optional<String> refusal = page.refusal(session.value(PageScript.STATUS));
        if (refusal.isPresent()) {
            return refusal;
        }
        session.settled();
        session.awaitPaint();
        // What came until now may be the page before its first paint, or nothing.
        held = null;
        unacknowledged = null;
        acknowledgeAtNs = NEVER;
        inbox.forgetFrame();
        refresh(System.nanoTime());
        loaded = true;
        pulseAtNs = System.nanoTime();
        page.good(pulseAtNs);
        if (!toldLoaded) {
            toldLoaded = true;
            page.loaded();
        }
        return Optional.empty();
    }

    /** Asks the page every second; one that does not answer runs in a circle. */
    private Optional<String> feelPulse(long nowNs) {
        if (nowNs < pulseAtNs) {
            return Optional.empty();
        }
        CompletableFuture<JsonNode> asked = pulse;
        if (asked == null || asked.isDone()) {
            if (asked != null) {
                page.good(pulseAskedNs);
            }
            pulse = session.evaluate(page.heartbeat());
            pulseAskedNs = nowNs;
            pulseAtNs = nowNs + PULSE_NS;
        } else if (nowNs - pulseAskedNs >= PULSE_LOST_NS) {
            return Optional.of("the page hangs");
        } else {
            pulseAtNs = pulseAskedNs + PULSE_LOST_NS;
        }
        return Optional.empty();
    }

    private void came(PageMailbox.Frame frame, long nowNs) {
        held = frame;
        boolean burst = frame.sinceNs() - lastFrameNs < QUIET_NS;
        lastFrameNs = frame.sinceNs();
        if (!session.paced()) {
            unacknowledged = frame;
            // At once where the page changes less often than we take it.
            acknowledgeAtNs = Math.max(nowNs, lastAcknowledgedNs + PACE_NS);
        }
        // A frame that was asked for is whole, and asks for nothing more.
        boolean another = !refreshing && (burst || !session.paced());
        refreshAtNs = another ? nowNs + QUIET_NS : NEVER;
        refreshing = false;
    }

    private void show() {
        PageMailbox.Frame frame = held;
        if (!loaded || frame == null) {
            return;
        }
        held = null;
        try {
            canvas.take(frame.base64(), frame.sinceNs()).ifPresent(page::frame);
        } catch (IOException e) {
            log.warn("stream={} {}", page.request().streamId(), e.getMessage());
        }
    }

    private void keepCast(long nowNs) {
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
        refreshAtNs = nowNs + REFRESH_LOST_NS;
        session.videoFrame();
    }

    private long nextNs() {
        long next = Math.min(Math.min(acknowledgeAtNs, refreshAtNs), pulseAtNs);
        return loaded ? next : Math.min(next, loadUntilNs);
    }
}
