package touchline.media.ffmpeg;

/**
 * Colour description of a frame, in the code points of ISO/IEC 23091-2, 8. Immutable, any thread.
 *
 * @param primaries colour primaries, 8.1
 * @param transfer transfer characteristics, 8.2
 * @param matrix matrix coefficients, 8.3
 * @param fullRange luma from 0 to 255, not from 16 to 235
 */
public record Colour(int primaries, int transfer, int matrix, boolean fullRange) {
    /** Rec. ITU-R BT.709 in video range, as sent by HD cameras. */
    public static final Colour BT709 = new Colour(1, 1, 1, false);

    /** Rec. ITU-R BT.601 (525 lines) in video range: the default of small frames. */
    public static final Colour BT601 = new Colour(6, 6, 6, false);

    /** Rec. ITU-R BT.601 (625 lines) in full range, as in JPEG files (JFIF 1.02). */
    public static final Colour JPEG = new Colour(5, 6, 5, true);

    /** The stream does not specify the colours. */
    public static final Colour UNSPECIFIED = new Colour(2, 2, 2, false);

    private static final int MATRIX_BT709 = 1;
    private static final int UNSPECIFIED_CODE = 2;
    private static final int MAX_CODE_POINT = 255;
    private static final int FIRST_HD_ROW_COUNT = 720;

    public Colour {
        check("primaries", primaries);
        check("transfer", transfer);
        check("matrix", matrix);
    }

    /** Whether the matrix is BT.709. If it is unspecified, the height decides, as in players. */
    boolean isBt709(int height) {
        return matrix == MATRIX_BT709
                || (matrix == UNSPECIFIED_CODE && height >= FIRST_HD_ROW_COUNT);
    }

    /**
     * Returns these colours with the defaults of players for unspecified values: BT.601 below 720
     * rows, BT.709 from 720 rows.
     */
    public Colour orUsual(int height) {
        Colour usual = height >= FIRST_HD_ROW_COUNT ? BT709 : BT601;
        return new Colour(
                primaries == UNSPECIFIED_CODE ? usual.primaries : primaries,
                transfer == UNSPECIFIED_CODE ? usual.transfer : transfer,
                matrix == UNSPECIFIED_CODE ? usual.matrix : matrix,
                fullRange);
    }

    private static void check(String field, int value) {
        if (value < 0 || value > MAX_CODE_POINT) {
            throw new IllegalArgumentException(field + ": " + value + " (0..255)");
        }
    }
}
