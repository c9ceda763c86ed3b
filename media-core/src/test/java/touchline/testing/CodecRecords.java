package touchline.testing;

import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import touchline.media.CodecConfig;
import touchline.media.codec.Av1Config;
import touchline.media.codec.HevcConfig;
import touchline.media.codec.OpusConfig;

/**
 * Configurations of codecs besides H.264 and AAC, as encoders wrote them, without SEI. Immutable,
 * any thread.
 */
public final class CodecRecords {
    /** Main profile, 1280x720, 30 frames a second, by x265. */
    public static final String HEVC_720P30 =
            "0101600000009000000000005df000fcfdf8f800000f03a00001001840010c01ffff01600000"
                    + "030090000003000003005d959809a10001002b42010101600000030090000003000003005da0"
                    + "0280802d165959a4932bc05a020000030002000003003c10a2000100074401c172b46240";

    /** 1280x720, by SVT-AV1. */
    public static final String AV1_720P = "81050c000a0b0000002d4cffb3c02f8004";

    /** 640x360, by libaom. */
    public static final String AV1_360P = "81010c000a0b0000000cc4ff6736be4010";

    /** 48 kHz, stereo (RFC 7845, 5.1). */
    private static final String OPUS_STEREO = "4f707573486561640102380180bb0000000000";

    private CodecRecords() {}

    public static CodecConfig hevc() {
        return new CodecConfig.Hevc(HevcConfig.parse(bytes(HEVC_720P30)));
    }

    /** The smaller one. */
    public static CodecConfig av1() {
        return new CodecConfig.Av1(Av1Config.parse(bytes(AV1_360P)));
    }

    public static CodecConfig opus() {
        return new CodecConfig.Opus(OpusConfig.parse(bytes(OPUS_STEREO)));
    }

    private static MemorySegment bytes(String hex) {
        return MemorySegment.ofArray(HexFormat.of().parseHex(hex));
    }
}
