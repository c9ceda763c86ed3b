package touchline.media.codec;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Assertions;

/** Passes invalid input to parsers: the only allowed exception is MalformedMediaException. */
final class Hostile {
    private static final int RANDOM_ROUNDS = 3_000;

    private Hostile() {}

    static MemorySegment hex(String text) {
        return MemorySegment.ofArray(HexFormat.of().parseHex(text));
    }

    /**
     * Every truncation, every single flipped bit, random tails, random bytes, and oversized input.
     */
    static void attack(String validHex, Consumer<MemorySegment> parser) {
        byte[] valid = HexFormat.of().parseHex(validHex);
        for (int length = 0; length < valid.length; length++) {
            tolerated(parser, Arrays.copyOf(valid, length));
        }
        for (int bit = 0; bit < Math.min(valid.length, 256) * 8; bit++) {
            byte[] flipped = valid.clone();
            flipped[bit / 8] ^= (byte) (1 << (bit % 8));
            tolerated(parser, flipped);
        }
        var random = new Random(20_261_120);
        for (int round = 0; round < RANDOM_ROUNDS; round++) {
            byte[] noise = new byte[random.nextInt(200)];
            random.nextBytes(noise);
            int kept = random.nextInt(Math.min(noise.length, valid.length) + 1);
            System.arraycopy(valid, 0, noise, 0, kept);
            tolerated(parser, noise);
        }
        byte[] huge = Arrays.copyOf(valid, 5_000_000);
        Assertions.assertThrows(
                MalformedMediaException.class, () -> parser.accept(MemorySegment.ofArray(huge)));
    }

    private static void tolerated(Consumer<MemorySegment> parser, byte[] bytes) {
        try {
            parser.accept(MemorySegment.ofArray(bytes));
        } catch (MalformedMediaException expected) {
            Assertions.assertNotNull(expected.getMessage());
        } catch (RuntimeException other) {
            throw new AssertionError(HexFormat.of().formatHex(bytes), other);
        }
    }
}
