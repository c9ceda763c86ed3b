package touchline.media.alignment;

/**
 * Fast Fourier transform of a power of two of complex numbers, in place (Cooley and Tukey,
 * decimation in time). Immutable; any thread, as long as the arrays are the caller's own.
 */
final class Fft {
    private final int size;
    private final double[] cos;
    private final double[] sin;

    /**
     * @param size a power of two, 2 or more
     */
    Fft(int size) {
        if (size < 2 || Integer.bitCount(size) != 1) {
            throw new IllegalArgumentException("size: " + size + " (a power of two)");
        }
        this.size = size;
        this.cos = new double[size / 2];
        this.sin = new double[size / 2];
        for (int i = 0; i < size / 2; i++) {
            cos[i] = Math.cos(-2 * Math.PI * i / size);
            sin[i] = Math.sin(-2 * Math.PI * i / size);
        }
    }

    int size() {
        return size;
    }

    /** Transforms {@code size} numbers, given as real and imaginary parts. */
    void forward(double[] re, double[] im) {
        reverseBits(re, im);
        for (int half = 1; half < size; half *= 2) {
            int step = size / (2 * half);
            for (int start = 0; start < size; start += 2 * half) {
                butterflies(re, im, start, half, step);
            }
        }
    }

    /** The inverse, without the division by {@code size}. */
    void inverse(double[] re, double[] im) {
        // Swapped parts conjugate the transform.
        forward(im, re);
    }

    private void butterflies(double[] re, double[] im, int start, int half, int step) {
        for (int i = 0; i < half; i++) {
            int low = start + i;
            int high = low + half;
            double c = cos[i * step];
            double s = sin[i * step];
            double x = re[high] * c - im[high] * s;
            double y = re[high] * s + im[high] * c;
            re[high] = re[low] - x;
            im[high] = im[low] - y;
            re[low] += x;
            im[low] += y;
        }
    }

    private void reverseBits(double[] re, double[] im) {
        int shift = Integer.numberOfLeadingZeros(size) + 1;
        for (int i = 0; i < size; i++) {
            int j = Integer.reverse(i) >>> shift;
            if (j > i) {
                double x = re[i];
                re[i] = re[j];
                re[j] = x;
                double y = im[i];
                im[i] = im[j];
                im[j] = y;
            }
        }
    }
}
