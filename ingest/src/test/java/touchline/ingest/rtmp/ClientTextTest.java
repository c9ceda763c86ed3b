package touchline.ingest.rtmp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ClientTextTest {
    @Test
    void plainText_staysAsItIs() {
        assertEquals("FMLE/3.0 (äöü)", ClientText.escaped("FMLE/3.0 (äöü)"));
    }

    @Test
    void controlsQuotesAndDirections_areEscaped() {
        assertEquals(
                "a\\u000d\\u000ab\\u001b[31m\\u0022\\u202e\\u2028\\u0000\\ud800\\u005c",
                ClientText.escaped("a\r\nb\u001b[31m\"\u202e\u2028\0\ud800\\"));
    }

    @Test
    void longText_isCut() {
        assertEquals("x".repeat(96) + "…", ClientText.escaped("x".repeat(10_000)));
    }
}
