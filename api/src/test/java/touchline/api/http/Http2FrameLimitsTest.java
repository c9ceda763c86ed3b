package touchline.api.http;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.helidon.http.http2.Http2ErrorCode;
import io.helidon.http.http2.Http2Exception;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class Http2FrameLimitsTest {
    private static final int HEADERS = 1;
    private static final int RST_STREAM = 3;
    private static final int PING = 6;
    private static final int CONTINUATION = 9;
    private static final int END_HEADERS = 4;

    private long nowNs;
    private Http2FrameLimits limits;

    @BeforeEach
    void preface() {
        limits = new Http2FrameLimits(ApiConnection.detached(), () -> nowNs);
        limits.received(new byte[24]);
    }

    @Test
    void emptyContinuations_areBounded() {
        limits.received(frame(HEADERS, 0, 10));
        for (int i = 0; i < 16; i++) {
            limits.received(frame(CONTINUATION, 0, 0));
        }

        Http2Exception refused =
                assertThrows(
                        Http2Exception.class, () -> limits.received(frame(CONTINUATION, 0, 0)));

        assertEquals(Http2ErrorCode.ENHANCE_YOUR_CALM, refused.code());
    }

    @Test
    void pings_areBoundedInTime() {
        for (int i = 0; i < 500; i++) {
            limits.received(frame(PING, 0, 8));
        }
        assertThrows(Http2Exception.class, () -> limits.received(frame(PING, 0, 8)));

        nowNs += Duration.ofSeconds(10).toNanos();
        assertDoesNotThrow(() -> limits.received(frame(PING, 0, 8)));
    }

    @Test
    void emptyData_andResets_areBounded() {
        assertThrows(Http2Exception.class, () -> repeat(501, frame(0, 0, 0)));
        assertThrows(Http2Exception.class, () -> repeat(201, frame(RST_STREAM, 0, 4)));
    }

    @Test
    void requests_areNotCounted_whereverTheBytesAreSplit() {
        byte[] head = frame(HEADERS, END_HEADERS, 100);
        for (int i = 0; i < 2_000; i++) {
            int split = i % head.length;
            limits.received(java.util.Arrays.copyOfRange(head, 0, split));
            limits.received(java.util.Arrays.copyOfRange(head, split, head.length));
            limits.received(frame(0, 1, 0));
            limits.received(frame(0, 0, 70_000));
        }
    }

    private void repeat(int times, byte[] frame) {
        for (int i = 0; i < times; i++) {
            limits.received(frame);
        }
    }

    private static byte[] frame(int type, int flags, int length) {
        ByteBuffer frame = ByteBuffer.allocate(9 + length);
        frame.put((byte) (length >> 16)).putShort((short) length);
        frame.put((byte) type).put((byte) flags).putInt(1);
        return frame.array();
    }
}
