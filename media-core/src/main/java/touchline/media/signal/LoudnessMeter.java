package touchline.media.signal;

/**
 * Short-term loudness: the last 3 s without a gate (EBU Tech 3341, 2.2), or what there is of them.
 * One thread.
 */
final class LoudnessMeter {
    private static final int BLOCKS = 30;

    /** ITU-R BS.1770-5, annex 1: loudness of 1 kHz at full scale in one channel is -3.01 LKFS. */
    private static final double OFFSET_DB = -0.691;

    private static final double SURROUND = 1.41;

    private final double[] meanSquares = new double[BLOCKS];
    private int added;

    /**
     * Weight of a channel (BS.1770-5, tables 3 and 4): 1.41 at the sides, none for low frequency
     * effects.
     *
     * @param channels in FFmpeg's default order for this number
     */
    static double weight(int channel, int channels) {
        boolean effects = channels >= 6 && channel == 3;
        boolean side =
                switch (channels) {
                    case 5 -> channel >= 3;
                    case 6 -> channel >= 4;
                    case 7 -> channel >= 5;
                    case 8 -> channel >= 6;
                    default -> false;
                };
        return effects ? 0 : side ? SURROUND : 1;
    }

    /**
     * Adds 100 ms.
     *
     * @param meanSquare of the K-weighted samples, channels weighted and summed
     */
    void add(double meanSquare) {
        meanSquares[added % BLOCKS] = meanSquare;
        added = added + 1 < 2 * BLOCKS ? added + 1 : BLOCKS;
    }

    /** Returns LUFS. */
    double shortTerm() {
        int blocks = Math.min(added, BLOCKS);
        double sum = 0;
        for (int i = 0; i < blocks; i++) {
            sum += meanSquares[i];
        }
        return blocks == 0 || sum <= 0
                ? SignalSample.FLOOR_DB
                : Math.max(SignalSample.FLOOR_DB, OFFSET_DB + SignalSample.db(sum / blocks));
    }
}
