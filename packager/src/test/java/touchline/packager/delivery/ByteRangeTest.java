package touchline.packager.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ByteRangeTest {
    @ParameterizedTest
    @CsvSource({
        "bytes=0-0, 0, 0",
        "bytes=0-99, 0, 99",
        "bytes=10-19, 10, 19",
        "BYTES=10-19, 10, 19",
        "bytes=90-, 90, 99",
        "bytes=90-1000, 90, 99",
        "bytes=99-99999999999999999999999, 99, 99",
        "bytes=-1, 99, 99",
        "bytes=-100, 0, 99",
        "bytes=-1000, 0, 99"
    })
    void parse_oneRange_isCutToTheRepresentation(String header, long first, long last) {
        assertEquals(new ByteRange.Slice(first, last), ByteRange.parse(header, 100));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"bytes=100-", "bytes=100-200", "bytes=-0", "bytes=99999999999999999999-"})
    void parse_behindTheEnd_isUnsatisfiable(String header) {
        assertEquals(new ByteRange.Unsatisfiable(), ByteRange.parse(header, 100));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "bytes",
                "bytes=",
                "bytes=-",
                "bytes=a-b",
                "bytes=5",
                "bytes=5-4",
                "bytes=--5",
                "bytes=1-2-3",
                "bytes=0-1,5-6",
                "items=0-1",
                "bytes=0x1-2"
            })
    void parse_severalOrNone_isWhole(String header) {
        assertEquals(new ByteRange.Whole(), ByteRange.parse(header, 100));
    }

    @Test
    void parse_emptyRepresentation_hasNoRange() {
        assertEquals(new ByteRange.Unsatisfiable(), ByteRange.parse("bytes=0-", 0));
        assertEquals(new ByteRange.Unsatisfiable(), ByteRange.parse("bytes=-5", 0));
    }
}
