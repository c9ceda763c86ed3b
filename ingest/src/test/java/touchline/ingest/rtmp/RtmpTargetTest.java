package touchline.ingest.rtmp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RtmpTargetTest {
    @ParameterizedTest
    @CsvSource({
        "rtmp://a.rtmp.example.com/live2, rtmp://a.rtmp.example.com/live2, 1935",
        "rtmps://live.example.com:443/rtmp/, rtmps://live.example.com/rtmp, 443",
        "RTMP://203.0.113.7:1936//app/instance, rtmp://203.0.113.7:1936/app/instance, 1936"
    })
    void address_isNamedAsClientsNameIt(String url, String tcUrl, int port) {
        RtmpTarget target = RtmpTarget.parse(url);

        assertEquals(tcUrl, target.tcUrl());
        assertEquals(port, target.port());
    }

    @ParameterizedTest
    @CsvSource({
        "http://example.com/live, scheme",
        "file:///etc/passwd, scheme",
        "rtmp:///live, host",
        "rtmp://user:secret@example.com/live, host",
        "rtmp://example.com/live?token=1, query",
        "rtmp://example.com:0/live, port",
        "rtmp://example.com:70000/live, port",
        "rtmp://example.com, path",
        "rtmp://example.com/, path",
        "'rtmp://exa mple.com/live', malformed"
    })
    void address_thatIsNone_isRefusedWithItsReason(String url, String reason) {
        String refusal = RtmpTarget.refusal(url).orElseThrow();

        assertTrue(refusal.contains(reason), refusal);
        assertThrows(IllegalArgumentException.class, () -> RtmpTarget.parse(url));
    }

    @Test
    void refusal_doesNotRepeatWhatMayBeASecret() {
        assertEquals(
                -1,
                RtmpTarget.refusal("rtmp://user:secret@example.com/live")
                        .orElseThrow()
                        .indexOf("secret"));
    }
}
