package touchline.packager.delivery;

/**
 * The range of a representation that a Range header requests (RFC 9110, 14.1.2 and 14.2).
 * Immutable, any thread.
 */
sealed interface ByteRange {
    /** No range, an ignored range, or several ranges: the whole representation. */
    record Whole() implements ByteRange {}

    /** From {@code first} to {@code last}, both included, both inside the representation. */
    record Slice(long first, long last) implements ByteRange {
        long lengthBytes() {
            return last - first + 1;
        }
    }

    /** Begins behind the end: 416. */
    record Unsatisfiable() implements ByteRange {}

    /**
     * Reads a Range header.
     *
     * @param sizeBytes of the whole representation
     */
    static ByteRange parse(String header, long sizeBytes) {
        if (!header.regionMatches(/* ignoreCase= */ true, 0, "bytes=", 0, 6)) {
            return new Whole();
        }
        String range = header.substring(6).strip();
        int dash = range.indexOf('-');
        if (dash < 0 || range.indexOf(',') >= 0) {
            return new Whole();
        }
        long first = number(range, 0, dash);
        long last = number(range, dash + 1, range.length());
        boolean suffix = dash == 0;
        boolean open = dash == range.length() - 1;
        if ((suffix && open) || (first < 0 && !suffix) || (last < 0 && !open)) {
            return new Whole();
        }
        if (suffix) {
            return last == 0 || sizeBytes == 0
                    ? new Unsatisfiable()
                    : new Slice(Math.max(0, sizeBytes - last), sizeBytes - 1);
        }
        if (!open && last < first) {
            return new Whole();
        }
        if (first >= sizeBytes) {
            return new Unsatisfiable();
        }
        return new Slice(first, open ? sizeBytes - 1 : Math.min(last, sizeBytes - 1));
    }

    /** Saturates; -1 where it is empty or no decimal number. */
    private static long number(String text, int from, int to) {
        long value = from == to ? -1 : 0;
        for (int i = from; i < to; i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            value = value > (Long.MAX_VALUE - 9) / 10 ? Long.MAX_VALUE - 9 : value * 10 + digit;
        }
        return value;
    }
}
