package touchline.overlay;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.FrameView;
import touchline.media.ffmpeg.FfmpegException;
import touchline.media.ffmpeg.Gpu;
import touchline.media.ffmpeg.VideoFrame;
import touchline.media.ffmpeg.VideoFrameTap;
import touchline.media.hub.FrameTap;
import touchline.overlay.CompositorCounters.Stage;

/**
 * Draws layers over frames. A frame that the decoder still needs is copied into a reused frame
 * first; without visible layers nothing is copied. Frames of a GPU are copied there. Any thread
 * sets layers and taps, one thread draws.
 */
final class LayerDrawing implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(LayerDrawing.class);

    private static final long TAP_LOG_INTERVAL_NS = TimeUnit.MINUTES.toNanos(1);

    private static final int MAX_COPIES = 16;

    private final CompositorCounters counters;

    // Immutable lists: any thread replaces them, each frame reads them.
    private volatile List<OverlayLayer> layers = List.of();
    private volatile List<FrameTap> taps = List.of();

    // Any thread replaces it.
    private volatile VideoFrameTap sharing = VideoFrameTap.NONE;

    // Used by the drawing thread only.
    private List<OverlayLayer> knownLayers = List.of();
    private @Nullable Canvas knownCanvas;

    /** Frames to draw on: more than one while a tap still reads the last ones. */
    private final ArrayDeque<VideoFrame> copies = new ArrayDeque<>();

    private final GpuDrawing gpu;
    private byte[] scratch = new byte[0];
    private long tapFailureLoggedNs;

    LayerDrawing(CompositorCounters counters) {
        this.counters = counters;
        this.gpu = new GpuDrawing(counters);
    }

    /** Sets the layers from the next frame on; the lowest first. */
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

    /** Shares drawn frames with a tap; {@link VideoFrameTap#NONE} ends it. */
    void share(VideoFrameTap tap) {
        sharing = tap;
    }

    /**
     * Draws the layers over a frame.
     *
     * @param frame owned by the caller; returned itself if nothing had to be copied
     * @return in the same memory as the frame, valid until the next call
     * @throws FfmpegException a GPU that has the frame fails
     */
    VideoFrame draw(Canvas canvas, VideoFrame frame) {
        announceCanvas(canvas);
        List<BoxFrame> shown = shown(canvas, frame.ptsUs());
        VideoFrame drawn =
                frame.isOnGpu()
                        ? gpu.draw(canvas, frame, shown, scratch)
                        : drawInMainMemory(canvas, frame, shown);
        offer(drawn);
        return drawn;
    }

    private VideoFrame drawInMainMemory(Canvas canvas, VideoFrame frame, List<BoxFrame> shown) {
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
        return drawn;
    }

    private void announceCanvas(Canvas canvas) {
        List<OverlayLayer> now = layers;
        boolean changed = !canvas.equals(knownCanvas);
        if (changed) {
            scratch = new byte[canvas.width()];
            closeCopies();
        }
        for (OverlayLayer layer : now) {
            if (changed || !knownLayers.contains(layer)) {
                guarded(layer, () -> layer.canvas(canvas));
            }
        }
        // Without a layer that has just failed.
        knownLayers = now.stream().filter(layers::contains).toList();
        knownCanvas = canvas;
    }

    private List<BoxFrame> shown(Canvas canvas, long ptsUs) {
        List<BoxFrame> shown = new ArrayList<>(knownLayers.size());
        for (OverlayLayer layer : knownLayers) {
            guarded(
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
        VideoFrame target = unshared(canvas);
        target.fillFrom(frame);
        counters.spent(Stage.COPY, startNs);
        return target;
    }

    /** A frame that no tap reads any more. */
    private VideoFrame unshared(Canvas canvas) {
        VideoFrame oldest = copies.peekFirst();
        VideoFrame free =
                oldest != null && oldest.isWritable()
                        ? copies.removeFirst()
                        : VideoFrame.allocate(canvas.format());
        if (copies.size() == MAX_COPIES) {
            // The tap has its own reference.
            copies.removeFirst().close();
        }
        copies.addLast(free);
        return free;
    }

    private void offer(VideoFrame frame) {
        offerShared(frame);
        long ptsUs = frame.ptsUs();
        for (FrameTap tap : taps) {
            try {
                if (tap.isDue(ptsUs)) {
                    offer(tap, frame);
                }
            } catch (RuntimeException | Error e) {
                // The tap is kept: without it, moderation would end.
                tapFailed(tap, e);
            }
        }
    }

    private static void offer(FrameTap tap, VideoFrame frame) {
        if (frame.isOnGpu()) {
            try (VideoFrame copy = Gpu.download(frame)) {
                tap.offer(copy.view());
            }
        } else {
            tap.offer(frame.view());
        }
    }

    private void offerShared(VideoFrame frame) {
        VideoFrameTap tap = sharing;
        try {
            if (tap.isDue(frame.ptsTicks())) {
                tap.offer(frame.share());
            }
        } catch (RuntimeException | Error e) {
            tapFailed(tap, e);
        }
    }

    /** Logs the first failure, then at most one a minute: a tap may fail at every frame. */
    private void tapFailed(Object tap, Throwable error) {
        long nowNs = System.nanoTime();
        if (tapFailureLoggedNs == 0 || nowNs - tapFailureLoggedNs >= TAP_LOG_INTERVAL_NS) {
            tapFailureLoggedNs = nowNs;
            log.error("{} failed, and gets the next frame again", tap, error);
        }
    }

    /** Removes a layer that throws; the frame goes on without it. */
    private void guarded(Object callee, Runnable call) {
        try {
            call.run();
        } catch (RuntimeException e) {
            log.error("{} failed and is removed", callee, e);
            remove(callee);
        }
    }

    private synchronized void remove(Object callee) {
        layers = layers.stream().filter(each -> !each.equals(callee)).toList();
        knownLayers = knownLayers.stream().filter(each -> !each.equals(callee)).toList();
    }

    private void closeCopies() {
        copies.forEach(VideoFrame::close);
        copies.clear();
    }

    @Override
    public void close() {
        closeCopies();
        gpu.close();
    }
}
