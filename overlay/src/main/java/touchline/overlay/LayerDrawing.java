package touchline.overlay;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
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
    private static final Logger log = LoggerFactory.getLogger(LayerDrawing.class);

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
    synchronized void layers(List<OverlayLayer> newLayers) {
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
                safely(layer, () -> layer.canvas(canvas));
            }
        }
        // Without what has failed just now.
        told = now.stream().filter(layers::contains).toList();
        toldCanvas = canvas;
    }

    private List<BoxPicture> shown(Canvas canvas, long ptsUs) {
        List<BoxPicture> shown = new ArrayList<>(told.size());
        for (OverlayLayer layer : told) {
            safely(
                    layer,
                    () ->
                            layer.pictureAt(ptsUs)
                                    .filter(box -> box.canvas().equals(canvas) && !box.isEmpty())
                                    .ifPresent(shown::add));
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
            safely(
                    tap,
                    () -> {
                        if (tap.wants(ptsUs)) {
                            tap.offer(picture.view());
                        }
                    });
        }
    }

    /** What fails is asked no more; the picture goes on without it. */
    private void safely(Object who, Runnable call) {
        try {
            call.run();
        } catch (RuntimeException e) {
            log.error("{} failed, and is left out from here on", who, e);
            dropped(who);
        }
    }

    private synchronized void dropped(Object who) {
        layers = layers.stream().filter(each -> !each.equals(who)).toList();
        taps = taps.stream().filter(each -> !each.equals(who)).toList();
        told = told.stream().filter(each -> !each.equals(who)).toList();
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
