package touchline.ingest.amf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import touchline.media.codec.MalformedMediaException;

class AmfCodecTest {

    @Test
    void values_writtenAndRead_areTheSame() {
        List<AmfValue> values =
                List.of(
                        new AmfValue.Num(-1.5),
                        new AmfValue.Bool(true),
                        new AmfValue.Text("äöü€😀"),
                        new AmfValue.Text("x".repeat(70_000)),
                        new AmfValue.Obj(
                                properties("a", new AmfValue.Num(1), "b", new AmfValue.Text(""))),
                        new AmfValue.EcmaArray(properties("2.1", new AmfValue.Bool(false))),
                        new AmfValue.Array(List.of(AmfValue.Absent.NULL, new AmfValue.Num(2))),
                        new AmfValue.Date(1_700_000_000_000.0),
                        AmfValue.Absent.NULL,
                        AmfValue.Absent.UNDEFINED);

        assertEquals(values, read(MemorySegment.ofArray(written(values))));
    }

    @ParameterizedTest
    @CsvSource({
        "00 3ff0000000000000, Num[value=1.0]",
        "01 02, Bool[value=true]",
        "02 0001 61, Text[value=a]",
        "0c 00000001 61, Text[value=a]",
        "0f 00000001 61, Text[value=a]",
        "03 0001 61 05 0000 09, 'Obj[properties={a=NULL}]'",
        "08 00000063 0001 61 06 0000 09, 'EcmaArray[properties={a=UNDEFINED}]'",
        "10 0001 78 0001 61 0d 0000 09, 'Obj[properties={a=UNDEFINED}]'",
        "0a 00000002 05 0100, 'Array[values=[NULL, Bool[value=false]]]'",
        "0b 4000000000000000 ffff, Date[epochMs=2.0]",
        "11 00, UNDEFINED",
        "11 01, NULL",
        "11 02, Bool[value=false]",
        "11 03, Bool[value=true]",
        "11 04 ffffffff, Num[value=-1.0]",
        "11 04 bfffffff, Num[value=2.68435455E8]",
        "11 04 8100, Num[value=128.0]",
        "11 05 3ff0000000000000, Num[value=1.0]",
        "11 06 03 61, Text[value=a]",
        "11 07 03 61, Text[value=a]",
        "11 0b 03 61, Text[value=a]",
        "11 08 01 4000000000000000, Date[epochMs=2.0]",
        "11 0c 05 0102, UNDEFINED",
        "11 09 05 01 02 03, 'Array[values=[Bool[value=false], Bool[value=true]]]'",
        "11 09 03 0361 02 01 03, 'EcmaArray[properties={a=Bool[value=false], 0=Bool[value=true]}]'",
        "11 0a 13 0361 0362 03, 'Obj[properties={b=Bool[value=true]}]'",
        "11 0a 0b 01 0361 0600 01, 'Obj[properties={a=Text[value=a]}]'",
        "11 0d 05 00 ffffffff 00000002, 'Array[values=[Num[value=-1.0], Num[value=2.0]]]'",
        "11 0e 03 00 ffffffff, 'Array[values=[Num[value=4.294967295E9]]]'",
        "11 0f 03 00 3ff0000000000000, 'Array[values=[Num[value=1.0]]]'",
        "11 10 03 00 01 03, 'Array[values=[Bool[value=true]]]'"
    })
    void wireForm_isRead(String hex, String expected) {
        assertEquals("[" + expected + "]", read(hex).toString());
    }

    @Test
    void amf0Reference_toAFinishedObject_isThatObject() {
        List<AmfValue> values = read("03 0001 61 05 0000 09  07 0000");

        assertEquals(values.getFirst(), values.getLast());
    }

    @Test
    void amf3References_areResolved() {
        AmfValue array = read("11 09 05 01  0a 0b 01 0361 03 01  0a 02").getFirst();

        assertEquals(
                "Array[values=[Obj[properties={a=Bool[value=true]}],"
                        + " Obj[properties={a=Bool[value=true]}]]]",
                array.toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "03 0001 61 07 0000",
                "07 0000",
                "04",
                "0e",
                "12",
                "ff",
                "02 ffff 61",
                "0c ffffffff 61",
                "0a ffffffff",
                "03 0001 61 05",
                "03",
                "08 00000001",
                "00 00000000",
                "11",
                "11 0d ffffffff 00 00",
                "11 0c ffffffff",
                "11 11 01",
                "11 06 02",
                "11 0a 01",
                "11 0a 07 01",
                "11 0a ffffffff 01",
                "11 0a 0b 01 0361 0a 00"
            })
    void wrongBytes_areMalformed(String hex) {
        assertThrows(MalformedMediaException.class, () -> read(hex));
    }

    @ParameterizedTest
    @ValueSource(strings = {"03000161", "0a00000001", "11 09 03 01"})
    void nesting_beyondTheLimit_isMalformed(String opening) {
        String first = opening.substring(0, 2).equals("11") ? "11" : "";
        String level = opening.replace("11 ", "").replace(" ", "");

        var refused =
                assertThrows(
                        MalformedMediaException.class, () -> read(first + level.repeat(1_000_000)));

        assertEquals("AMF: nested deeper than 32", refused.getMessage());
    }

    @Test
    void values_beyondTheLimit_areMalformed() {
        byte[] nulls = new byte[AmfValueLimit.MAX_VALUES + 1];
        Arrays.fill(nulls, (byte) Amf0Reader.NULL);

        assertThrows(MalformedMediaException.class, () -> read(MemorySegment.ofArray(nulls)));
        assertEquals(
                AmfValueLimit.MAX_VALUES, read(MemorySegment.ofArray(nulls).asSlice(1)).size());
    }

    @Test
    void truncatedAndRandomInput_endsInMalformedAndNothingElse() {
        byte[] valid =
                written(
                        List.of(
                                new AmfValue.Text("connect"),
                                new AmfValue.Num(1),
                                new AmfValue.Obj(
                                        properties(
                                                "app",
                                                new AmfValue.Text("live"),
                                                "list",
                                                new AmfValue.Array(
                                                        List.of(new AmfValue.Num(1)))))));
        for (int length = 0; length < valid.length; length++) {
            tolerate(Arrays.copyOf(valid, length));
        }
        var random = new Random(20_261_120);
        int malformed = 0;
        for (int round = 0; round < 50_000; round++) {
            byte[] bytes = valid.clone();
            for (int i = 0; i <= round % 5; i++) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(0x14);
            }
            malformed += tolerate(bytes) ? 0 : 1;
        }
        assertTrue(malformed > 10_000, "malformed: " + malformed);
    }

    @Test
    void property_ofWhatHasNone_isEmpty() {
        assertTrue(new AmfValue.Num(1).property("a").isEmpty());
        assertTrue(AmfValue.Absent.NULL.text().isEmpty());
        assertTrue(new AmfValue.Text("1").number().isEmpty());
    }

    private static boolean tolerate(byte[] bytes) {
        try {
            read(MemorySegment.ofArray(bytes));
            return true;
        } catch (MalformedMediaException e) {
            return false;
        }
    }

    private static List<AmfValue> read(String hex) {
        return read(MemorySegment.ofArray(HexFormat.of().parseHex(hex.replace(" ", ""))));
    }

    private static byte[] written(List<AmfValue> values) {
        ByteBuf out = Unpooled.buffer();
        values.forEach(value -> AmfCodec.write(out, value));
        byte[] bytes = new byte[out.readableBytes()];
        out.readBytes(bytes);
        out.release();
        return bytes;
    }

    private static Map<String, AmfValue> properties(Object... keysAndValues) {
        Map<String, AmfValue> properties = new LinkedHashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            properties.put((String) keysAndValues[i], (AmfValue) keysAndValues[i + 1]);
        }
        return properties;
    }

    private static List<AmfValue> read(MemorySegment bytes) {
        return AmfCodec.read(bytes, AmfValueLimit.ofMessage());
    }
}
