package touchline.media.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

final class NalUnitsTest {
    private static final String SEI_AND_IDR = "00000003" + "0605aa" + "00000004" + "65888400";

    @Test
    void ofLengthPrefixed_twoUnits_areFoundInOrder() {
        List<MemorySegment> units = NalUnits.ofLengthPrefixed(Hostile.hex(SEI_AND_IDR), 4);

        assertEquals(List.of("0605aa", "65888400"), hex(units));
        assertEquals(NalUnits.AVC_SEI, NalUnits.avcType(units.getFirst()));
    }

    @Test
    void ofLengthPrefixed_emptyUnit_isLeftOut() {
        MemorySegment padded = Hostile.hex("0000" + "0002" + "4188");

        assertEquals(List.of("4188"), hex(NalUnits.ofLengthPrefixed(padded, 2)));
    }

    @Test
    void isAvcIdr_onlyWithAnIdrSlice() {
        assertTrue(NalUnits.isAvcIdr(Hostile.hex(SEI_AND_IDR), 4));
        assertFalse(NalUnits.isAvcIdr(Hostile.hex("00000002" + "4165"), 4));
        assertFalse(NalUnits.isAvcIdr(Hostile.hex(""), 4));
    }

    @Test
    void isHevcRandomAccess_idrAndCra_areTrue() {
        assertTrue(NalUnits.isHevcRandomAccess(Hostile.hex("0003" + "260100"), 2));
        assertTrue(NalUnits.isHevcRandomAccess(Hostile.hex("0003" + "2a0100"), 2));
        assertFalse(NalUnits.isHevcRandomAccess(Hostile.hex("0003" + "020100"), 2));
    }

    @Test
    void ofAnnexB_longAndShortStartCodes_areTaken() {
        MemorySegment stream = Hostile.hex("00000001" + "6742" + "000001" + "68ce" + "0000");

        assertEquals(List.of("6742", "68ce"), hex(NalUnits.ofAnnexB(stream)));
    }

    @Test
    void ofAnnexB_bytesBeforeTheFirstStartCode_areRefused() {
        assertThrows(
                MalformedMediaException.class,
                () -> NalUnits.ofAnnexB(Hostile.hex("ff" + "000001" + "6742")));
    }

    @Test
    void toLengthPrefixedAndAnnexB_readBack() {
        List<MemorySegment> units = List.of(Hostile.hex("6742c01e"), Hostile.hex("68ce"));

        assertEquals(
                hex(units), hex(NalUnits.ofLengthPrefixed(NalUnits.toLengthPrefixed(units), 4)));
        assertEquals(hex(units), hex(NalUnits.ofAnnexB(NalUnits.toAnnexB(units))));
    }

    @Test
    void unescaped_emulationPrevention_isRemoved() {
        MemorySegment raw = NalUnits.unescaped(Hostile.hex("0000030100000300000301"));

        assertEquals(List.of("0000010000000001"), hex(List.of(raw)));
    }

    @Test
    void forEach_everyTruncation_isMalformedOrAWholeUnit() {
        byte[] whole = HexFormat.of().parseHex(SEI_AND_IDR);
        for (int length = 0; length < whole.length; length++) {
            MemorySegment cut = MemorySegment.ofArray(whole).asSlice(0, length);
            if (length == 0 || length == 7) {
                assertEquals(length == 0 ? 0 : 1, NalUnits.ofLengthPrefixed(cut, 4).size());
            } else {
                assertThrows(
                        MalformedMediaException.class, () -> NalUnits.ofLengthPrefixed(cut, 4));
            }
        }
    }

    @Test
    void forEach_lengthAboveTwoGigabytes_isRefused() {
        var thrown =
                assertThrows(
                        MalformedMediaException.class,
                        () -> NalUnits.ofLengthPrefixed(Hostile.hex("ffffffff" + "65"), 4));

        assertEquals("NALUnitLength at byte 0: 4294967295 (expected: <= 1)", thrown.getMessage());
    }

    @Test
    void ofLengthPrefixed_tooManyUnits_isRefused() {
        byte[] bytes = new byte[2 * 10_000];
        for (int i = 0; i < bytes.length; i += 2) {
            bytes[i] = 1;
        }

        assertThrows(
                MalformedMediaException.class,
                () -> NalUnits.ofLengthPrefixed(MemorySegment.ofArray(bytes), 1));
    }

    private static List<String> hex(List<MemorySegment> units) {
        return units.stream()
                .map(unit -> HexFormat.of().formatHex(unit.toArray(ValueLayout.JAVA_BYTE)))
                .toList();
    }
}
