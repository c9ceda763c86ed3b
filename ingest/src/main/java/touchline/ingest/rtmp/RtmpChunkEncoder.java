package touchline.ingest.rtmp;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.MessageToByteEncoder;

/**
 * Writes messages to the chunk stream (RTMP 1.0, 5.3): each starts with a chunk of type 0 and
 * continues in chunks of type 3, which repeat an extended timestamp. A server sends a publisher a
 * few short answers, so the shorter types 1 and 2 would save nothing. One per connection, on its
 * event loop.
 */
final class RtmpChunkEncoder extends MessageToByteEncoder<RtmpMessage> {
    private static final int CONTROL_STREAM = 2;
    private static final int COMMAND_STREAM = 3;
    private static final int AUDIO_STREAM = 4;
    private static final int DATA_STREAM = 5;
    private static final int VIDEO_STREAM = 6;
    private static final int TYPE_3 = 0xc0;
    private static final int MARKS_EXTENDED = 0xff_ffff;

    private int chunkSize = 128;

    RtmpChunkEncoder() {
        super(RtmpMessage.class);
    }

    @Override
    protected void encode(ChannelHandlerContext ctx, RtmpMessage message, ByteBuf out) {
        ByteBuf payload = ctx.alloc().buffer();
        try {
            int typeId = RtmpMessageCodec.encode(message, payload);
            int time = (int) timestampMs(message);
            boolean extended = Integer.compareUnsigned(time, MARKS_EXTENDED) >= 0;
            int chunkStreamId = chunkStreamId(message);
            out.writeByte(chunkStreamId);
            out.writeMedium(extended ? MARKS_EXTENDED : time);
            out.writeMedium(payload.readableBytes());
            out.writeByte(typeId);
            out.writeIntLE(messageStreamId(message));
            while (true) {
                if (extended) {
                    out.writeInt(time);
                }
                out.writeBytes(payload, Math.min(chunkSize, payload.readableBytes()));
                if (!payload.isReadable()) {
                    break;
                }
                out.writeByte(TYPE_3 | chunkStreamId);
            }
        } finally {
            payload.release();
        }
        if (message instanceof RtmpMessage.SetChunkSize(int bytes)) {
            chunkSize = bytes;
        }
    }

    private static int chunkStreamId(RtmpMessage message) {
        return switch (message) {
            case RtmpMessage.Command command when command.messageStreamId() != 0 -> DATA_STREAM;
            case RtmpMessage.Command _ -> COMMAND_STREAM;
            case RtmpMessage.Data _ -> DATA_STREAM;
            case RtmpMessage.Audio _ -> AUDIO_STREAM;
            case RtmpMessage.Video _ -> VIDEO_STREAM;
            case RtmpMessage.SetChunkSize _,
                    RtmpMessage.Abort _,
                    RtmpMessage.Acknowledgement _,
                    RtmpMessage.WindowAcknowledgementSize _,
                    RtmpMessage.SetPeerBandwidth _,
                    RtmpMessage.UserControl _,
                    RtmpMessage.Aggregate _,
                    RtmpMessage.Ignored _ ->
                    CONTROL_STREAM;
        };
    }

    private static int messageStreamId(RtmpMessage message) {
        return switch (message) {
            case RtmpMessage.Command command -> command.messageStreamId();
            case RtmpMessage.Data data -> data.messageStreamId();
            case RtmpMessage.Audio _, RtmpMessage.Video _ -> 1;
            case RtmpMessage.SetChunkSize _,
                    RtmpMessage.Abort _,
                    RtmpMessage.Acknowledgement _,
                    RtmpMessage.WindowAcknowledgementSize _,
                    RtmpMessage.SetPeerBandwidth _,
                    RtmpMessage.UserControl _,
                    RtmpMessage.Aggregate _,
                    RtmpMessage.Ignored _ ->
                    0;
        };
    }

    private static long timestampMs(RtmpMessage message) {
        return switch (message) {
            case RtmpMessage.Audio(long timestampMs, _) -> timestampMs;
            case RtmpMessage.Video(long timestampMs, _) -> timestampMs;
            case RtmpMessage.Command _,
                    RtmpMessage.Data _,
                    RtmpMessage.SetChunkSize _,
                    RtmpMessage.Abort _,
                    RtmpMessage.Acknowledgement _,
                    RtmpMessage.WindowAcknowledgementSize _,
                    RtmpMessage.SetPeerBandwidth _,
                    RtmpMessage.UserControl _,
                    RtmpMessage.Aggregate _,
                    RtmpMessage.Ignored _ ->
                    0;
        };
    }
}
