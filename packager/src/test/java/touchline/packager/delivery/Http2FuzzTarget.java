package touchline.packager.delivery;

import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import touchline.packager.hls.LivePlayback.PlaylistKind;
import touchline.testing.fuzz.FuzzInput;
import touchline.testing.fuzz.FuzzTarget;

/**
 * HTTP/2 frames behind the preface. The input describes frames: type, flags, stream (1 byte each),
 * length (2 bytes) and payload; a type above 9 makes a whole request for the path in the payload.
 * Lengths are right, so that changes reach the fields inside. Nothing is left behind.
 */
public final class Http2FuzzTarget implements FuzzTarget {
    private static final int MAX_FRAMES = 64;
    private static final int REQUEST = 10;

    private final NettyMediaMemory memory = new NettyMediaMemory();

    @Override
    public String name() {
        return "http2";
    }

    @Override
    public List<byte[]> seeds() {
        return List.of(
                request(1, "/id/ses/s1.m4s"),
                request(3, "/id/ses/media.m3u8?_HLS_msn=1&_HLS_part=0"),
                hex("040000000600040000000a" + "0601000008" + "0000000000000000"),
                hex("010501000a" + "828684418aa0e41d139d09b8f01e07"),
                hex("0101010003828684" + "0904010003418a00" + "030001000400000008"),
                hex("080000000400010000" + "0800010004000100ff" + "0700000008" + "00".repeat(8)),
                hex("0001010003616263" + "0200010005" + "0000000010"));
    }

    private static byte[] request(int stream, String path) {
        byte[] text = path.getBytes(StandardCharsets.ISO_8859_1);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(new byte[] {REQUEST, 5, (byte) stream, 0, (byte) text.length});
        out.writeBytes(text);
        return out.toByteArray();
    }

    private static byte[] hex(String text) {
        return HexFormat.of().parseHex(text);
    }

    @Override
    public long maxAllocatedBytes(int inputBytes) {
        return (8L << 20) + 8_192L * inputBytes;
    }

    @Override
    public void read(byte[] input) {
        var buffers = new UnpooledByteBufAllocator(false, true);
        FakePlayback session =
                new FakePlayback("ses", memory)
                        .blocks("s1", new byte[3])
                        .multivariantNaming("ses/media.m3u8")
                        .limit(3)
                        .playlistText(PlaylistKind.WINDOW, 1, "#EXTM3U\n");
        Http2Viewer viewer = new Http2Viewer(Viewer.showing(session));
        viewer.channel.config().setAllocator(buffers);
        FuzzInput frames = new FuzzInput(input);
        for (int i = 0; i < MAX_FRAMES && frames.hasMore() && viewer.channel.isOpen(); i++) {
            viewer.send(frame(frames));
        }
        viewer.leavesNothing(memory, session);
        long left = buffers.metric().usedHeapMemory() + buffers.metric().usedDirectMemory();
        if (left != 0) {
            throw new AssertionError("bytes of buffers left: " + left);
        }
    }

    private static byte[] frame(FuzzInput input) {
        int type = input.u8();
        int flags = input.u8();
        int stream = input.u8();
        byte[] payload = input.bytes(input.u16());
        return type % (REQUEST + 1) == REQUEST
                ? Http2Frames.get(stream, new String(payload, StandardCharsets.US_ASCII))
                : Http2Frames.frame(type % (REQUEST + 1), flags, stream, payload);
    }
}
