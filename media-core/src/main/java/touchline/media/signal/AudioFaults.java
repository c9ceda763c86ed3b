package touchline.media.signal;

/**
 * Finds silence, a missing side and clipping in blocks of 100 ms. One thread.
 *
 * <p>Audio is silent while the mean square of each channel is below -60 dBFS. It is one-sided while
 * left and right differ by 30 dB or more and the louder one is above -50 dBFS; blocks below that
 * say nothing. It clips where samples of a channel stay at full scale in 0.8 s of the last 8 s.
 */
final class AudioFaults {
    /** 8 s. */
    private static final int LONG_BLOCKS = 8 * AudioBlock.PER_SECOND;

    private static final double SILENT = 1e-6;
    private static final double AUDIBLE = 1e-5;
    private static final double ONE_SIDED_RATIO = 1e-3;

    /** Of the last {@link #LONG_BLOCKS}. */
    private static final int CLIPPED_BLOCKS = 8;

    /** Clipping is over after this many blocks without it: 1.5 s. */
    private static final int CLEAN_BLOCKS = 15;

    private final ActiveFaults faults;

    private int silentBlocks;
    private int oneSidedBlocks;

    /** Blocks since the last one that said something about the sides. */
    private int unclearBlocks;

    private boolean leftIsLouder;

    private final boolean[] clipped = new boolean[LONG_BLOCKS];
    private int at;
    private int clippedBlocks;
    private int cleanBlocks;

    AudioFaults(ActiveFaults faults) {
        this.faults = faults;
    }

    void add(AudioBlock block) {
        double loudest = block.loudestMeanSquare();
        silentBlocks = loudest < SILENT ? silentBlocks + 1 : 0;
        faults.set(SignalFault.AUDIO_SILENT, silentBlocks >= LONG_BLOCKS);
        compareSides(block);
        faults.set(SignalFault.AUDIO_ONE_SIDED, oneSidedBlocks >= LONG_BLOCKS);
        countClipped(block.clipped());
    }

    /** Returns how long the audio has been silent, in seconds. */
    double silentS() {
        return (double) silentBlocks / AudioBlock.PER_SECOND;
    }

    private void compareSides(AudioBlock block) {
        if (block.channels() < 2) {
            oneSidedBlocks = 0;
            return;
        }
        double left = block.meanSquare(0);
        double right = block.meanSquare(1);
        double louder = Math.max(left, right);
        if (louder < AUDIBLE) {
            unclearBlocks++;
            if (unclearBlocks >= LONG_BLOCKS) {
                oneSidedBlocks = 0;
            }
            return;
        }
        unclearBlocks = 0;
        boolean oneSided = Math.min(left, right) < ONE_SIDED_RATIO * louder;
        boolean sameSide = leftIsLouder == left > right;
        leftIsLouder = left > right;
        oneSidedBlocks = oneSided ? (sameSide ? oneSidedBlocks : 0) + 1 : 0;
    }

    private void countClipped(boolean now) {
        clippedBlocks += (now ? 1 : 0) - (clipped[at] ? 1 : 0);
        clipped[at] = now;
        at = (at + 1) % LONG_BLOCKS;
        cleanBlocks = now ? 0 : cleanBlocks + 1;
        if (clippedBlocks >= CLIPPED_BLOCKS && cleanBlocks == 0) {
            faults.set(SignalFault.AUDIO_CLIPPING, true);
        } else if (cleanBlocks >= CLEAN_BLOCKS) {
            faults.set(SignalFault.AUDIO_CLIPPING, false);
        }
    }
}
