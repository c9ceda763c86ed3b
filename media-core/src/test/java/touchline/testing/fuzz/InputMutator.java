package touchline.testing.fuzz;

import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/** Changes inputs without guidance, for short runs: the same seed makes the same inputs. */
final class InputMutator {
    private static final int MAX_STEPS = 6;
    private static final int MAX_BLOCK_BYTES = 64;
    private static final long[] EDGES = {
        0, 1, 2, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0xff_ffff, Integer.MAX_VALUE, -1
    };

    private final List<byte[]> seeds;
    private final RandomGenerator random;
    private final int maxBytes;

    InputMutator(List<byte[]> seeds, RandomGenerator random, int maxBytes) {
        this.seeds = seeds;
        this.random = random;
        this.maxBytes = maxBytes;
    }

    byte[] next() {
        byte[] input = seed();
        int steps = 1 + random.nextInt(MAX_STEPS);
        for (int i = 0; i < steps; i++) {
            input = changed(input);
        }
        return input.length > maxBytes ? Arrays.copyOf(input, maxBytes) : input;
    }

    private byte[] seed() {
        return seeds.get(random.nextInt(seeds.size())).clone();
    }

    private byte[] changed(byte[] input) {
        if (input.length == 0) {
            return noise(1 + random.nextInt(MAX_BLOCK_BYTES));
        }
        int at = random.nextInt(input.length);
        int bytes = 1 + random.nextInt(MAX_BLOCK_BYTES);
        return switch (random.nextInt(8)) {
            case 0 -> {
                input[at] ^= (byte) (1 << random.nextInt(8));
                yield input;
            }
            case 1 -> {
                input[at] = (byte) random.nextInt();
                yield input;
            }
            case 2 -> withNumber(input, at);
            case 3 -> replaced(input, at, 0, noise(bytes));
            case 4 -> replaced(input, at, bytes, new byte[0]);
            case 5 -> replaced(input, at, 0, block(input, bytes));
            case 6 -> replaced(input, at, 0, block(seed(), bytes));
            default -> Arrays.copyOf(input, at);
        };
    }

    /** A number at an edge of its type, big endian in 1 to 4 bytes. */
    private byte[] withNumber(byte[] input, int at) {
        long number = EDGES[random.nextInt(EDGES.length)];
        int bytes = Math.min(1 + random.nextInt(4), input.length - at);
        for (int i = 0; i < bytes; i++) {
            input[at + i] = (byte) (number >> (8 * (bytes - 1 - i)));
        }
        return input;
    }

    private byte[] noise(int bytes) {
        byte[] noise = new byte[bytes];
        random.nextBytes(noise);
        return noise;
    }

    private byte[] block(byte[] from, int bytes) {
        if (from.length == 0) {
            return from;
        }
        int start = random.nextInt(from.length);
        return Arrays.copyOfRange(from, start, Math.min(from.length, start + bytes));
    }

    /** The input with other bytes in place of some at a position. */
    private static byte[] replaced(byte[] input, int at, int removed, byte[] inserted) {
        int tail = Math.min(input.length, at + removed);
        byte[] out = Arrays.copyOf(input, at + inserted.length + input.length - tail);
        System.arraycopy(inserted, 0, out, at, inserted.length);
        System.arraycopy(input, tail, out, at + inserted.length, input.length - tail);
        return out;
    }
}
