package touchline.packager.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PreconditionsTest {
    private static HttpHeaders with(String name, String value) {
        return new DefaultHttpHeaders().add(name, value);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "gzip | true",
                "GZIP | true",
                "deflate, gzip;q=1.0, *;q=0.5 | true",
                "gzip;q=0.001 | true",
                "gzip; q=1 | true",
                "x-gzip | true",
                "* | true",
                "gzip;q=0 | false",
                "gzip;q=0.000 | false",
                "gzip;q=0, * | false",
                "*;q=0 | false",
                "identity | false",
                "br, deflate | false",
                "gzip;q=2 | false",
                "gzip;q=x | false",
                "gzipped | false"
            })
    void acceptsGzip_header_decides(String header, boolean expected) {
        assertEquals(expected, Preconditions.acceptsGzip(with("Accept-Encoding", header)));
    }

    @Test
    void acceptsGzip_noHeader_isNo() {
        assertFalse(Preconditions.acceptsGzip(new DefaultHttpHeaders()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"7w\" | true",
                "W/\"7w\" | true",
                "\"6w\", \"7w\" | true",
                "* | true",
                "\"7wz\" | false",
                "7w | false",
                "\"6w\" | false"
            })
    void isNotModified_header_decides(String header, boolean expected) {
        assertEquals(
                expected, Preconditions.isNotModified(with("If-None-Match", header), "\"7w\""));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"a\" | true",
                "\"b\" | false",
                "W/\"a\" | false",
                "Fri, 20 Nov 2026 12:00:00 GMT | false"
            })
    void range_ifRange_holdsForTheExactTagOnly(String condition, boolean sliced) {
        HttpHeaders headers = with("Range", "bytes=1-2").add("If-Range", condition);
        assertEquals(
                sliced ? new ByteRange.Slice(1, 2) : new ByteRange.Whole(),
                Preconditions.range(headers, "\"a\"", 10));
    }
}
