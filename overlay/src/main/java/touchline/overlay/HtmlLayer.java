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
 * A web page over the frame. The page is opened when the canvas is known, at its box's size. A new
 * address is loaded beside the old page, which is shown until the new one has its first frame. A
 * page that fails is shown as it was last until five seconds after its last sign of life, then
 * goes; the compositor never waits for any of it. Any thread.
 */
public final class HtmlLayer implements OverlayLayer, AutoCloseable {
    /** So long the last good frame stays. */
    static final long GOOD_FOR_NS = 5_000_000_000L;

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
    private @Nullable PageBuffer coming;

    @GuardedBy("lock")
    private boolean closed;

    /** Told what becomes of the page, on the page's thread; must not block for long. */
    public interface Listener {
        /** The page, or the page of a new address, is shown for the first time. */
        void loaded();

        /**
         * @param reason a sentence for the operator
         */
        void failed(String reason);

        /** It is shown again. */
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
     * Another address or time limit, or the same once more: then the page is loaded anew. Its place
     * stays.
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
            // What there is was made for another frame.
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
            next = coming;
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

    /** Opens a page beside the one that is shown; one that was still coming is given up. */
    @GuardedBy("lock")
    private void open(Canvas on, boolean announced) {
        PageBuffer before = coming;
        if (before != null) {
            before.close();
        }
        CanvasBox box = spec.placement().pageBox(on.width(), on.height());
        PageBuffer slot =
                new PageBuffer(
                        this,
                        new BoxConverter(on, box, spec.placement().opacityPercent()),
                        announced);
        coming = slot;
        slot.opened(
                renderer.open(
                        new PageRequest(
                                stream.value(),
                                spec.url(),
                                box.width(),
                                box.height(),
                                spec.loadTimeout()),
                        slot));
    }

    /** A coming page has its first frame: the one before goes. */
    void ready(PageBuffer slot, boolean announced) {
        PageBuffer old;
        lock.lock();
        try {
            if (closed || slot != coming) {
                return;
            }
            old = shown;
            shown = slot;
            coming = null;
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

    /** A page does not show what it should; where it was coming, the old one is not asked for. */
    void failed(PageBuffer slot, String reason) {
        lock.lock();
        try {
            if (closed || (slot != coming && slot != shown)) {
                return;
            }
            PageBuffer old = shown;
            if (slot == coming && old != null) {
                old.expire(nanoTime.getAsLong());
            }
        } finally {
            lock.unlock();
        }
        listener.failed(reason);
    }

    void recovered(PageBuffer slot) {
        lock.lock();
        try {
            if (closed || slot != shown) {
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

    /** Ends its pages; nothing is shown, and nobody told, from here on. */
    @Override
    public void close() {
        PageBuffer now;
        PageBuffer next;
        lock.lock();
        try {
            closed = true;
            now = shown;
            next = coming;
            shown = null;
            coming = null;
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
