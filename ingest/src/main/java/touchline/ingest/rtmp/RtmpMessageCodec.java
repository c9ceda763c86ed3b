package touchline.ingest.rtmp;

import static java.nio.ByteOrder.BIG_ENDIAN;

import io.netty.buffer.ByteBuf;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import touchline.ingest.amf.AmfCodec;
import touchline.ingest.amf.AmfValue;
import touchline.ingest.amf.AmfValueLimit;
import touchline.media.codec.MalformedMediaException;

/** Message type id and payload to {@link RtmpMessage}, and back. Stateless, any thread. */
final class RtmpMessageCodec {
    static final int SET_CHUNK_SIZE = 1;
    static final int ABORT = 2;
    static final int ACKNOWLEDGEMENT = 3;
    static final int USER_CONTROL = 4;
    static final int WINDOW_ACKNOWLEDGEMENT_SIZE = 5;
    static final int SET_PEER_BANDWIDTH = 6;
    static final int AUDIO = 8;
    static final int VIDEO = 9;
    static final int DATA_AMF3 = 15;
    static final int COMMAND_AMF3 = 17;
    static final int DATA_AMF0 = 18;
    static final int COMMAND_AMF0 = 20;
    static final int AGGREGATE = 22;

    /** Larger chunk sizes are read as this one, since no message is longer (RTMP 1.0, 5.4.1). */
    static final int MAX_CHUNK_SIZE = 0xff_ffff;

    private static final int TAG_HEADER_BYTES = 11;
    private static final int BACK_POINTER_BYTES = 4;
    private static final ValueLayout.OfInt U32 =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(BIG_ENDIAN);

    private RtmpMessageCodec() {}

    /** Whether it is a protocol control, user control or command message. */
    static boolean isCommandOrControl(int typeId) {
        return (typeId >= SET_CHUNK_SIZE && typeId <= SET_PEER_BANDWIDTH)
                || typeId == COMMAND_AMF0
                || typeId == COMMAND_AMF3;
    }

    /**
     * @param payload read-only; audio and video messages keep it
     * @param limit of AMF values, for the whole message
     * @throws MalformedMediaException for a payload that does not fit its type
     */
    static RtmpMessage decode(
            int typeId,
            int messageStreamId,
            long timestampMs,
            MemorySegment payload,
            AmfValueLimit limit) {
        return switch (typeId) {
            case AUDIO -> new RtmpMessage.Audio(timestampMs, payload);
            case VIDEO -> new RtmpMessage.Video(timestampMs, payload);
            case SET_CHUNK_SIZE -> new RtmpMessage.SetChunkSize(chunkSize(u32(payload, 0)));
            case ABORT -> new RtmpMessage.Abort((int) u32(payload, 0));
            case ACKNOWLEDGEMENT -> new RtmpMessage.Acknowledgement(u32(payload, 0));
            case WINDOW_ACKNOWLEDGEMENT_SIZE ->
                    new RtmpMessage.WindowAcknowledgementSize(u32(payload, 0));
            case SET_PEER_BANDWIDTH ->
                    new RtmpMessage.SetPeerBandwidth(
                            u32(payload, 0), payload.byteSize() > 4 ? u8(payload, 4) : 0);
            case USER_CONTROL -> userControl(payload);
            case COMMAND_AMF0 -> command(messageStreamId, AmfCodec.read(payload, limit));
            case COMMAND_AMF3 -> command(messageStreamId, AmfCodec.read(unwrapped(payload), limit));
            case DATA_AMF0 -> data(messageStreamId, AmfCodec.read(payload, limit));
            case DATA_AMF3 -> data(messageStreamId, AmfCodec.read(unwrapped(payload), limit));
            case AGGREGATE -> aggregate(messageStreamId, timestampMs, payload, limit);
            default -> new RtmpMessage.Ignored(typeId);
        };
    }

    /**
     * Appends the payload of a message that the server sends.
     *
     * @return its message type id
     */
    static int encode(RtmpMessage message, ByteBuf out) {
        return switch (message) {
            case RtmpMessage.SetChunkSize(int bytes) -> u32(out, SET_CHUNK_SIZE, bytes);
            case RtmpMessage.Abort(int chunkStreamId) -> u32(out, ABORT, chunkStreamId);
            case RtmpMessage.Acknowledgement(long number) -> u32(out, ACKNOWLEDGEMENT, number);
            case RtmpMessage.WindowAcknowledgementSize(long bytes) ->
                    u32(out, WINDOW_ACKNOWLEDGEMENT_SIZE, bytes);
            case RtmpMessage.SetPeerBandwidth(long bytes, int limitType) -> {
                u32(out, SET_PEER_BANDWIDTH, bytes);
                out.writeByte(limitType);
                yield SET_PEER_BANDWIDTH;
            }
            case RtmpMessage.UserControl(int event, long value) -> {
                out.writeShort(event);
                yield u32(out, USER_CONTROL, value);
            }
            case RtmpMessage.Command command -> {
                AmfCodec.write(out, new AmfValue.Text(command.name()));
                AmfCodec.write(out, new AmfValue.Num(command.transactionId()));
                command.arguments().forEach(value -> AmfCodec.write(out, value));
                yield COMMAND_AMF0;
            }
            case RtmpMessage.Data data -> {
                AmfCodec.write(out, new AmfValue.Text(data.name()));
                data.values().forEach(value -> AmfCodec.write(out, value));
                yield DATA_AMF0;
            }
            case RtmpMessage.Audio(_, MemorySegment payload) -> bytes(out, AUDIO, payload);
            case RtmpMessage.Video(_, MemorySegment payload) -> bytes(out, VIDEO, payload);
            case RtmpMessage.Aggregate _, RtmpMessage.Ignored _ ->
                    throw new IllegalArgumentException("not sent: " + message);
        };
    }

    /**
     * AMF3 messages hold AMF0 values behind one zero byte, and single AMF3 values behind an {@code
     * avmplus-object} marker; encoders that leave the zero out begin with a string marker.
     */
    private static MemorySegment unwrapped(MemorySegment payload) {
        return payload.byteSize() > 0 && u8(payload, 0) == 0 ? payload.asSlice(1) : payload;
    }

    private static RtmpMessage command(int messageStreamId, List<AmfValue> values) {
        String name =
                values.isEmpty()
                        ? ""
                        : values.getFirst()
                                .text()
                                .orElseThrow(
                                        () ->
                                                new MalformedMediaException(
                                                        "command name (expected: a string)"));
        double transactionId = values.size() > 1 ? values.get(1).number().orElse(0.0) : 0;
        return new RtmpMessage.Command(
                messageStreamId,
                name,
                transactionId,
                values.subList(Math.min(2, values.size()), values.size()));
    }

    private static RtmpMessage data(int messageStreamId, List<AmfValue> values) {
        return values.isEmpty()
                ? new RtmpMessage.Data(messageStreamId, "", values)
                : new RtmpMessage.Data(
                        messageStreamId,
                        values.getFirst().text().orElse(""),
                        values.subList(1, values.size()));
    }

    private static RtmpMessage userControl(MemorySegment payload) {
        if (payload.byteSize() < 2) {
            throw tooShort(payload, 2);
        }
        int event = (u8(payload, 0) << 8) | u8(payload, 1);
        return new RtmpMessage.UserControl(event, payload.byteSize() < 6 ? 0 : u32(payload, 2));
    }

    /**
     * FLV tags one after the other, each behind an 11 byte header and before a 4 byte length of the
     * whole tag, which is not looked at. Times are moved so that the first tag has the time of the
     * message (RTMP 1.0, 7.1.6).
     */
    private static RtmpMessage aggregate(
            int messageStreamId, long timestampMs, MemorySegment payload, AmfValueLimit limit) {
        List<RtmpMessage> messages = new ArrayList<>();
        int firstTagMs = 0;
        long position = 0;
        while (payload.byteSize() - position >= TAG_HEADER_BYTES) {
            int typeId = u8(payload, position);
            long lengthBytes = u32(payload, position) & 0xff_ffff;
            long timeAndExtension = u32(payload, position + 4);
            int tagMs = (int) ((timeAndExtension >>> 8) | ((timeAndExtension & 0xff) << 24));
            position += TAG_HEADER_BYTES;
            if (lengthBytes > payload.byteSize() - position) {
                throw new MalformedMediaException(
                        "aggregate tag length: "
                                + lengthBytes
                                + " (expected: <= "
                                + (payload.byteSize() - position)
                                + ")");
            }
            if (messages.isEmpty()) {
                firstTagMs = tagMs;
            }
            if (typeId == AUDIO || typeId == VIDEO || typeId == DATA_AMF0) {
                messages.add(
                        decode(
                                typeId,
                                messageStreamId,
                                timestampMs + (tagMs - firstTagMs),
                                payload.asSlice(position, lengthBytes),
                                limit));
            }
            position += lengthBytes + BACK_POINTER_BYTES;
        }
        return new RtmpMessage.Aggregate(messages);
    }

    private static int chunkSize(long announced) {
        if (announced == 0) {
            throw new MalformedMediaException("chunk size: 0 (expected: 1 to 16777215)");
        }
        return (int) Math.min(announced, MAX_CHUNK_SIZE);
    }

    private static int u8(MemorySegment payload, long offset) {
        return payload.get(ValueLayout.JAVA_BYTE, offset) & 0xff;
    }

    private static long u32(MemorySegment payload, long offset) {
        if (payload.byteSize() < offset + 4) {
            throw tooShort(payload, offset + 4);
        }
        return payload.get(U32, offset) & 0xffff_ffffL;
    }

    private static int u32(ByteBuf out, int typeId, long value) {
        out.writeInt((int) value);
        return typeId;
    }

    private static int bytes(ByteBuf out, int typeId, MemorySegment payload) {
        out.writeBytes(payload.asByteBuffer());
        return typeId;
    }

    private static MalformedMediaException tooShort(MemorySegment payload, long expected) {
        return new MalformedMediaException(
                "message length: " + payload.byteSize() + " (expected: >= " + expected + ")");
    }
}
