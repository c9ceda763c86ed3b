package touchline.media;

import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * A decoded frame, valid only during the call that passes it: YUV 4:2:0 planes, 8 bits per sample.
 * Code that keeps the frame must copy it.
 *
 * @param width luma samples in a row
 * @param height luma rows
 * @param ptsUs presentation time in media microseconds
 * @param planes Y, U, V in this order
 */
public record FrameView(int width, int height, long ptsUs, List<Plane> planes) {
    public FrameView {
        planes = List.copyOf(planes);
    }

    /**
     * @param samples rows from top to bottom, valid during the call only
     * @param strideBytes from the start of a row to the start of the next
     */
    public record Plane(MemorySegment samples, int strideBytes) {}
}
