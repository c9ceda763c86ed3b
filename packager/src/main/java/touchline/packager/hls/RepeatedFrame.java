package touchline.packager.hls;

import java.lang.foreign.MemorySegment;
import touchline.media.AccessUnit;
import touchline.media.CodecConfig;

/** A key frame that is shown again. */
final class RepeatedFrame {
    /** Access unit delimiter, behind its length. Source: ITU-T H.264, 7.3.2.4. */
    private static final byte[] DELIMITER = {0x09, (byte) 0xF0};

    private RepeatedFrame() {}

    /**
     * Makes a copy. Consecutive H.264 key frames have different idr_pic_ids (ITU-T H.264, 7.4.3). A
     * decoder could take equal ones for slices of one frame, so a delimiter starts the copy.
     */
    static AccessUnit of(AccessUnit keyFrame, long dtsTicks) {
        AccessUnit copy =
                keyFrame.at(keyFrame.track(), dtsTicks, keyFrame.compositionTimeOffsetTicks());
        return keyFrame.track().codec() instanceof CodecConfig.Avc(var config)
                ? new AccessUnit(
                        copy.track(),
                        copy.dtsTicks(),
                        copy.compositionTimeOffsetTicks(),
                        copy.idr(),
                        delimited(keyFrame.payload(), config.nalLengthBytes()))
                : copy;
    }

    private static MemorySegment delimited(MemorySegment payload, int lengthBytes) {
        byte[] bytes = new byte[Math.toIntExact(lengthBytes + DELIMITER.length + payload.byteSize())];
        bytes[lengthBytes - 1] = (byte) DELIMITER.length;
        System.arraycopy(DELIMITER, 0, bytes, lengthBytes, DELIMITER.length);
        MemorySegment.copy(
                payload,
                0,
                MemorySegment.ofArray(bytes),
                lengthBytes + DELIMITER.length,
                payload.byteSize());
        return MemorySegment.ofArray(bytes);
    }
}
