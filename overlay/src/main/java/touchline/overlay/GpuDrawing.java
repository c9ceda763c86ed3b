package touchline.overlay;

import java.util.List;
import org.jspecify.annotations.Nullable;
import touchline.media.ffmpeg.FfmpegException;
import touchline.media.ffmpeg.FrameResizer;
import touchline.media.ffmpeg.GpuRows;
import touchline.media.ffmpeg.VideoFrame;
import touchline.overlay.CompositorCounters.Stage;

/**
 * Draws boxes over frames in the memory of a GPU. Only the rows of the boxes come to main memory
 * and go back; the processor blends them, so that the samples are the same as without a GPU. An odd
 * last column or row is scaled away. One owner thread.
 */
final class GpuDrawing implements AutoCloseable {
    private final CompositorCounters counters;

    private @Nullable GpuRows rows;
    private @Nullable FrameResizer copies;
    private @Nullable VideoFrame drawn;

    GpuDrawing(CompositorCounters counters) {
        this.counters = counters;
    }

    /**
     * @param frame in the GPU's memory; borrowed
     * @param scratch at least as long as a row; its content is lost
     * @return a copy of the canvas' size as YUV 4:2:0 with 8 bits per sample, owned by this object,
     *     valid until the next call
     * @throws FfmpegException the GPU fails
     */
    VideoFrame draw(Canvas canvas, VideoFrame frame, List<BoxFrame> boxes, byte[] scratch) {
        long startNs = System.nanoTime();
        VideoFrame copy = copy(canvas, frame);
        long copiedNs = counters.spent(Stage.COPY, startNs);
        if (!boxes.isEmpty()) {
            blend(copy, boxes, scratch);
            counters.spent(Stage.BLEND, copiedNs);
            counters.blendedFrame();
        }
        return copy;
    }

    private void blend(VideoFrame copy, List<BoxFrame> boxes, byte[] scratch) {
        GpuRows open = rows;
        if (open == null) {
            open = new GpuRows();
            rows = open;
        }
        int first = boxes.stream().mapToInt(BoxFrame::firstPair).min().orElseThrow();
        int end = boxes.stream().mapToInt(BoxFrame::endPair).max().orElseThrow();
        VideoFrame band = open.read(copy, 2 * first, 2 * (end - first));
        for (BoxFrame box : boxes) {
            box.blendInto(band.planes(), first, scratch);
        }
        open.write(band, copy, 2 * first);
    }

    /** The decoder's frame has another format, and the decoder may still need it. */
    private VideoFrame copy(Canvas canvas, VideoFrame frame) {
        closeDrawn();
        FrameResizer open = copies;
        if (open == null || !open.fits(frame, canvas.format())) {
            if (open != null) {
                copies = null;
                open.close();
            }
            open = FrameResizer.open(frame, canvas.format());
            copies = open;
        }
        VideoFrame copy = open.resize(frame);
        drawn = copy;
        return copy;
    }

    private void closeDrawn() {
        VideoFrame open = drawn;
        drawn = null;
        if (open != null) {
            open.close();
        }
    }

    @Override
    public void close() {
        closeDrawn();
        FrameResizer open = copies;
        copies = null;
        if (open != null) {
            open.close();
        }
        GpuRows used = rows;
        rows = null;
        if (used != null) {
            used.close();
        }
    }
}
