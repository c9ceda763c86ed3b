package touchline.media.ffmpeg;

/**
 * What the numbers of a frame mean, in the code points of ISO/IEC 23091-2, 8. Immutable, any
 * thread.
 *
 * @param primaries colour primaries, 8.1
 * @param transfer transfer characteristics, 8.2
 * @param matrix matrix coefficients, 8.3
 * @param fullRange luma from 0 to 255, not from 16 to 235
 */
public record Colour(int primaries, int transfer, int matrix, boolean fullRange) {
    /** Rec. ITU-R BT.709 in video range: what HD cameras send. */
    public static final Colour BT709 = new Colour(1, 1, 1, false);

    /** Rec. ITU-R BT.601 (525 lines) in video range: what small frames are when unsaid. */
    public static final Colour BT601 = new Colour(6, 6, 6, false);

    /** Rec. ITU-R BT.601 (625 lines) in full range: what JPEG files hold (JFIF 1.02). */
    public static final Colour JPEG = new Colour(5, 6, 5, true);

    /** The stream does not say. */
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

    /** The matrix is BT.709; where it is unspecified, the height decides, as players do. */
    boolean isBt709(int height) {
        return matrix == MATRIX_BT709
                || (matrix == UNSPECIFIED_CODE && height >= FIRST_HD_ROW_COUNT);
    }

    /**
     * These colours with what they leave unsaid put in as players take it: BT.601 below 720 rows,
     * BT.709 from there on.
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
