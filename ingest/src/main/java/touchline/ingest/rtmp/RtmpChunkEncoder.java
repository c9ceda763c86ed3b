package touchline.ingest.rtmp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.MessageToByteEncoder;
import java.lang.foreign.MemorySegment;

/**
 * Writes messages to the chunk stream (RTMP 1.0, 5.3): each starts with a chunk of type 0 and
 * continues in chunks of type 3, which repeat an extended timestamp. A server sends a publisher a
 * few short answers, so the shorter types 1 and 2 would save nothing; a client's absolute times
 * need no memory of the times before. One per connection, on its event loop.
 */
final class RtmpChunkEncoder extends MessageToByteEncoder<RtmpMessage> {
    private static final int CONTROL_STREAM = 2;
    private static final int COMMAND_STREAM = 3;
    private static final int AUDIO_STREAM = 4;
    private static final int DATA_STREAM = 5;
    private static final int VIDEO_STREAM = 6;
    private static final int TYPE_3 = 0xc0;
    private static final int MARKS_EXTENDED = 0xff_ffff;

    /** Header of the first chunk, with an extended timestamp. */
    private static final int FIRST_HEADER_BYTES = 16;

    /** Header of each further chunk, with an extended timestamp. */
    private static final int NEXT_HEADER_BYTES = 5;

    private int chunkSize = 128;
    private int mediaStreamId = 1;

    RtmpChunkEncoder() {
        super(RtmpMessage.class);
    }

    /** The message stream of audio and video, as the answer to createStream names it. */
    void mediaStreamId(int id) {
        mediaStreamId = id;
    }

    /** Media has its exact size, so that its bytes are copied once. */
    @Override
    protected ByteBuf allocateBuffer(
            ChannelHandlerContext ctx, RtmpMessage message, boolean preferDirect) throws Exception {
        return switch (message) {
            case RtmpMessage.Audio(_, MemorySegment payload) -> mediaBuffer(ctx, payload);
            case RtmpMessage.Video(_, MemorySegment payload) -> mediaBuffer(ctx, payload);
            default -> super.allocateBuffer(ctx, message, preferDirect);
        };
    }

    private ByteBuf mediaBuffer(ChannelHandlerContext ctx, MemorySegment payload) {
        long bytes = payload.byteSize();
        long chunks = bytes / chunkSize + 1;
        return ctx.alloc()
                .ioBuffer(Math.toIntExact(bytes + FIRST_HEADER_BYTES + chunks * NEXT_HEADER_BYTES));
    }

    @Override
    protected void encode(ChannelHandlerContext ctx, RtmpMessage message, ByteBuf out) {
        ByteBuf payload = payload(ctx, message);
        try {
            int typeId = typeId(message, payload);
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

    /** Media is borrowed. Other payloads are encoded by {@link #typeId}. */
    private static ByteBuf payload(ChannelHandlerContext ctx, RtmpMessage message) {
        return switch (message) {
            case RtmpMessage.Audio(_, MemorySegment bytes) ->
                    Unpooled.wrappedBuffer(bytes.asByteBuffer());
            case RtmpMessage.Video(_, MemorySegment bytes) ->
                    Unpooled.wrappedBuffer(bytes.asByteBuffer());
            default -> ctx.alloc().buffer();
        };
    }

    private static int typeId(RtmpMessage message, ByteBuf payload) {
        return switch (message) {
            case RtmpMessage.Audio _ -> RtmpMessageCodec.AUDIO;
            case RtmpMessage.Video _ -> RtmpMessageCodec.VIDEO;
            default -> RtmpMessageCodec.encode(message, payload);
        };
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

    private int messageStreamId(RtmpMessage message) {
        return switch (message) {
            case RtmpMessage.Command command -> command.messageStreamId();
            case RtmpMessage.Data data -> data.messageStreamId();
            case RtmpMessage.Audio _, RtmpMessage.Video _ -> mediaStreamId;
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
