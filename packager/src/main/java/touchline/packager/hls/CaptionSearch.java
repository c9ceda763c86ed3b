package touchline.packager.hls;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import touchline.media.AccessUnit;
import touchline.media.CodecConfig;

/**
 * Looks for closed captions in the SEI messages of H.264 and H.265 frames: {@code
 * user_data_registered_itu_t_t35} of ATSC with {@code cc_data} (ANSI/SCTE 128, 8.1). An encoder
 * that sends captions has the message in every frame, so key frames are enough. Stateless.
 */
final class CaptionSearch {
    private static final int AVC_SEI = 6;
    private static final int HEVC_PREFIX_SEI = 39;

    /** Country, provider, "GA94", type: cc_data. Needs no emulation prevention. */
    private static final long ATSC_CC_DATA = 0xB500_3147_4139_3403L;

    private static final ValueLayout.OfLong BE64 =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private CaptionSearch() {}

    /** False for other codecs. */
    static boolean findsIn(AccessUnit unit) {
        return switch (unit.track().codec()) {
            case CodecConfig.Avc(var config) ->
                    findsIn(unit.payload(), config.nalLengthBytes(), /* hevc= */ false);
            case CodecConfig.Hevc(var config) ->
                    findsIn(unit.payload(), config.nalLengthBytes(), /* hevc= */ true);
            case CodecConfig.Av1 _, CodecConfig.Aac _, CodecConfig.Opus _, CodecConfig.Mp3 _ ->
                    false;
        };
    }

    private static boolean findsIn(MemorySegment payload, int lengthBytes, boolean hevc) {
        long at = 0;
        while (at + lengthBytes < payload.byteSize()) {
            long size = 0;
            for (int i = 0; i < lengthBytes; i++) {
                size = size << 8 | payload.get(ValueLayout.JAVA_BYTE, at + i) & 0xFF;
            }
            at += lengthBytes;
            if (size == 0 || size > payload.byteSize() - at) {
                return false;
            }
            int header = payload.get(ValueLayout.JAVA_BYTE, at) & 0xFF;
            boolean sei = hevc ? header >> 1 == HEVC_PREFIX_SEI : (header & 0x1F) == AVC_SEI;
            if (sei && hasCaptions(payload.asSlice(at, size))) {
                return true;
            }
            at += size;
        }
        return false;
    }

    private static boolean hasCaptions(MemorySegment sei) {
        for (long at = 0; at + Long.BYTES <= sei.byteSize(); at++) {
            if (sei.get(BE64, at) == ATSC_CC_DATA) {
                return true;
            }
        }
        return false;
    }
}
