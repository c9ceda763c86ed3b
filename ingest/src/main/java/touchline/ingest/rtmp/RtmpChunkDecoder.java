package touchline.ingest.rtmp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.collection.IntObjectHashMap;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import touchline.media.codec.MalformedMediaException;

/**
 * Assembles messages from the chunk stream (RTMP 1.0, 5.3). Reads each buffer in place, copies
 * payload into the array of its message (see {@link ChunkStream}) and releases the buffer. Sends
 * acknowledgements as the peer requests them. Forwards everything but protocol control messages.
 *
 * <pre>
 * basic header    fmt (2 bits) + chunk stream id: 6 bits, or 0 + 8 bits, or 1 + 16 bits
 * message header  fmt 0: time 3, length 3, type 1, message stream 4 (little endian)
 *                 fmt 1: delta 3, length 3, type 1;   fmt 2: delta 3;   fmt 3: nothing
 * extended time   4, where the last time or delta field was 0xffffff
 * data            at most one chunk size
 * </pre>
 *
 * One per connection, on its event loop. Malformed input ends in a {@link MalformedMediaException}
 * through {@code exceptionCaught}; nothing is read after it.
 */
final class RtmpChunkDecoder extends ChannelInboundHandlerAdapter {
    /** Encoders use 3 to 6 of 65 597. */
    static final int MAX_CHUNK_STREAMS = 1_024;

    private static final int DEFAULT_CHUNK_SIZE = 128;
    private static final int MARKS_EXTENDED = 0xff_ffff;
    private static final int MIN_WINDOW_BYTES = 4_096;
    private static final int[] MESSAGE_HEADER_BYTES = {11, 7, 3, 0};

    private final int maxMessageBytes;
    private final RtmpCounters counters;
    private final ReceiveBudget budget;
    private final IntObjectHashMap<ChunkStream> streams = new IntObjectHashMap<>(8);
    private final TimestampUnwrapper unwrapper = new TimestampUnwrapper();

    private int chunkSize = DEFAULT_CHUNK_SIZE;
    private boolean failed;
    private boolean held;
    private @Nullable ReceiveLimits limits;
    private @Nullable ChannelHandlerContext context;

    /** The chunk being read, and the number of its missing bytes. */
    private @Nullable ChunkStream current;

    private int currentBytes;

    /** The first bytes of a header that is not complete, at most 18; all bytes while held. */
    private byte @Nullable [] leftover;

    private final AcknowledgementPolicy acknowledgements = new AcknowledgementPolicy();
    private long reportedBytes;
    private int unreportedMessages;

    RtmpChunkDecoder(int maxMessageBytes, RtmpCounters counters, ReceiveBudget budget) {
        this.maxMessageBytes = maxMessageBytes;
        this.counters = counters;
        this.budget = budget;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
        limits =
                new ReceiveLimits(
                        maxMessageBytes, budget.open(() -> ctx.executor().execute(() -> cut(ctx))));
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        limits().close();
    }

    private void cut(ChannelHandlerContext ctx) {
        counters.refuse(RtmpCounters.Refusal.RECEIVE_BUDGET);
        stop();
        var _ = ctx.close();
    }

    /** A publish was accepted: media may come, and the limits of publishers hold. */
    void admitted() {
        limits().admitted();
    }

    /** Decodes nothing behind the current message until {@link #resume}. */
    void hold() {
        held = true;
    }

    /** Decodes what has arrived since {@link #hold}. */
    void resume() {
        ChannelHandlerContext ctx = context;
        if (ctx == null || !held) {
            return;
        }
        held = false;
        byte[] waiting = leftover;
        if (waiting != null) {
            leftover = null;
            limits().held(-waiting.length);
            try {
                decode(ctx, Unpooled.wrappedBuffer(waiting));
            } catch (MalformedMediaException e) {
                ctx.fireExceptionCaught(e);
            }
        }
    }

    /** Drops everything that arrives from now on. */
    void stop() {
        failed = true;
        leftover = null;
        streams.clear();
        limits().close();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf in = (ByteBuf) message;
        if (failed) {
            in.release();
            return;
        }
        acknowledgements.received(in.readableBytes());
        decode(ctx, joined(ctx, in));
    }

    /** Releases the buffer. */
    private void decode(ChannelHandlerContext ctx, ByteBuf in) {
        try {
            boolean more = true;
            while (more && !held && !failed && in.isReadable()) {
                more = current != null ? readData(ctx, current, in) : readHeader(ctx, in);
            }
            if (in.isReadable() && !failed) {
                keep(in);
            }
        } catch (MalformedMediaException e) {
            stop();
            throw e;
        } finally {
            in.release();
        }
    }

    private void keep(ByteBuf in) {
        int bytes = in.readableBytes();
        if (held) {
            limits().undecided(bytes);
        }
        leftover = new byte[bytes];
        in.readBytes(leftover);
    }

    /** Sends acknowledgements to this connection's peer. */
    AcknowledgementPolicy acknowledgements() {
        return acknowledgements;
    }

    /** Acknowledges and counts. */
    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        acknowledgements.flush(ctx);
        long receivedBytes = acknowledgements.receivedBytes();
        counters.received(receivedBytes - reportedBytes, unreportedMessages);
        reportedBytes = receivedBytes;
        unreportedMessages = 0;
        ctx.fireChannelReadComplete();
    }

    /** A header that was cut by the network is at most 18 bytes, and the case is rare: copy. */
    private ByteBuf joined(ChannelHandlerContext ctx, ByteBuf in) {
        byte[] first = leftover;
        if (first == null) {
            return in;
        }
        leftover = null;
        if (held) {
            limits().held(-first.length);
        }
        try {
            return ctx.alloc()
                    .buffer(first.length + in.readableBytes())
                    .writeBytes(first)
                    .writeBytes(in);
        } finally {
            in.release();
        }
    }

    /**
     * Reads one header, whole or not at all.
     *
     * @return false where more bytes are needed; nothing has been consumed then
     */
    private boolean readHeader(ChannelHandlerContext ctx, ByteBuf in) {
        int start = in.readerIndex();
        int available = in.readableBytes();
        int first = in.getUnsignedByte(start);
        int format = first >> 6;
        int low = first & 0x3f;
        int basicBytes = low > 1 ? 1 : low + 2;
        int fieldBytes = MESSAGE_HEADER_BYTES[format];
        if (available < basicBytes + fieldBytes) {
            return false;
        }
        int chunkStreamId =
                switch (low) {
                    case 0 -> in.getUnsignedByte(start + 1) + 64;
                    case 1 -> in.getUnsignedShortLE(start + 1) + 64;
                    default -> low;
                };
        ChunkStream known = streams.get(chunkStreamId);
        int fields = start + basicBytes;
        int time = fieldBytes >= 3 ? in.getUnsignedMedium(fields) : 0;
        int extendedBytes;
        if (format == 3) {
            extendedBytes =
                    known != null && known.extended ? repeatedTimeBytes(in, fields, known) : 0;
            if (extendedBytes < 0) {
                return false;
            }
        } else {
            extendedBytes = time == MARKS_EXTENDED ? 4 : 0;
            if (available < basicBytes + fieldBytes + extendedBytes) {
                return false;
            }
        }
        ChunkStream stream = known != null ? known : open(chunkStreamId, format);
        if (format != 3) {
            if (stream.isUnfinished()) {
                throw new MalformedMediaException(
                        "chunk type: "
                                + format
                                + " inside a message on chunk stream "
                                + chunkStreamId
                                + " (expected: 3)");
            }
            takeFields(stream, format, in, fields, extendedBytes > 0);
        }
        in.skipBytes(basicBytes + fieldBytes + extendedBytes);
        beginChunk(ctx, stream, format);
        return true;
    }

    /**
     * Chunks of type 3 repeat the extended time (RTMP 1.0, 5.3.1.3), but some encoders leave it
     * out: it is there if the next four bytes say the time of the message.
     *
     * @return 4 or 0; -1 while too few bytes have arrived to decide
     */
    private static int repeatedTimeBytes(ByteBuf in, int offset, ChunkStream stream) {
        int available = Math.min(4, in.writerIndex() - offset);
        int shift = 32 - 8 * available;
        int seen = 0;
        for (int i = 0; i < available; i++) {
            seen = (seen << 8) | in.getUnsignedByte(offset + i);
        }
        boolean matches =
                available == 0
                        || seen == stream.delta >>> shift
                        || seen == stream.timestamp >>> shift;
        if (!matches) {
            return 0;
        }
        return available == 4 ? 4 : -1;
    }

    private ChunkStream open(int chunkStreamId, int format) {
        if (format > 1) {
            throw new MalformedMediaException(
                    "chunk type: "
                            + format
                            + " first on chunk stream "
                            + chunkStreamId
                            + " (expected: 0)");
        }
        if (streams.size() == MAX_CHUNK_STREAMS) {
            throw new MalformedMediaException(
                    "chunk streams: more than " + MAX_CHUNK_STREAMS + " on one connection");
        }
        ChunkStream stream = new ChunkStream();
        streams.put(chunkStreamId, stream);
        return stream;
    }

    /** A type 3 message after type 0 adds the absolute time once more (RTMP 1.0, 5.3.1.2.4). */
    private static void takeFields(
            ChunkStream stream, int format, ByteBuf in, int offset, boolean extended) {
        int field =
                extended
                        ? in.getInt(offset + MESSAGE_HEADER_BYTES[format])
                        : in.getUnsignedMedium(offset);
        stream.extended = extended;
        stream.delta = field;
        stream.timestamp = format == 0 ? field : stream.timestamp + field;
        if (format <= 1) {
            stream.lengthBytes = in.getUnsignedMedium(offset + 3);
            stream.typeId = in.getUnsignedByte(offset + 6);
        }
        if (format == 0) {
            stream.messageStreamId = in.getIntLE(offset + 7);
        }
    }

    private void beginChunk(ChannelHandlerContext ctx, ChunkStream stream, int format) {
        if (!stream.isUnfinished()) {
            if (format == 3) {
                stream.timestamp += stream.delta;
            }
            limits().begin(stream.typeId, stream.lengthBytes);
            stream.begin();
            limits().held(stream.heldBytes());
        }
        currentBytes = Math.min(chunkSize, stream.missingBytes());
        if (currentBytes == 0) {
            emit(ctx, stream);
        } else {
            current = stream;
        }
    }

    private boolean readData(ChannelHandlerContext ctx, ChunkStream stream, ByteBuf in) {
        int count = Math.min(currentBytes, in.readableBytes());
        int before = stream.heldBytes();
        stream.append(in, count);
        limits().held(stream.heldBytes() - before);
        currentBytes -= count;
        if (currentBytes == 0) {
            current = null;
            if (stream.missingBytes() == 0) {
                emit(ctx, stream);
            }
        }
        return true;
    }

    private void emit(ChannelHandlerContext ctx, ChunkStream stream) {
        limits().end(stream.lengthBytes);
        limits().held(-stream.heldBytes());
        unreportedMessages++;
        long timestampMs = unwrapper.unwrap(stream.timestamp, isMedia(stream.typeId));
        RtmpMessage message =
                RtmpMessageCodec.decode(
                        stream.typeId,
                        stream.messageStreamId,
                        timestampMs,
                        MemorySegment.ofArray(stream.finish()).asReadOnly(),
                        limits().amfValues());
        switch (message) {
            case RtmpMessage.SetChunkSize(int bytes) -> chunkSize = bytes;
            case RtmpMessage.Abort(int chunkStreamId) -> abort(chunkStreamId);
            case RtmpMessage.WindowAcknowledgementSize(long bytes) ->
                    acknowledgements.window(Math.max(bytes, MIN_WINDOW_BYTES));
            case RtmpMessage.Aggregate aggregate ->
                    aggregate.messages().forEach(ctx::fireChannelRead);
            case RtmpMessage.Acknowledgement _,
                    RtmpMessage.SetPeerBandwidth _,
                    RtmpMessage.Ignored _ -> {}
            case RtmpMessage.Audio _,
                    RtmpMessage.Video _,
                    RtmpMessage.Command _,
                    RtmpMessage.Data _,
                    RtmpMessage.UserControl _ ->
                    ctx.fireChannelRead(message);
        }
    }

    private void abort(int chunkStreamId) {
        ChunkStream stream = streams.get(chunkStreamId);
        if (stream != null && stream.isUnfinished()) {
            limits().end(stream.lengthBytes);
            limits().held(-stream.heldBytes());
            stream.discard();
        }
    }

    private ReceiveLimits limits() {
        ReceiveLimits open = limits;
        if (open == null) {
            throw new IllegalStateException("handler not added");
        }
        return open;
    }

    private static boolean isMedia(int typeId) {
        return typeId == RtmpMessageCodec.AUDIO
                || typeId == RtmpMessageCodec.VIDEO
                || typeId == RtmpMessageCodec.AGGREGATE;
    }
}
