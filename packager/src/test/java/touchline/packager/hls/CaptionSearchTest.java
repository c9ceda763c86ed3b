package touchline.packager.hls;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.api.Test;
import touchline.media.AccessUnit;
import touchline.media.Track;

class CaptionSearchTest {
    private static final byte[] CC_DATA = {
        4, 12, (byte) 0xB5, 0, 0x31, 'G', 'A', '9', '4', 3, (byte) 0xC1, (byte) 0xFF, 0, 0
    };

    @Test
    void frame_withCaptionsInItsSei_isFound() {
        assertTrue(CaptionSearch.findsIn(frame(unit(9, 0x10), unit(6, CC_DATA), unit(5, 1, 2))));
    }

    @Test
    void frame_withoutCaptions_isNotFound() {
        assertFalse(CaptionSearch.findsIn(frame(unit(6, 5, 4, 1, 2, 3, 4), unit(5, 1, 2))));
        assertFalse(CaptionSearch.findsIn(frame(unit(5, CC_DATA))), "a slice, not a message");
        assertFalse(CaptionSearch.findsIn(frame()));
    }

    @Test
    void payload_ofAnyBytes_isRead() {
        Random random = new Random(20261122);
        for (int i = 0; i < 2_000; i++) {
            byte[] bytes = new byte[random.nextInt(64)];
            random.nextBytes(bytes);
            if (bytes.length > 4 && i % 2 == 0) {
                bytes[0] = bytes[1] = bytes[2] = 0;
            }
            assertFalse(CaptionSearch.findsIn(unit(bytes)));
        }
    }

    private static byte[] unit(int type, int... body) {
        byte[] bytes = new byte[body.length];
        for (int i = 0; i < body.length; i++) {
            bytes[i] = (byte) body[i];
        }
        return unit(type, bytes);
    }

    private static byte[] unit(int type, byte[] body) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(new byte[] {0, 0, 0, (byte) (body.length + 1), (byte) type});
        out.writeBytes(body);
        return out.toByteArray();
    }

    private static AccessUnit frame(byte[]... units) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] unit : units) {
            out.writeBytes(unit);
        }
        return unit(out.toByteArray());
    }

    private static AccessUnit unit(byte[] payload) {
        Track video = TestMedia.VIDEO;
        return new AccessUnit(video, 0, 0, true, MemorySegment.ofArray(payload));
    }
}
