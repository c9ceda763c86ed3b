package touchline.overlay.second;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import touchline.overlay.BoxPicture;
import touchline.overlay.Canvas;
import touchline.overlay.OverlayLayer;

/**
 * The second stream's picture over the programme's. The programme never waits for it: what is not
 * there when a picture is composed is shown with a later one. Compositing thread.
 */
final class StreamLayer implements OverlayLayer {
    private final SecondTime time;
    private final PictureQueue pictures;
    private final double opacity;
    private final LongSupplier nanoTime;
    private final Presence presence = new Presence();

    // Read by the second stream's thread, which makes pictures for it.
    private volatile @Nullable Canvas canvas;

    private PictureQueue.@Nullable Timed last;
    private double lastShown;
    private @Nullable BoxPicture lastBlended;

    /**
     * @param opacity 0 to 1
     */
    StreamLayer(SecondTime time, PictureQueue pictures, double opacity, LongSupplier nanoTime) {
        this.time = time;
        this.pictures = pictures;
        this.opacity = opacity;
        this.nanoTime = nanoTime;
    }

    @Override
    public void canvas(Canvas canvas) {
        this.canvas = canvas;
    }

    /** What pictures are to be made for; empty before the first picture of the programme. */
    Optional<Canvas> canvas() {
        return Optional.ofNullable(canvas);
    }

    @Override
    public Optional<BoxPicture> pictureAt(long ptsUs) {
        Canvas on = canvas;
        if (on == null) {
            return Optional.empty();
        }
        time.mainPicture(ptsUs, nanoTime.getAsLong() / 1_000);
        OptionalLong shiftUs = time.shiftUs();
        Optional<PictureQueue.Timed> due =
                shiftUs.isPresent()
                        ? pictures.at(ptsUs + shiftUs.getAsLong(), on)
                        : pictures.current(on);
        if (due.isEmpty()) {
            return Optional.empty();
        }
        if (!due.get().equals(last)) {
            presence.fresh(ptsUs);
        }
        return blended(due.get(), opacity * presence.at(ptsUs));
    }

    private Optional<BoxPicture> blended(PictureQueue.Timed picture, double shown) {
        BoxPicture made = lastBlended;
        if (!picture.equals(last) || shown != lastShown || made == null) {
            made = picture.picture().shown(shown);
            lastBlended = made;
        }
        last = picture;
        lastShown = shown;
        return shown == 0 ? Optional.empty() : Optional.of(made);
    }
}
