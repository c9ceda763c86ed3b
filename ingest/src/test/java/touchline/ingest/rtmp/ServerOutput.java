package touchline.ingest.rtmp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import touchline.ingest.amf.AmfValueLimit;

/** Reads what the server sends: chunks of type 0 and 3, one message at a time. */
final class ServerOutput {
    private int chunkSize = 128;

    /** All messages that the channel has written since the last call. */
    List<RtmpMessage> read(EmbeddedChannel channel) {
        ByteBuf all = Unpooled.buffer();
        for (ByteBuf out = channel.readOutbound(); out != null; out = channel.readOutbound()) {
            all.writeBytes(out);
            out.release();
        }
        List<RtmpMessage> messages = new ArrayList<>();
        while (all.isReadable()) {
            messages.add(readMessage(all));
        }
        all.release();
        return messages;
    }

    private RtmpMessage readMessage(ByteBuf in) {
        int first = in.readByte();
        if (first >> 6 != 0) {
            throw new AssertionError("chunk type: " + (first >> 6 & 3) + " (expected: 0)");
        }
        long time = in.readUnsignedMedium();
        byte[] payload = new byte[in.readUnsignedMedium()];
        int type = in.readUnsignedByte();
        int messageStream = in.readIntLE();
        boolean extended = time == 0xff_ffff;
        int done = 0;
        while (true) {
            if (extended) {
                time = in.readUnsignedInt();
            }
            int count = Math.min(chunkSize, payload.length - done);
            in.readBytes(payload, done, count);
            done += count;
            if (done == payload.length) {
                break;
            }
            int next = in.readUnsignedByte();
            if (next != (0xc0 | first)) {
                throw new AssertionError("chunk header: " + next);
            }
        }
        RtmpMessage message =
                RtmpMessageCodec.decode(
                        type,
                        messageStream,
                        time,
                        MemorySegment.ofArray(payload).asReadOnly(),
                        AmfValueLimit.ofMessage());
        if (message instanceof RtmpMessage.SetChunkSize(int bytes)) {
            chunkSize = bytes;
        }
        return message;
    }
}
