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
 * Reads the moment that a page has drawn into its frames, out of the encoded program, and takes the
 * time from then to the first encoded frame that shows it.
 */
final class BarcodeReader {
    private static final int BITS = 20;
    private static final int CELL_PIXELS = 32;
    private static final int ROW = 80;
    private static final long MASK = (1L << BITS) - 1;

    /** A unit and when it came out, by the wall clock that the page reads too. */
    private record Came(AccessUnit unit, long wallMs, boolean kept) {}

    private final Queue<Came> units = new ConcurrentLinkedQueue<>();
    private final Samples delaysMs = new Samples();

    // Written by whoever measures, read by the viewer.
    private volatile boolean keeping;

    /** On the viewer's thread. */
    void came(AccessUnit unit) {
        if (unit.track().isVideo()) {
            units.add(new Came(unit, System.currentTimeMillis(), keeping));
        }
    }

    /** Whether what comes from now on counts. */
    void keep(boolean kept) {
        keeping = kept;
    }

    /** Decodes all that came, after the end. */
    void decode() {
        if (units.isEmpty()) {
            return;
        }
        Map<Long, Came> byPtsUs = new HashMap<>();
        units.forEach(each -> byPtsUs.put(each.unit().ptsUs(), each));
        long last = -1;
        try (VideoDecoder decoder =
                VideoDecoder.open(units.element().unit().track(), /* threads= */ 1)) {
            for (Came each : units) {
                for (VideoFrame frame : decoder.decode(each.unit())) {
                    try (frame) {
                        last = read(frame, byPtsUs, last);
                    }
                }
            }
        }
    }

    private long read(VideoFrame frame, Map<Long, Came> byPtsUs, long last) {
        Came came = byPtsUs.get(frame.ptsUs());
        long drawn = number(frame.planes());
        if (came != null && came.kept() && drawn != last) {
            delaysMs.add((double) ((came.wallMs() - drawn) & MASK));
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

    /** Of each state that was seen, from its drawing to its first frame. */
    Samples delaysMs() {
        return delaysMs;
    }
}
