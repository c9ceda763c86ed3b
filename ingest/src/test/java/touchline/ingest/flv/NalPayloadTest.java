package touchline.ingest.flv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import touchline.media.codec.MalformedMediaException;

final class NalPayloadTest {
    private static final byte SLICE = 0x41;

    /** Slices of one byte, each behind its length. */
    private static MemorySegment slices(int count) {
        ByteBuffer body = ByteBuffer.allocate(count * 5);
        for (int i = 0; i < count; i++) {
            body.putInt(1).put(SLICE);
        }
        return MemorySegment.ofArray(body.array());
    }

    @Test
    void frame_withAsManySlicesAsCodecsAllow_passesUnchanged() {
        MemorySegment body = slices(NalPayload.MAX_UNITS);

        assertSame(body, NalPayload.of(FlvCodec.AVC, body, 4).units());
    }

    /** 4 MiB of slices of one byte keep a decoder busy for seconds. */
    @ParameterizedTest
    @EnumSource(
            value = FlvCodec.class,
            names = {"AVC", "HEVC"})
    void frame_withSlicesWithoutEnd_isMalformed(FlvCodec codec) {
        for (int slices : new int[] {NalPayload.MAX_UNITS + 1, 800_000}) {
            MalformedMediaException e =
                    assertThrows(
                            MalformedMediaException.class,
                            () -> NalPayload.of(codec, slices(slices), 4));
            assertEquals("NAL units of a frame: more than 1024 (slices)", e.getMessage());
        }
    }
}
