package touchline.overlay;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import touchline.media.FrameView;

/** A flat background frame, on the heap. */
final class Ground {
    private final Canvas canvas;
    private final List<FrameView.Plane> planes = new ArrayList<>();

    /**
     * @param samples of Y, U and V
     */
    Ground(Canvas canvas, int[] samples) {
        this.canvas = canvas;
        for (int plane = 0; plane < 3; plane++) {
            int shift = plane == 0 ? 0 : 1;
            int stride = (canvas.width() >> shift) + 7;
            byte[] bytes = new byte[stride * (canvas.height() >> shift)];
            Arrays.fill(bytes, (byte) samples[plane]);
            planes.add(new FrameView.Plane(MemorySegment.ofArray(bytes), stride));
        }
    }

    void blend(BoxFrame frame) {
        frame.blendInto(planes, new byte[canvas.width()]);
    }

    /** Samples of each plane at luma coordinates. */
    int sample(int plane, int x, int y) {
        int shift = plane == 0 ? 0 : 1;
        FrameView.Plane of = planes.get(plane);
        long at = (long) (y >> shift) * of.strideBytes() + (x >> shift);
        return of.samples().get(ValueLayout.JAVA_BYTE, at) & 0xFF;
    }
}
