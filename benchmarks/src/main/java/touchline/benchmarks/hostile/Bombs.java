package touchline.benchmarks.hostile;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * Video messages of FLV whose few bytes demand gigabytes of a decoder. Sources: Enhanced RTMP v2
 * (ExVideoTagHeader), AV1 bitstream specification 5.5, Rec. ITU-T H.264 7.3.2.1.1.
 */
final class Bombs {
    /** A harmless configuration: 1280x720. */
    private static final String AV1_CONFIGURATION = "81050c000a0b0000002d4cffb3c02f8004";

    private static final String PPS = "68ebe3cb";
    private static final int AV1_SIDE = 16_128;
    private static final int SLICE_BYTES = 2_800;

    private Bombs() {}

    static byte[] av1Configuration() {
        byte[] config = HexFormat.of().parseHex(AV1_CONFIGURATION);
        return enhanced(/* packetType= */ 0, config);
    }

    /** A key frame with a sequence header of its own. */
    static byte[] av1KeyFrame() {
        Bits header = new Bits();
        header.u(3, 0).u(1, 0).u(1, 0).u(1, 0).u(1, 0).u(5, 0).u(12, 0).u(5, 8).u(1, 0);
        header.u(4, 13).u(4, 13).u(14, AV1_SIDE - 1).u(14, AV1_SIDE - 1).u(1, 1);
        byte[] payload = header.bytes();
        ByteArrayOutputStream unit = new ByteArrayOutputStream();
        unit.write(0x0a);
        unit.write(payload.length);
        unit.writeBytes(payload);
        // OBU_FRAME, with its size.
        unit.write(0x32);
        unit.write((SLICE_BYTES & 0x7F) | 0x80);
        unit.write(SLICE_BYTES >> 7);
        unit.writeBytes(new byte[SLICE_BYTES]);
        return enhanced(/* packetType= */ 1, unit.toByteArray());
    }

    private static byte[] enhanced(int packetType, byte[] body) {
        ByteArrayOutputStream tag = new ByteArrayOutputStream();
        tag.write(0x90 | packetType);
        tag.writeBytes("av01".getBytes(StandardCharsets.US_ASCII));
        tag.writeBytes(body);
        return tag.toByteArray();
    }

    /** High 4:4:4 Predictive, 10 bits (AVCDecoderConfigurationRecord, ISO/IEC 14496-15). */
    static byte[] avcConfiguration(int width, int height, int references) {
        byte[] sps = sps(width, height, references);
        byte[] pps = HexFormat.of().parseHex(PPS);
        ByteBuffer tag = ByteBuffer.allocate(32 + sps.length + pps.length);
        tag.put(new byte[] {0x17, 0, 0, 0, 0, 1, (byte) 244, 0, 52, -1, (byte) 0xE1});
        tag.putShort((short) sps.length).put(sps);
        tag.put((byte) 1).putShort((short) pps.length).put(pps);
        // Chroma format 3, two times bit depth 10, no further sets.
        tag.put(new byte[] {-1, (byte) 0xFA, (byte) 0xFA, 0});
        byte[] bytes = new byte[tag.position()];
        tag.get(0, bytes);
        return bytes;
    }

    /** A key frame of one slice without content. */
    static byte[] avcKeyFrame() {
        ByteBuffer tag = ByteBuffer.allocate(10 + SLICE_BYTES);
        tag.put(new byte[] {0x17, 1, 0, 0, 0}).putInt(1 + SLICE_BYTES).put((byte) 0x65);
        return tag.array();
    }

    private static byte[] sps(int width, int height, int references) {
        Bits bits = new Bits().u(8, 0x67).u(8, 244).u(8, 0).u(8, 52);
        bits.ue(0).ue(3).u(1, 0).ue(2).ue(2).u(1, 0).u(1, 0);
        bits.ue(0).ue(2).ue(references).u(1, 0);
        bits.ue(width / 16 - 1).ue(height / 16 - 1).u(1, 1).u(1, 0).u(1, 0).u(1, 0).u(1, 1);
        return bits.bytes();
    }

    /** Writes header fields, most significant bit first. */
    private static final class Bits {
        private final ByteArrayOutputStream out = new ByteArrayOutputStream();
        private int pending;
        private int count;

        Bits u(int width, int value) {
            for (int i = width - 1; i >= 0; i--) {
                pending = (pending << 1) | ((value >> i) & 1);
                count++;
                if (count == 8) {
                    out.write(pending);
                    pending = 0;
                    count = 0;
                }
            }
            return this;
        }

        Bits ue(int value) {
            int width = 32 - Integer.numberOfLeadingZeros(value + 1);
            return u(width - 1, 0).u(width, value + 1);
        }

        byte[] bytes() {
            while (count != 0) {
                u(1, 0);
            }
            return out.toByteArray();
        }
    }
}
