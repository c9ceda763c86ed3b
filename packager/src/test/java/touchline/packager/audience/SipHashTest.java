package touchline.packager.audience;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import org.junit.jupiter.api.Test;

class SipHashTest {
    private static final long FIRST = 0x0706050403020100L;
    private static final long SECOND = 0x0f0e0d0c0b0a0908L;

    /** The key of the reference implementation's vectors; their texts are 0, 1, 2 and so on. */
    private final SipHash hash = new SipHash(FIRST, SECOND);

    private long of(String text) {
        return hash.hash(FIRST, SECOND, text, 0, text.length());
    }

    @Test
    void hash_ofTheReferenceVectors_isTheirs() {
        assertEquals(0x3f2acc7f57c29bdbL, of(""));
        assertEquals(0x4bc1b3f0968dd39cL, of("\u1110"));
        assertEquals(0x93536795e3a33e88L, of("\u1110\u1312\u1514"));
        assertEquals(0xb8ad50c6f649af94L, of("\u1110\u1312\u1514\u1716"));
        assertEquals(0x17d835b85bbb15f3L, of("\u1110\u1312\u1514\u1716\u1918"));
    }

    @Test
    void hash_ofAPartOfAText_isThatOfThePart() {
        assertEquals(of("abcde"), hash.hash(FIRST, SECOND, "xabcdey", 1, 6));
        assertNotEquals(of("a"), of("a\u0000"));
        assertNotEquals(of("a"), new SipHash(FIRST, SECOND + 1).hash(FIRST, SECOND, "a", 0, 1));
    }
}
