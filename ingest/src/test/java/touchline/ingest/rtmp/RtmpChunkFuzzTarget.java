package touchline.ingest.rtmp;

import static touchline.ingest.rtmp.RtmpBytes.hex;
import static touchline.ingest.rtmp.RtmpBytes.join;
import static touchline.ingest.rtmp.RtmpBytes.message;

import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import touchline.ingest.amf.AmfValue;
import touchline.media.codec.MalformedMediaException;
import touchline.testing.fuzz.FuzzTarget;

/**
 * Bytes behind the handshake. The first byte chooses the limits (bit 0: a publisher) and the size
 * of what the network delivers at once (the other bits; 0: everything). However the network cuts
 * the bytes, the same messages arrive; the end leaves no buffer and no held bytes.
 */
public final class RtmpChunkFuzzTarget implements FuzzTarget {
    private static final int MAX_MESSAGE_BYTES = 1 << 20;

    @Override
    public String name() {
        return "rtmp-chunks";
    }

    @Override
    public List<byte[]> seeds() {
        byte[] connect = RtmpBytes.command(0, "connect", new AmfValue.Num(1), AmfValue.Absent.NULL);
        byte[] publish =
                RtmpBytes.command(
                        1,
                        "publish",
                        new AmfValue.Num(5),
                        AmfValue.Absent.NULL,
                        new AmfValue.Text("key"));
        byte[] chunkSize = message(2, 1, 0, 0, hex("00000004"));
        return List.of(
                join(hex("00"), connect, publish),
                join(hex("0f"), chunkSize, message(6, 9, 1, 0, hex("1701000042"), 4)),
                join(hex("03"), RtmpBytes.video(0, RtmpBytes.AVC_HEADER), hex("c6")),
                join(hex("01"), RtmpBytes.audio(0x100_0000L, RtmpBytes.AUDIO)),
                // an aggregate, an abort, an acknowledgement window, all behind each other
                join(
                        hex("05"),
                        message(6, 22, 1, 9, hex("09000003000010000000001701020000000e")),
                        hex("04000000000010080100000001020304"),
                        message(2, 2, 0, 0, hex("00000004")),
                        message(2, 5, 0, 0, hex("00001000")),
                        message(2, 6, 0, 0, hex("0000100002")),
                        message(2, 4, 0, 0, hex("000600000001"))),
                // types 0, 1, 2 and 3 on one chunk stream; ids of two and three bytes
                join(
                        hex("01"),
                        hex("06 000000 000001 09 01000000 aa 46 000010 000002 09 aabb"),
                        hex("86 000010 aabb c6 aabb 00ff 000000 000001 08 01000000 aa"),
                        hex("01ffff 000000 000000 08 01000000")),
                join(hex("01"), RtmpBytes.data("@setDataFrame", new AmfValue.Text("onMetaData"))));
    }

    @Override
    public void read(byte[] input) {
        if (input.length == 0) {
            return;
        }
        boolean publisher = (input[0] & 1) != 0;
        int step = (input[0] & 0xff) >> 1;
        byte[] wire = Arrays.copyOfRange(input, 1, input.length);
        List<String> whole = messages(wire, publisher, wire.length);
        List<String> cut = messages(wire, publisher, step == 0 ? wire.length : step);
        if (!whole.equals(cut)) {
            throw new AssertionError("whole: " + whole + ", in pieces: " + cut);
        }
    }

    /** A header of 12 bytes may reserve 64 KiB, which an abort of 16 bytes frees again. */
    @Override
    public long maxAllocatedBytes(int inputBytes) {
        return (1L << 20) + 12_000L * inputBytes;
    }

    /** What the decoder makes of the bytes, one line a message. */
    private static List<String> messages(byte[] wire, boolean publisher, int step) {
        var buffers = new UnpooledByteBufAllocator(false, true);
        var budget = new ReceiveBudget(64 << 20);
        var decoder = new RtmpChunkDecoder(MAX_MESSAGE_BYTES, new RtmpCounters(), budget);
        var channel = new EmbeddedChannel();
        channel.config().setAllocator(buffers);
        channel.pipeline().addLast(decoder);
        if (publisher) {
            decoder.admitted();
        }
        List<String> messages = new ArrayList<>();
        try {
            for (int at = 0; at < wire.length; at += step) {
                channel.writeInbound(
                        buffers.buffer().writeBytes(wire, at, Math.min(step, wire.length - at)));
            }
        } catch (MalformedMediaException e) {
            messages.add("malformed");
        }
        for (Object message = channel.readInbound();
                message != null;
                message = channel.readInbound()) {
            messages.add(messages.size() + described((RtmpMessage) message));
        }
        channel.finishAndReleaseAll();
        require(budget.usedBytes() == 0, "held bytes", budget.usedBytes());
        long left = buffers.metric().usedHeapMemory() + buffers.metric().usedDirectMemory();
        require(left == 0, "bytes of buffers left", left);
        return messages;
    }

    private static String described(RtmpMessage message) {
        return switch (message) {
            case RtmpMessage.Audio(long timestampMs, var payload) ->
                    timestampMs + Arrays.toString(payload.toArray(ValueLayout.JAVA_BYTE));
            case RtmpMessage.Video(long timestampMs, var payload) ->
                    timestampMs + Arrays.toString(payload.toArray(ValueLayout.JAVA_BYTE));
            case RtmpMessage.Command command -> command.name() + command.transactionId() + command;
            case RtmpMessage.Data data -> data.name() + data + OnMetaData.of(data);
            default -> message.toString();
        };
    }

    private static void require(boolean holds, String what, long came) {
        if (!holds) {
            throw new AssertionError(what + ": " + came + " (expected: 0)");
        }
    }
}
