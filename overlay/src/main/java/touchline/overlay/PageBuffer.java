package touchline.overlay;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import touchline.overlay.page.PageFrame;
import touchline.overlay.page.PageListener;
import touchline.overlay.page.RenderedPage;

/** One page of a layer: its newest frame, converted on the page's thread, and its expiry. */
final class PageBuffer implements PageListener, AutoCloseable {
    private static final long NEVER = Long.MAX_VALUE;

    private final HtmlLayer layer;
    private final boolean announced;
    private final ReentrantLock lock = new ReentrantLock();

    // Used by the page's thread only.
    private final BoxConverter converter;

    @GuardedBy("lock")
    private @Nullable RenderedPage page;

    @GuardedBy("lock")
    private @Nullable BoxFrame frame;

    @GuardedBy("lock")
    private long expiresNs = NEVER;

    @GuardedBy("lock")
    private boolean hasFailed;

    @GuardedBy("lock")
    private boolean ready;

    @GuardedBy("lock")
    private boolean closed;

    /**
     * @param announced whether the first frame is reported as loaded; false after a change of the
     *     canvas
     */
    PageBuffer(HtmlLayer layer, BoxConverter converter, boolean announced) {
        this.layer = layer;
        this.converter = converter;
        this.announced = announced;
    }

    /** Takes ownership of the page. */
    void opened(RenderedPage openedPage) {
        boolean tooLate;
        lock.lock();
        try {
            page = openedPage;
            tooLate = closed;
        } finally {
            lock.unlock();
        }
        if (tooLate) {
            openedPage.close();
        }
    }

    /** The newest frame; empty before the first one and after the expiry. */
    Optional<BoxFrame> frame(long nowNs) {
        lock.lock();
        try {
            return expiresNs != NEVER && nowNs - expiresNs >= 0
                    ? Optional.empty()
                    : Optional.ofNullable(frame);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Sets the expiry of the last frame.
     *
     * @param lastGoodNs time of the page's last answer
     */
    void expire(long lastGoodNs) {
        lock.lock();
        try {
            if (expiresNs == NEVER) {
                expiresNs = lastGoodNs + HtmlLayer.STALE_AFTER_NS;
            }
        } finally {
            lock.unlock();
        }
    }

    void mediaTimeUs(long ptsUs) {
        RenderedPage open;
        lock.lock();
        try {
            open = page;
        } finally {
            lock.unlock();
        }
        if (open != null) {
            open.mediaTimeUs(ptsUs);
        }
    }

    @Override
    public void loaded() {
        // The first frame follows at once.
    }

    @Override
    public void failed(String reason, long silentNs) {
        lock.lock();
        try {
            hasFailed = true;
        } finally {
            lock.unlock();
        }
        expire(layer.nowNs() - silentNs);
        layer.failed(this, reason);
    }

    @Override
    public void recovered() {
        // The first frame follows at once.
    }

    @Override
    public void frame(PageFrame fresh) {
        BoxConverter.Pixels pixels = new BoxConverter.Pixels(fresh.pixels(), fresh.strideBytes());
        BoxFrame converted =
                converter.convert(pixels, fresh.changed().y(), fresh.changed().height());
        boolean first;
        boolean again;
        lock.lock();
        try {
            frame = converted;
            expiresNs = NEVER;
            first = !ready;
            again = hasFailed;
            ready = true;
            hasFailed = false;
        } finally {
            lock.unlock();
        }
        if (first) {
            layer.ready(this, announced && !again);
        }
        if (again) {
            layer.recovered(this);
        }
    }

    @Override
    public void close() {
        RenderedPage open;
        lock.lock();
        try {
            closed = true;
            open = page;
        } finally {
            lock.unlock();
        }
        if (open != null) {
            open.close();
        }
    }
}
