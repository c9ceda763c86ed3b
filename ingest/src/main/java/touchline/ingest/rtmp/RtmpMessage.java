package touchline.ingest.rtmp;

import java.lang.foreign.MemorySegment;
import java.util.List;
import touchline.ingest.amf.AmfValue;

/**
 * One whole RTMP message (RTMP 1.0, 5.4, 6.2 and 7.1). Immutable, any thread. The text form of
 * those that may hold a stream key shows no values.
 */
sealed interface RtmpMessage {

    /** Sets the largest chunk that the sender of this message will send (5.4.1). */
    record SetChunkSize(int bytes) implements RtmpMessage {}

    /** The rest of a message will not come (5.4.2). */
    record Abort(int chunkStreamId) implements RtmpMessage {}

    /**
     * Bytes that the sender of this message has received (5.4.3).
     *
     * @param sequenceNumber bytes, modulo 2^32
     */
    record Acknowledgement(long sequenceNumber) implements RtmpMessage {}

    /** Number of bytes after which the sender expects an acknowledgement (5.4.4). */
    record WindowAcknowledgementSize(long bytes) implements RtmpMessage {}

    /**
     * Maximum of unacknowledged bytes (5.4.5).
     *
     * @param limitType 0 hard, 1 soft, 2 dynamic
     */
    record SetPeerBandwidth(long bytes, int limitType) implements RtmpMessage {}

    /**
     * A user control message (6.2 and 7.1.7).
     *
     * @param event which one
     * @param value its first 32 bits: a message stream id, or the time of a ping
     */
    record UserControl(int event, long value) implements RtmpMessage {
        static final int STREAM_BEGIN = 0;
        static final int PING_REQUEST = 6;
        static final int PING_RESPONSE = 7;
    }

    /**
     * A command or its answer (7.1.1).
     *
     * @param transactionId 0 if no answer is expected
     * @param arguments what follows the transaction id, the command object included
     */
    record Command(int messageStreamId, String name, double transactionId, List<AmfValue> arguments)
            implements RtmpMessage {
        public Command {
            arguments = List.copyOf(arguments);
        }

        /** An argument by position; the command object is 0. Undefined where it is missing. */
        AmfValue argument(int index) {
            return index < arguments.size() ? arguments.get(index) : AmfValue.Absent.UNDEFINED;
        }

        @Override
        public String toString() {
            return "Command[" + arguments.size() + " arguments]";
        }
    }

    /**
     * A data message (7.1.2).
     *
     * @param name its first value, e.g. {@code @setDataFrame}; empty where that is no text
     */
    record Data(int messageStreamId, String name, List<AmfValue> values) implements RtmpMessage {
        public Data {
            values = List.copyOf(values);
        }

        @Override
        public String toString() {
            return "Data[" + values.size() + " values]";
        }
    }

    /**
     * An audio message (7.1.4).
     *
     * @param timestampMs unwrapped to 64 bits
     * @param payload the body of an FLV audio tag, read-only
     */
    record Audio(long timestampMs, MemorySegment payload) implements RtmpMessage {}

    /**
     * A video message (7.1.5).
     *
     * @param timestampMs unwrapped to 64 bits
     * @param payload the body of an FLV video tag, read-only
     */
    record Video(long timestampMs, MemorySegment payload) implements RtmpMessage {}

    /**
     * Several FLV tags in one message (7.1.6).
     *
     * @param messages the audio, video and data messages in it
     */
    record Aggregate(List<RtmpMessage> messages) implements RtmpMessage {
        public Aggregate {
            messages = List.copyOf(messages);
        }
    }

    /** A type that publishing does not need, shared objects among them (7.1.3). */
    record Ignored(int typeId) implements RtmpMessage {}
}
