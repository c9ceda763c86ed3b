package touchline.overlay;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A box of one colour, for any canvas. */
final class FlatLayer implements OverlayLayer {
    final AtomicInteger canvases = new AtomicInteger();

    private final Placement placement;
    private final int[] rgba;
    private volatile @Nullable BoxFrame frame;

    /**
     * @param rgba straight alpha
     */
    FlatLayer(Placement placement, int... rgba) {
        this.placement = placement;
        this.rgba = rgba;
    }

    @Override
    public void canvas(Canvas canvas) {
        canvases.incrementAndGet();
        CanvasBox box = placement.pageBox(canvas.width(), canvas.height());
        int alpha = rgba[3];
        Rgba pixels =
                Rgba.filled(
                        box,
                        rgba[0] * alpha / 255,
                        rgba[1] * alpha / 255,
                        rgba[2] * alpha / 255,
                        alpha);
        frame =
                new BoxConverter(canvas, box, placement.opacityPercent())
                        .convert(pixels.pixels(), 0, box.height());
    }

    @Override
    public Optional<BoxFrame> frameAt(long ptsUs) {
        return Optional.ofNullable(frame);
    }
}
