package touchline.media.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Parameter sets with what x265 does not write: scaling lists and predicted reference sets (Rec.
 * ITU-T H.265, 7.3.2.2). Their timing stands behind all that is skipped: it is read only if each
 * bit was.
 */
final class HevcSpsTest {
    /** Bits of one parameter set. */
    private static final class Bits {
        private final StringBuilder bits = new StringBuilder();

        Bits u(int count, long value) {
            for (int i = count - 1; i >= 0; i--) {
                bits.append(value >> i & 1);
            }
            return this;
        }

        Bits flag(boolean value) {
            return u(1, value ? 1 : 0);
        }

        /** Exp-Golomb code (9.2). */
        Bits ue(long value) {
            int length = 64 - Long.numberOfLeadingZeros(value + 1);
            return u(length - 1, 0).u(length, value + 1);
        }

        Bits se(long value) {
            return ue(value > 0 ? 2 * value - 1 : -2 * value);
        }

        /** The whole unit with its trailing bits and emulation prevention (7.3.1.1). */
        MemorySegment unit() {
            u(1, 1);
            while (bits.length() % 8 != 0) {
                u(1, 0);
            }
            ByteArrayOutputStream unit = new ByteArrayOutputStream();
            int zeros = 0;
            for (int i = 0; i < bits.length(); i += 8) {
                int each = Integer.parseInt(bits.substring(i, i + 8), 2);
                if (zeros >= 2 && each <= 3) {
                    unit.write(3);
                    zeros = 0;
                }
                unit.write(each);
                zeros = each == 0 ? zeros + 1 : 0;
            }
            return MemorySegment.ofArray(unit.toByteArray());
        }
    }

    /** Up to the coding tools: 352x288, 4:2:0, 8 bits, three frames in the buffer. */
    private static Bits head() {
        Bits bits = new Bits().u(1, 0).u(6, NalUnits.HEVC_SPS).u(9, 1);
        bits.u(4, 0).u(3, 0).u(1, 1).u(8, 1).u(88, 0).ue(0);
        bits.ue(1).ue(352).ue(288).flag(false).ue(0).ue(0).ue(4);
        return bits.flag(true).ue(2).ue(0).ue(0);
    }

    private static Bits tools(Bits bits) {
        for (int i = 0; i < 6; i++) {
            bits.ue(i);
        }
        return bits;
    }

    /** From the long-term frames on: 25 frames a second in the VUI (E.2.1). */
    private static MemorySegment tail(Bits bits) {
        bits.flag(false).u(2, 0).flag(true);
        bits.u(4, 0).u(3, 0).flag(false);
        return bits.flag(true).u(32, 1).u(32, 25).flag(false).flag(false).flag(false).unit();
    }

    private static void assertRead(MemorySegment unit) {
        HevcSps sps = HevcSps.parse(unit);

        assertEquals(352, sps.width());
        assertEquals(288, sps.height());
        assertEquals(25, sps.frameRate());
        assertEquals(352L * 288, sps.sequence().pixels());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void parse_scalingLists_areSkipped(boolean explicit) {
        Bits bits = tools(head()).flag(true).flag(true);
        for (int size = 0; size < 4; size++) {
            for (int matrix = 0; matrix < 6; matrix += size == 3 ? 3 : 1) {
                bits.flag(explicit);
                if (!explicit) {
                    bits.ue(matrix);
                    continue;
                }
                if (size > 1) {
                    bits.se(-3);
                }
                for (int i = 0; i < Math.min(64, 1 << (4 + 2 * size)); i++) {
                    bits.se(i % 5 - 2);
                }
            }
        }

        assertRead(tail(bits.u(2, 0).flag(false).ue(0)));
    }

    /** The second set has the frames of the first and one more, the third drops one of them. */
    @Test
    void parse_predictedReferenceSets_areSkipped() {
        Bits bits = tools(head()).flag(false).u(2, 0).flag(false).ue(3);
        bits.ue(2).ue(0).ue(0).flag(true).ue(1).flag(true);
        bits.flag(true).u(1, 1).ue(0);
        bits.flag(true).flag(true).flag(true);
        bits.flag(true).u(1, 0).ue(3);
        bits.flag(true).flag(false).flag(false).flag(false).flag(true).flag(true);

        assertRead(tail(bits));
    }

    @Test
    void parse_pcmAndLongTermFrames_areSkipped() {
        Bits bits = tools(head()).flag(false).u(2, 0);
        bits.flag(true).u(8, 0x77).ue(0).ue(2).flag(true).ue(0);
        // Two long-term frames, each with 8 bits of its order and a flag.
        bits.flag(true).ue(2).u(9, 5).u(9, 7).u(2, 0).flag(true);
        bits.u(4, 0).u(3, 0).flag(true).ue(1).ue(1).ue(0).ue(0);
        bits.flag(true).u(32, 1).u(32, 25).flag(false).flag(false).flag(false);

        assertRead(bits.unit());
    }

    @Test
    void parse_cutOff_isMalformed() {
        MemorySegment whole = tail(tools(head()).flag(false).u(2, 0).flag(false).ue(0));
        assertRead(whole);

        for (long bytes = 0; bytes < whole.byteSize() - 8; bytes++) {
            MemorySegment part = whole.asSlice(0, bytes);
            assertThrows(MalformedMediaException.class, () -> HevcSps.parse(part));
        }
    }

    @Test
    void parse_windowLargerThanTheFrame_isRefused() {
        Bits bits = new Bits().u(1, 0).u(6, NalUnits.HEVC_SPS).u(9, 1);
        bits.u(4, 0).u(3, 0).u(1, 1).u(8, 1).u(88, 0).ue(0);
        MemorySegment unit =
                bits.ue(1).ue(352).ue(288).flag(true).ue(100).ue(100).ue(0).ue(0).unit();

        var refused = assertThrows(MalformedMediaException.class, () -> HevcSps.parse(unit));

        assertTrue(String.valueOf(refused.getMessage()).contains("-48x288"), refused::getMessage);
    }
}
