package touchline.overlay.stream;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import touchline.overlay.BoxFrame;
import touchline.overlay.Canvas;
import touchline.overlay.OverlayLayer;

/**
 * Draws the overlay stream's video over the program. The program never waits: a late overlay frame
 * is shown with a later frame. Compositing thread.
 */
final class StreamLayer implements OverlayLayer {
    private final OverlayStreamTime time;
    private final OverlayFrameQueue frames;
    private final double opacity;
    private final LongSupplier nanoTime;
    private final Presence presence = new Presence();

    // Read by the overlay stream's thread, which scales frames for it.
    private volatile @Nullable Canvas canvas;

    private OverlayFrameQueue.@Nullable Timed last;
    private double lastShown;
    private @Nullable BoxFrame lastBlended;

    /**
     * @param opacity 0 to 1
     */
    StreamLayer(
            OverlayStreamTime time,
            OverlayFrameQueue frames,
            double opacity,
            LongSupplier nanoTime) {
        this.time = time;
        this.frames = frames;
        this.opacity = opacity;
        this.nanoTime = nanoTime;
    }

    @Override
    public void canvas(Canvas canvas) {
        this.canvas = canvas;
    }

    /** The canvas for overlay frames; empty before the first main frame. */
    Optional<Canvas> canvas() {
        return Optional.ofNullable(canvas);
    }

    @Override
    public Optional<BoxFrame> frameAt(long ptsUs) {
        Canvas on = canvas;
        if (on == null) {
            return Optional.empty();
        }
        time.mainFrame(ptsUs, nanoTime.getAsLong() / 1_000);
        OptionalLong shiftUs = time.shiftUs();
        Optional<OverlayFrameQueue.Timed> due =
                shiftUs.isPresent()
                        ? frames.at(ptsUs + shiftUs.getAsLong(), on)
                        : frames.current(on);
        if (due.isEmpty()) {
            return Optional.empty();
        }
        if (!due.get().equals(last)) {
            presence.newFrame(ptsUs);
        }
        return blended(due.get(), opacity * presence.at(ptsUs));
    }

    private Optional<BoxFrame> blended(OverlayFrameQueue.Timed frame, double shown) {
        BoxFrame made = lastBlended;
        if (!frame.equals(last) || shown != lastShown || made == null) {
            made = frame.frame().shown(shown);
            lastBlended = made;
        }
        last = frame;
        lastShown = shown;
        return shown == 0 ? Optional.empty() : Optional.of(made);
    }
}
