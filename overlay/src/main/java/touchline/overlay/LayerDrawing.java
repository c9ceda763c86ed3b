package touchline.overlay;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import touchline.media.PictureView;
import touchline.media.ffmpeg.Picture;
import touchline.media.hub.PictureTap;
import touchline.overlay.CompositorCounters.Stage;

/**
 * Layers over a picture, in place where nobody else holds it. A picture that the decoder still
 * needs is copied into one that is kept for that; where no layer shows anything nothing is copied.
 * Changed by any thread, drawn by one.
 */
final class LayerDrawing implements ComposeStage.Drawing {
    private final CompositorCounters counters;

    // Replaced as a whole by any thread, read at each picture.
    private volatile List<OverlayLayer> layers = List.of();
    private volatile List<PictureTap> taps = List.of();

    // The drawing thread's.
    private List<OverlayLayer> told = List.of();
    private @Nullable Canvas toldCanvas;
    private @Nullable Picture copy;
    private byte[] scratch = new byte[0];

    LayerDrawing(CompositorCounters counters) {
        this.counters = counters;
    }

    /** From the next picture on; the lowest first. */
    void layers(List<OverlayLayer> newLayers) {
        layers = List.copyOf(newLayers);
    }

    synchronized void addTap(PictureTap tap) {
        List<PictureTap> more = new ArrayList<>(taps);
        more.add(tap);
        taps = List.copyOf(more);
    }

    synchronized void removeTap(PictureTap tap) {
        taps = taps.stream().filter(each -> !each.equals(tap)).toList();
    }

    @Override
    public Picture draw(Canvas canvas, Picture picture) {
        tell(canvas);
        List<BoxPicture> shown = shown(canvas, picture.ptsUs());
        Picture drawn = picture;
        boolean odd =
                picture.format().width() != canvas.width()
                        || picture.format().height() != canvas.height();
        if (odd || (!shown.isEmpty() && !picture.isWritable())) {
            drawn = copied(canvas, picture);
        }
        if (!shown.isEmpty()) {
            long startNs = System.nanoTime();
            List<PictureView.Plane> planes = drawn.planes();
            for (BoxPicture box : shown) {
                box.blendInto(planes, scratch);
            }
            counters.spent(Stage.BLEND, startNs);
            counters.blendedPicture();
        }
        offer(drawn);
        return drawn;
    }

    private void tell(Canvas canvas) {
        List<OverlayLayer> now = layers;
        boolean changed = !canvas.equals(toldCanvas);
        if (changed) {
            scratch = new byte[canvas.width()];
            closeCopy();
        }
        for (OverlayLayer layer : now) {
            if (changed || !told.contains(layer)) {
                layer.canvas(canvas);
            }
        }
        told = now;
        toldCanvas = canvas;
    }

    private List<BoxPicture> shown(Canvas canvas, long ptsUs) {
        List<BoxPicture> shown = new ArrayList<>(told.size());
        for (OverlayLayer layer : told) {
            BoxPicture box = layer.pictureAt(ptsUs).orElse(null);
            if (box != null && box.canvas().equals(canvas) && !box.isEmpty()) {
                shown.add(box);
            }
        }
        return shown;
    }

    private Picture copied(Canvas canvas, Picture picture) {
        long startNs = System.nanoTime();
        Picture target = copy;
        if (target == null) {
            target = Picture.allocate(canvas.format());
            copy = target;
        }
        target.fillFrom(picture);
        counters.spent(Stage.COPY, startNs);
        return target;
    }

    private void offer(Picture picture) {
        long ptsUs = picture.ptsUs();
        for (PictureTap tap : taps) {
            if (tap.wants(ptsUs)) {
                tap.offer(picture.view());
            }
        }
    }

    private void closeCopy() {
        Picture old = copy;
        copy = null;
        if (old != null) {
            old.close();
        }
    }

    @Override
    public void close() {
        closeCopy();
    }
}
