package touchline.packager.audience;

import java.security.SecureRandom;

/**
 * A keyed hash of 64 bits: without the key, neither two texts with one hash nor the text of a hash
 * can be found. Immutable, any thread; allocates nothing.
 *
 * <p>Source: Aumasson and Bernstein, "SipHash: a fast short-input PRF", the 2-4 variant. Texts are
 * read as the bytes of their UTF-16 characters, the lower one first, behind those of the number.
 */
final class SipHash {
    private final long key0;
    private final long key1;

    SipHash(long key0, long key1) {
        this.key0 = key0;
        this.key1 = key1;
    }

    /** With a key that exists in this process only. */
    static SipHash random() {
        SecureRandom random = new SecureRandom();
        return new SipHash(random.nextLong(), random.nextLong());
    }

    /**
     * @param first eight bytes before the text, the lowest one first
     * @param second the next eight
     * @param to exclusive
     */
    long hash(long first, long second, CharSequence text, int from, int to) {
        State state = new State(key0, key1);
        state.word(first);
        state.word(second);
        int at = from;
        for (; at + 4 <= to; at += 4) {
            state.word(
                    text.charAt(at)
                            | (long) text.charAt(at + 1) << 16
                            | (long) text.charAt(at + 2) << 32
                            | (long) text.charAt(at + 3) << 48);
        }
        long last = (long) (2 * Long.BYTES + 2 * (to - from)) << 56;
        for (int shift = 0; at < to; at++, shift += 16) {
            last ^= (long) text.charAt(at) << shift;
        }
        state.word(last);
        return state.end();
    }

    /** Does not leave its method, so it costs no allocation once compiled. */
    private static final class State {
        private long v0;
        private long v1;
        private long v2;
        private long v3;

        State(long key0, long key1) {
            v0 = key0 ^ 0x736f6d6570736575L;
            v1 = key1 ^ 0x646f72616e646f6dL;
            v2 = key0 ^ 0x6c7967656e657261L;
            v3 = key1 ^ 0x7465646279746573L;
        }

        void word(long word) {
            v3 ^= word;
            round();
            round();
            v0 ^= word;
        }

        long end() {
            v2 ^= 0xff;
            round();
            round();
            round();
            round();
            return v0 ^ v1 ^ v2 ^ v3;
        }

        private void round() {
            v0 += v1;
            v2 += v3;
            v1 = Long.rotateLeft(v1, 13) ^ v0;
            v3 = Long.rotateLeft(v3, 16) ^ v2;
            v0 = Long.rotateLeft(v0, 32);
            v2 += v1;
            v0 += v3;
            v1 = Long.rotateLeft(v1, 17) ^ v2;
            v3 = Long.rotateLeft(v3, 21) ^ v0;
            v2 = Long.rotateLeft(v2, 32);
        }
    }
}
