package touchline.overlay;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Rows with mixed alphas, compared with the plain formula. */
final class BlendRowTest {
    private static final int WIDTH = 200;
    private static final int STARTS = 9;

    private final Random random = new Random(5);

    @Test
    void rowsOfAnyRuns_areBlendedExactly() {
        for (int round = 0; round < 2_000; round++) {
            int length = 1 + random.nextInt(WIDTH - STARTS);
            byte[] keeps = new byte[length];
            char[] terms = new char[length];
            fill(keeps, terms);
            int start = random.nextInt(STARTS);

            check(BlendRow.of(start, terms, keeps, length), start, terms, keeps);
        }
    }

    @Test
    void rowsOfOneAlpha_areBlendedExactly() {
        for (int alpha = 0; alpha <= 255; alpha++) {
            int length = 1 + random.nextInt(WIDTH - STARTS);
            byte[] samples = new byte[length];
            random.nextBytes(samples);
            byte[] keeps = new byte[length];
            Arrays.fill(keeps, (byte) (255 - alpha));
            char[] terms = new char[length];
            for (int i = 0; i < length; i++) {
                terms[i] = (char) ((samples[i] & 0xFF) * alpha);
            }

            check(BlendRow.even(3, samples, alpha), 3, terms, keeps);
        }
    }

    /** Runs of one alpha, of many, and of 0 and 255. */
    private void fill(byte[] keeps, char[] terms) {
        for (int at = 0; at < keeps.length; ) {
            int end = Math.min(keeps.length, at + 1 + random.nextInt(60));
            int kind = random.nextInt(4);
            int one = kind == 0 ? 0 : kind == 1 ? 255 : random.nextInt(256);
            for (; at < end; at++) {
                int alpha = kind == 3 ? random.nextInt(256) : one;
                keeps[at] = (byte) (255 - alpha);
                terms[at] =
                        (char) (random.nextBoolean() ? alpha * 255 : alpha * random.nextInt(256));
            }
        }
    }

    private void check(BlendRow row, int start, char[] terms, byte[] keeps) {
        byte[] ground = new byte[WIDTH];
        random.nextBytes(ground);
        if (random.nextInt(4) == 0) {
            Arrays.fill(ground, (byte) 255);
        }
        byte[] expected = ground.clone();
        for (int i = 0; i < terms.length; i++) {
            int sum = (ground[start + i] & 0xFF) * (keeps[i] & 0xFF) + terms[i];
            expected[start + i] = (byte) ((sum + 127) / 255);
        }
        byte[] blended = new byte[WIDTH];
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment plane = arena.allocate(WIDTH);
            plane.copyFrom(MemorySegment.ofArray(ground));
            row.blend(plane, 0, new byte[WIDTH]);
            MemorySegment.copy(plane, ValueLayout.JAVA_BYTE, 0, blended, 0, WIDTH);
        }
        assertArrayEquals(expected, blended);
    }
}
