package touchline.media.signal;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import touchline.media.FrameView;

/**
 * Mean luma of the cells of a frame: at most 160 x 90, each at least 8 x 8 samples, so that the
 * noise of cameras and encoders is averaged out and movement is not. Immutable.
 */
final class LumaCells {
    private static final int MAX_COLUMNS = 160;
    private static final int MAX_ROWS = 90;
    private static final int LEAST_SIDE = 8;

    /** A frame is black if so many of its cells are: as in ffmpeg's blackdetect by default. */
    private static final double BLACK_SHARE = 0.98;

    /** A tenth of the range above black, as there. */
    private static final double BLACK_LIMITED = 16 + 21.9;

    private static final double BLACK_FULL = 25.5;

    // Measured between key frames of a frame that stands still, H.264 at 0.6 to 6 Mbit/s, 720p: the
    // mean difference is up to 1.1, and no cell differs by 10 once the encoder has settled.
    private static final double STILL_MEAN = 1.2;
    private static final double DIFFERENT = 6;
    private static final double DIFFERENT_SHARE = 0.003;
    private static final double VERY_DIFFERENT = 10;
    private static final int VERY_DIFFERENT_CELLS = 2;

    private final int width;
    private final int height;
    private final boolean fullRange;
    private final float[] means;

    private LumaCells(int width, int height, boolean fullRange, float[] means) {
        this.width = width;
        this.height = height;
        this.fullRange = fullRange;
        this.means = means;
    }

    /**
     * Measures a frame.
     *
     * @param fullRange whether 0 is black, not 16
     */
    static LumaCells of(FrameView frame, boolean fullRange) {
        int width = frame.width();
        int height = frame.height();
        int columns = Math.clamp(width / LEAST_SIDE, 1, MAX_COLUMNS);
        int rows = Math.clamp(height / LEAST_SIDE, 1, MAX_ROWS);
        FrameView.Plane luma = frame.planes().getFirst();
        byte[] line = new byte[width];
        int[] sums = new int[columns];
        float[] means = new float[columns * rows];
        for (int row = 0; row < rows; row++) {
            int top = row * height / rows;
            int bottom = (row + 1) * height / rows;
            Arrays.fill(sums, 0);
            for (int y = top; y < bottom; y++) {
                copy(luma, y, line);
                add(line, sums);
            }
            for (int column = 0; column < columns; column++) {
                int samples = edge(column + 1, width, columns) - edge(column, width, columns);
                means[row * columns + column] = (float) sums[column] / (samples * (bottom - top));
            }
        }
        return new LumaCells(width, height, fullRange, means);
    }

    private static void copy(FrameView.Plane luma, int y, byte[] line) {
        MemorySegment.copy(
                luma.samples(),
                ValueLayout.JAVA_BYTE,
                (long) y * luma.strideBytes(),
                line,
                0,
                line.length);
    }

    private static int edge(int column, int width, int columns) {
        return column * width / columns;
    }

    private static void add(byte[] line, int[] sums) {
        int x = 0;
        for (int column = 0; column < sums.length; column++) {
            int end = edge(column + 1, line.length, sums.length);
            int sum = 0;
            for (; x < end; x++) {
                sum += line[x] & 0xff;
            }
            sums[column] += sum;
        }
    }

    boolean isBlack() {
        double limit = fullRange ? BLACK_FULL : BLACK_LIMITED;
        int dark = 0;
        for (float mean : means) {
            dark += mean <= limit ? 1 : 0;
        }
        return dark >= BLACK_SHARE * means.length;
    }

    /**
     * Whether both show the same, but for what an encoder changes from one key frame to another.
     */
    boolean isLike(LumaCells other) {
        if (other.width != width || other.height != height) {
            return false;
        }
        double sum = 0;
        int different = 0;
        int veryDifferent = 0;
        for (int i = 0; i < means.length; i++) {
            float difference = Math.abs(means[i] - other.means[i]);
            sum += difference;
            different += difference > DIFFERENT ? 1 : 0;
            veryDifferent += difference > VERY_DIFFERENT ? 1 : 0;
        }
        return sum <= STILL_MEAN * means.length
                && different <= DIFFERENT_SHARE * means.length
                && veryDifferent <= VERY_DIFFERENT_CELLS;
    }
}
