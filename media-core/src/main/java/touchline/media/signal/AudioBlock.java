package touchline.media.signal;

/** 100 ms of audio, measured. Immutable. */
final class AudioBlock {
    static final int PER_SECOND = 10;

    private final double[] peaks;
    private final double[] meanSquares;
    private final boolean clipped;
    private final double weighted;

    /**
     * @param peaks largest magnitude of each channel, 1 = full scale; not copied
     * @param meanSquares of each channel; not copied
     * @param clipped whether samples of a channel stay at full scale
     * @param weighted mean square of the K-weighted samples, channels weighted and summed
     */
    AudioBlock(double[] peaks, double[] meanSquares, boolean clipped, double weighted) {
        this.peaks = peaks;
        this.meanSquares = meanSquares;
        this.clipped = clipped;
        this.weighted = weighted;
    }

    /** Stands for audio that does not arrive. */
    static AudioBlock silent(int channels) {
        return new AudioBlock(new double[channels], new double[channels], false, 0);
    }

    int channels() {
        return peaks.length;
    }

    double peak(int channel) {
        return peaks[channel];
    }

    double meanSquare(int channel) {
        return meanSquares[channel];
    }

    boolean clipped() {
        return clipped;
    }

    double weighted() {
        return weighted;
    }

    double loudestMeanSquare() {
        double most = 0;
        for (double each : meanSquares) {
            most = Math.max(most, each);
        }
        return most;
    }
}
