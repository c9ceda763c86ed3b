package touchline.packager.audience;

import java.util.Arrays;

/** Numbers that are collected, in no order. Not thread-safe. */
final class IntBag {
    private static final int FIRST_SIZE = 16;

    private int[] values = new int[0];
    private int count;

    void add(int value) {
        if (count == values.length) {
            values = Arrays.copyOf(values, Math.max(FIRST_SIZE, count * 2));
        }
        values[count++] = value;
    }

    /** These and others. */
    int[] with(int... others) {
        int[] all = Arrays.copyOf(values, count + others.length);
        System.arraycopy(others, 0, all, count, others.length);
        return all;
    }

    void clear() {
        values = new int[0];
        count = 0;
    }
}
