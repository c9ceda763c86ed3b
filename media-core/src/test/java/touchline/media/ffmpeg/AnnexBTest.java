package touchline.media.ffmpeg;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

final class AnnexBTest {
    @Test
    void toLengthPrefixed_bothStartCodes_writesLengths() {
        AnnexB.Unit unit = AnnexB.toLengthPrefixed(hex("00000001 65aabb 000001 0611"));

        assertTrue(unit.idr());
        assertArrayEquals(hex("00000003 65aabb 00000002 0611"), bytes(unit));
    }

    @Test
    void toLengthPrefixed_parameterSetsAndDelimiter_areLeftOut() {
        AnnexB.Unit unit =
                AnnexB.toLengthPrefixed(
                        hex("00000001 0910 00000001 67640a 000001 68ee 000001 41cc"));

        assertFalse(unit.idr());
        assertArrayEquals(hex("00000002 41cc"), bytes(unit));
    }

    @Test
    void toLengthPrefixed_zeroesInsideAndBehind_belongOrAreDropped() {
        AnnexB.Unit unit =
                AnnexB.toLengthPrefixed(hex("000001 41 0000030001 0000 000001 4102 000000"));

        assertArrayEquals(hex("00000006 410000030001 00000002 4102"), bytes(unit));
    }

    @Test
    void config_noParameterSets_isOurError() {
        assertThrows(IllegalStateException.class, () -> AnnexB.config(hex("000001 6588")));
        assertEquals(0, AnnexB.toLengthPrefixed(new byte[0]).payload().byteSize());
    }

    private static byte[] bytes(AnnexB.Unit unit) {
        return unit.payload().toArray(ValueLayout.JAVA_BYTE);
    }

    private static byte[] hex(String text) {
        return HexFormat.of().parseHex(text.replace(" ", ""));
    }
}
