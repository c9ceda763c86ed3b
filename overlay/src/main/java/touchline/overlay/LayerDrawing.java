package touchline.overlay;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.FrameView;
import touchline.media.ffmpeg.VideoFrame;
import touchline.media.hub.FrameTap;
import touchline.overlay.CompositorCounters.Stage;

/**
 * Layers over a frame, in place where nobody else holds it. A frame that the decoder still needs is
 * copied into one that is kept for that; where no layer shows anything nothing is copied. Changed
 * by any thread, drawn by one.
 */
final class LayerDrawing implements ComposeStage.Drawing {
    private static final Logger log = LoggerFactory.getLogger(LayerDrawing.class);

    private static final long TAP_LOG_INTERVAL_NS = TimeUnit.MINUTES.toNanos(1);

    private final CompositorCounters counters;

    // Replaced as a whole by any thread, read at each frame.
    private volatile List<OverlayLayer> layers = List.of();
    private volatile List<FrameTap> taps = List.of();

    // The drawing thread's.
    private List<OverlayLayer> told = List.of();
    private @Nullable Canvas toldCanvas;
    private @Nullable VideoFrame copy;
    private byte[] scratch = new byte[0];
    private long tapFailureLoggedNs;

    LayerDrawing(CompositorCounters counters) {
        this.counters = counters;
    }

    /** From the next frame on; the lowest first. */
    synchronized void layers(List<OverlayLayer> newLayers) {
        layers = List.copyOf(newLayers);
    }

    synchronized void addTap(FrameTap tap) {
        List<FrameTap> more = new ArrayList<>(taps);
        more.add(tap);
        taps = List.copyOf(more);
    }

    synchronized void removeTap(FrameTap tap) {
        taps = taps.stream().filter(each -> !each.equals(tap)).toList();
    }

    @Override
    public VideoFrame draw(Canvas canvas, VideoFrame frame) {
        tell(canvas);
        List<BoxFrame> shown = shown(canvas, frame.ptsUs());
        VideoFrame drawn = frame;
        boolean odd =
                frame.format().width() != canvas.width()
                        || frame.format().height() != canvas.height();
        if (odd || (!shown.isEmpty() && !frame.isWritable())) {
            drawn = copied(canvas, frame);
        }
        if (!shown.isEmpty()) {
            long startNs = System.nanoTime();
            List<FrameView.Plane> planes = drawn.planes();
            for (BoxFrame box : shown) {
                box.blendInto(planes, scratch);
            }
            counters.spent(Stage.BLEND, startNs);
            counters.blendedFrame();
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

    private List<BoxFrame> shown(Canvas canvas, long ptsUs) {
        List<BoxFrame> shown = new ArrayList<>(told.size());
        for (OverlayLayer layer : told) {
            safely(
                    layer,
                    () ->
                            layer.frameAt(ptsUs)
                                    .filter(box -> box.canvas().equals(canvas) && !box.isEmpty())
                                    .ifPresent(shown::add));
        }
        return shown;
    }

    private VideoFrame copied(Canvas canvas, VideoFrame frame) {
        long startNs = System.nanoTime();
        VideoFrame target = copy;
        if (target == null) {
            target = VideoFrame.allocate(canvas.format());
            copy = target;
        }
        target.fillFrom(frame);
        counters.spent(Stage.COPY, startNs);
        return target;
    }

    private void offer(VideoFrame frame) {
        long ptsUs = frame.ptsUs();
        for (FrameTap tap : taps) {
            try {
                if (tap.wants(ptsUs)) {
                    tap.offer(frame.view());
                }
            } catch (RuntimeException | Error e) {
                // The tap is kept: without it, moderation would end.
                tapFailed(tap, e);
            }
        }
    }

    /** Logs the first failure, then at most one a minute: a tap may fail at every frame. */
    private void tapFailed(FrameTap tap, Throwable error) {
        long nowNs = System.nanoTime();
        if (tapFailureLoggedNs == 0 || nowNs - tapFailureLoggedNs >= TAP_LOG_INTERVAL_NS) {
            tapFailureLoggedNs = nowNs;
            log.error("{} failed, and gets the next frame again", tap, error);
        }
    }

    /** What fails is asked no more; the frame goes on without it. */
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
        told = told.stream().filter(each -> !each.equals(who)).toList();
    }

    private void closeCopy() {
        VideoFrame old = copy;
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
