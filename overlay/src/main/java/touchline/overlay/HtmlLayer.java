package touchline.overlay;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import touchline.media.StreamId;
import touchline.overlay.page.PageRenderer;
import touchline.overlay.page.PageRequest;

/**
 * A web page over the frame. Opens the page at its box's size when the canvas is known. A new
 * address loads beside the old page, which stays until the new page has its first frame. A failed
 * page keeps its last frame until five seconds after its last answer. The compositor never waits
 * for a page. Any thread.
 */
public final class HtmlLayer implements OverlayLayer, AutoCloseable {
    /** How long the last frame of a failed page stays. */
    static final long STALE_AFTER_NS = 5_000_000_000L;

    private final StreamId stream;
    private final PageRenderer renderer;
    private final Listener listener;
    private final LongSupplier nanoTime;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private OverlaySpec.Html spec;

    @GuardedBy("lock")
    private @Nullable Canvas canvas;

    @GuardedBy("lock")
    private @Nullable PageBuffer shown;

    @GuardedBy("lock")
    private @Nullable PageBuffer loading;

    @GuardedBy("lock")
    private boolean closed;

    /** Receives the page's events on the page's thread; must not block for long. */
    public interface Listener {
        /** The page, or a page with a new address, has its first frame. */
        void loaded();

        /**
         * @param reason message for the operator
         */
        void failed(String reason);

        /** The page is shown again after a failure. */
        void recovered();
    }

    public HtmlLayer(
            StreamId stream,
            OverlaySpec.Html spec,
            PageRenderer renderer,
            Listener listener,
            LongSupplier nanoTime) {
        this.stream = stream;
        this.spec = spec;
        this.renderer = renderer;
        this.listener = listener;
        this.nanoTime = nanoTime;
    }

    /**
     * Applies a new address or time limit. The page reloads unless only the time limit changed. The
     * placement stays.
     */
    public void change(OverlaySpec.Html changed) {
        lock.lock();
        try {
            boolean onlyTimeout = changed.url().equals(spec.url()) && !changed.equals(spec);
            spec = changed;
            Canvas known = canvas;
            if (known != null && !onlyTimeout && !closed) {
                open(known, /* announced= */ true);
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void canvas(Canvas newCanvas) {
        lock.lock();
        try {
            if (closed || newCanvas.equals(canvas)) {
                return;
            }
            boolean first = canvas == null;
            canvas = newCanvas;
            // The shown page was made for another canvas.
            open(newCanvas, first || shown == null);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Optional<BoxFrame> frameAt(long ptsUs) {
        PageBuffer now;
        PageBuffer next;
        lock.lock();
        try {
            now = shown;
            next = loading;
        } finally {
            lock.unlock();
        }
        if (next != null) {
            next.mediaTimeUs(ptsUs);
        }
        if (now == null) {
            return Optional.empty();
        }
        now.mediaTimeUs(ptsUs);
        return now.frame(nanoTime.getAsLong());
    }

    /** Opens a page beside the shown one; closes a page that was still loading. */
    @GuardedBy("lock")
    private void open(Canvas on, boolean announced) {
        PageBuffer before = loading;
        if (before != null) {
            before.close();
        }
        CanvasBox box = spec.placement().pageBox(on.width(), on.height());
        PageBuffer buffer =
                new PageBuffer(
                        this,
                        new BoxConverter(on, box, spec.placement().opacityPercent()),
                        announced);
        loading = buffer;
        buffer.opened(
                renderer.open(
                        new PageRequest(
                                stream.value(),
                                spec.url(),
                                box.width(),
                                box.height(),
                                spec.loadTimeout()),
                        buffer));
    }

    /** A loading page has its first frame and replaces the shown one. */
    void ready(PageBuffer buffer, boolean announced) {
        PageBuffer old;
        lock.lock();
        try {
            if (closed || buffer != loading) {
                return;
            }
            old = shown;
            shown = buffer;
            loading = null;
        } finally {
            lock.unlock();
        }
        if (old != null) {
            old.close();
        }
        if (announced) {
            listener.loaded();
        }
    }

    /** A page has failed; if it was loading, the old page expires too. */
    void failed(PageBuffer buffer, String reason) {
        lock.lock();
        try {
            if (closed || (buffer != loading && buffer != shown)) {
                return;
            }
            PageBuffer old = shown;
            if (buffer == loading && old != null) {
                old.expire(nanoTime.getAsLong());
            }
        } finally {
            lock.unlock();
        }
        listener.failed(reason);
    }

    void recovered(PageBuffer buffer) {
        lock.lock();
        try {
            if (closed || buffer != shown) {
                return;
            }
        } finally {
            lock.unlock();
        }
        listener.recovered();
    }

    long nowNs() {
        return nanoTime.getAsLong();
    }

    /** Closes its pages; afterwards it shows nothing and calls no listener. */
    @Override
    public void close() {
        PageBuffer now;
        PageBuffer next;
        lock.lock();
        try {
            closed = true;
            now = shown;
            next = loading;
            shown = null;
            loading = null;
        } finally {
            lock.unlock();
        }
        if (now != null) {
            now.close();
        }
        if (next != null) {
            next.close();
        }
    }
}
