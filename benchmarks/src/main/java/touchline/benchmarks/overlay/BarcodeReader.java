package touchline.benchmarks.overlay;

import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import touchline.benchmarks.load.Samples;
import touchline.media.AccessUnit;
import touchline.media.FrameView;
import touchline.media.ffmpeg.VideoDecoder;
import touchline.media.ffmpeg.VideoFrame;

/**
 * Reads the wall clock that a page draws from the encoded program, and measures the time to the
 * first encoded frame with it.
 */
final class BarcodeReader {
    private static final int BITS = 20;
    private static final int CELL_PIXELS = 32;
    private static final int ROW = 80;
    private static final long MASK = (1L << BITS) - 1;

    /**
     * An access unit and its time of arrival, by the wall clock that the page uses.
     *
     * @param kept whether it counts
     */
    private record Arrival(AccessUnit unit, long wallMs, boolean kept) {}

    private final Queue<Arrival> units = new ConcurrentLinkedQueue<>();
    private final Samples delaysMs = new Samples();

    // Written by the measuring thread, read by the viewer's thread.
    private volatile boolean keeping;

    /** Called on the viewer's thread. */
    void arrived(AccessUnit unit) {
        if (unit.track().isVideo()) {
            units.add(new Arrival(unit, System.currentTimeMillis(), keeping));
        }
    }

    /** Sets whether units from now on count. */
    void keep(boolean kept) {
        keeping = kept;
    }

    /** Decodes all units, after the end of the program. */
    void decode() {
        if (units.isEmpty()) {
            return;
        }
        Map<Long, Arrival> byPtsUs = new HashMap<>();
        units.forEach(each -> byPtsUs.put(each.unit().ptsUs(), each));
        long last = -1;
        try (VideoDecoder decoder =
                VideoDecoder.open(units.element().unit().track(), /* threads= */ 1)) {
            for (Arrival each : units) {
                for (VideoFrame frame : decoder.decode(each.unit())) {
                    try (frame) {
                        last = read(frame, byPtsUs, last);
                    }
                }
            }
        }
    }

    private long read(VideoFrame frame, Map<Long, Arrival> byPtsUs, long last) {
        Arrival arrival = byPtsUs.get(frame.ptsUs());
        long drawn = number(frame.planes());
        if (arrival != null && arrival.kept() && drawn != last) {
            delaysMs.add((double) ((arrival.wallMs() - drawn) & MASK));
        }
        return drawn;
    }

    private static long number(List<FrameView.Plane> planes) {
        FrameView.Plane luma = planes.getFirst();
        long number = 0;
        for (int bit = 0; bit < BITS; bit++) {
            long column = (2L * bit + 1) * CELL_PIXELS / 2;
            long at = (long) ROW * luma.strideBytes() + column;
            int sample = luma.samples().get(ValueLayout.JAVA_BYTE, at) & 0xFF;
            number |= sample > 128 ? 1L << bit : 0;
        }
        return number;
    }

    /** For each visible state of the page, the time from drawing to its first frame. */
    Samples delaysMs() {
        return delaysMs;
    }
}
