package touchline.ingest.rtmp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.HexFormat;
import touchline.ingest.amf.AmfCodec;
import touchline.ingest.amf.AmfValue;

/** What encoders put on the wire, written by hand and not by the code under test. */
final class RtmpBytes {
    static final int HANDSHAKE_BYTES = 1_536;

    /** 320x180, with B-frames, by x264. */
    static final String AVC_CONFIG =
            "014d400dffe10019674d400deca0a0cfcf8088000003000800000301e078a14cb001000468ce0fc8";

    /** AAC-LC, 48 kHz, stereo. */
    static final String AAC_CONFIG = "119056e500";

    static final String HEVC_CONFIG =
            "0101600000009000000000003cf000fcfdf8f800000f03a00001001840010c01"
                    + "ffff01600000030090000003000003003c959409a10001002b42010101600000"
                    + "030090000003000003003ca00a080c1f3e595952930bc05a0200000300020000"
                    + "03003c10a2000100064401c073c189";

    static final String AVC_HEADER = "1700000000" + AVC_CONFIG;
    static final String AAC_HEADER = "af00" + AAC_CONFIG;

    /** An IDR frame of one unit, 66 ms composition time. */
    static final String KEY_FRAME = "1701000042" + "00000003658884";

    /** A P frame of one unit. */
    static final String FRAME = "2701000000" + "00000002419a";

    static final String AUDIO = "af01" + "210012";

    private RtmpBytes() {}

    static byte[] hex(String text) {
        return HexFormat.of().parseHex(text.replace(" ", ""));
    }

    static byte[] join(byte[]... parts) {
        var out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    /** C0, C1 of a plain handshake and C2. */
    static byte[] handshake() {
        byte[] c1 = new byte[HANDSHAKE_BYTES];
        Arrays.fill(c1, 8, HANDSHAKE_BYTES, (byte) 7);
        return join(new byte[] {3}, c1, new byte[HANDSHAKE_BYTES]);
    }

    /** One whole message: a chunk of type 0, then of type 3, each of at most 128 bytes of data. */
    static byte[] message(int chunkStream, int type, int messageStream, long time, byte[] payload) {
        return message(chunkStream, type, messageStream, time, payload, 128);
    }

    static byte[] message(
            int chunkStream, int type, int messageStream, long time, byte[] payload, int chunk) {
        ByteBuf out = Unpooled.buffer();
        boolean extended = time >= 0xff_ffff;
        out.writeByte(chunkStream);
        out.writeMedium(extended ? 0xff_ffff : (int) time);
        out.writeMedium(payload.length);
        out.writeByte(type);
        out.writeIntLE(messageStream);
        int done = 0;
        while (true) {
            if (extended) {
                out.writeInt((int) time);
            }
            int count = Math.min(chunk, payload.length - done);
            out.writeBytes(payload, done, count);
            done += count;
            if (done == payload.length) {
                return bytes(out);
            }
            out.writeByte(0xc0 | chunkStream);
        }
    }

    static byte[] command(int messageStream, String name, AmfValue... values) {
        return message(3, 20, messageStream, 0, join(amf(new AmfValue.Text(name)), amf(values)));
    }

    static byte[] data(String name, AmfValue... values) {
        return message(4, 18, 1, 0, join(amf(new AmfValue.Text(name)), amf(values)));
    }

    static byte[] video(long time, String payload) {
        return message(6, 9, 1, time, hex(payload));
    }

    static byte[] audio(long time, String payload) {
        return message(4, 8, 1, time, hex(payload));
    }

    /** Headers, a key frame and a frame, with audio. */
    static byte[] publishedMedia() {
        return join(
                data(
                        "@setDataFrame",
                        Encoder.text("onMetaData"),
                        Encoder.object("videocodecid", "7", "audiocodecid", "10")),
                video(0, AVC_HEADER),
                audio(0, AAC_HEADER),
                gop(0));
    }

    /** A key frame and a frame, with audio. */
    static byte[] gop(int timeMs) {
        return join(video(timeMs, KEY_FRAME), audio(timeMs, AUDIO), video(timeMs + 40, FRAME));
    }

    static byte[] amf(AmfValue... values) {
        ByteBuf out = Unpooled.buffer();
        for (AmfValue value : values) {
            AmfCodec.write(out, value);
        }
        return bytes(out);
    }

    static byte[] bytes(ByteBuf buffer) {
        byte[] bytes = new byte[buffer.readableBytes()];
        buffer.readBytes(bytes);
        buffer.release();
        return bytes;
    }
}
