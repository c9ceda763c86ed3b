package touchline.overlay;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import touchline.overlay.page.PageFrame;
import touchline.overlay.page.PageListener;
import touchline.overlay.page.RenderedPage;

/**
 * One page of a layer: its newest frame, converted once for each change on the page's own thread,
 * and whether it may still be shown.
 */
final class PageBuffer implements PageListener, AutoCloseable {
    private static final long NEVER = Long.MAX_VALUE;

    private final HtmlLayer layer;
    private final boolean announced;
    private final ReentrantLock lock = new ReentrantLock();

    // The page's thread only.
    private final BoxConverter converter;

    @GuardedBy("lock")
    private @Nullable RenderedPage page;

    @GuardedBy("lock")
    private @Nullable BoxFrame frame;

    @GuardedBy("lock")
    private long goneNs = NEVER;

    @GuardedBy("lock")
    private boolean hasFailed;

    @GuardedBy("lock")
    private boolean ready;

    @GuardedBy("lock")
    private boolean closed;

    /**
     * @param announced whether the first frame is news, and not only one for another canvas
     */
    PageBuffer(HtmlLayer layer, BoxConverter converter, boolean announced) {
        this.layer = layer;
        this.converter = converter;
        this.announced = announced;
    }

    /** Takes the page over. */
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

    /** What is to be shown; empty before the first frame, and some time after a failure. */
    Optional<BoxFrame> frame(long nowNs) {
        lock.lock();
        try {
            return goneNs != NEVER && nowNs - goneNs >= 0
                    ? Optional.empty()
                    : Optional.ofNullable(frame);
        } finally {
            lock.unlock();
        }
    }

    /**
     * The last frame may be shown for a while yet.
     *
     * @param goodNs when it was good for the last time
     */
    void expire(long goodNs) {
        lock.lock();
        try {
            if (goneNs == NEVER) {
                goneNs = goodNs + HtmlLayer.GOOD_FOR_NS;
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
        // What counts is the first frame, which follows at once.
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
        // As with loaded: shown is what has a frame.
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
            goneNs = NEVER;
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
