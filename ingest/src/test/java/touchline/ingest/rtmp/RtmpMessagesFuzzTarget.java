package touchline.ingest.rtmp;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import touchline.testing.fuzz.FuzzInput;
import touchline.testing.fuzz.FuzzTarget;

/**
 * Valid chunk streams, whatever the input says: messages of three chunk streams, with chunks
 * between each other's, all header types, long times and changes of the chunk size. The decoder
 * returns exactly these messages.
 */
public final class RtmpMessagesFuzzTarget implements FuzzTarget {
    private static final int MAX_MESSAGES = 40;
    private static final int MAX_PAYLOAD_BYTES = 700;
    private static final int EXTENDED = 0xff_ffff;

    @Override
    public String name() {
        return "rtmp-messages";
    }

    @Override
    public List<byte[]> seeds() {
        return List.of(
                RtmpBytes.hex("04 0010 0020 00 05 0011 0300 01 00 00 00"),
                RtmpBytes.hex("ff0010a1b2c3d4e5f60102030405060708090a0b0c0d0e0f"),
                "three chunk streams, one after the other, and with long times".getBytes(US_ASCII));
    }

    @Override
    public void read(byte[] input) {
        Sender sender = new Sender(new FuzzInput(input));
        sender.run();
        var decoder =
                new RtmpChunkDecoder(1 << 20, new RtmpCounters(), new ReceiveBudget(64 << 20));
        EmbeddedChannel channel = RtmpChunkLimitsTest.publisher(decoder);
        channel.writeInbound(sender.wire);
        List<String> came = new ArrayList<>();
        for (Object message = channel.readInbound();
                message != null;
                message = channel.readInbound()) {
            came.add(
                    switch ((RtmpMessage) message) {
                        case RtmpMessage.Audio(long timestampMs, var payload) ->
                                line(8, timestampMs, payload.toArray(ValueLayout.JAVA_BYTE));
                        case RtmpMessage.Video(long timestampMs, var payload) ->
                                line(9, timestampMs, payload.toArray(ValueLayout.JAVA_BYTE));
                        default -> "unexpected " + message;
                    });
        }
        channel.finishAndReleaseAll();
        if (!came.equals(sender.complete)) {
            throw new AssertionError("came: " + came + ", sent: " + sender.complete);
        }
    }

    @Override
    public long maxAllocatedBytes(int inputBytes) {
        return 4L << 20;
    }

    private static String line(int type, long timestampMs, byte[] payload) {
        return type + " " + timestampMs + " " + payload.length + " " + Arrays.hashCode(payload);
    }

    /** One message that is being sent. */
    private static final class Sending {
        final int type;
        final int timestampMs;
        final byte[] payload;
        int sentBytes;

        Sending(int type, int timestampMs, byte[] payload) {
            this.type = type;
            this.timestampMs = timestampMs;
            this.payload = payload;
        }
    }

    /** Writes what the input describes. */
    private static final class Sender {
        private final FuzzInput input;
        private final ByteBuf wire = Unpooled.buffer();
        private final List<String> complete = new ArrayList<>();
        private final List<Deque<Sending>> streams =
                List.of(new ArrayDeque<>(), new ArrayDeque<>(), new ArrayDeque<>());

        /** The last message of each chunk stream, for headers that leave fields out. */
        private final @Nullable Sending[] last = new Sending[3];

        private int chunkSize = 128;
        private int timestampMs;
        private int messages;

        Sender(FuzzInput input) {
            this.input = input;
        }

        void run() {
            while (input.hasMore() && messages < MAX_MESSAGES) {
                int decision = input.u8();
                int stream = decision % 3;
                switch (decision / 3 % 4) {
                    case 0, 1 -> queue(stream);
                    case 2 -> chunk(stream);
                    default -> changeChunkSize();
                }
            }
            for (int stream = 0; stream < 3; stream++) {
                while (!streams.get(stream).isEmpty()) {
                    chunk(stream);
                }
            }
        }

        private void queue(int stream) {
            messages++;
            timestampMs += input.u16() << (input.u8() & 7);
            timestampMs &= 0x3fff_ffff;
            byte[] payload = new byte[input.upTo(MAX_PAYLOAD_BYTES)];
            Arrays.fill(payload, (byte) messages);
            int type = (messages & 1) == 0 ? 8 : 9;
            streams.get(stream).add(new Sending(type, timestampMs, payload));
        }

        /** Between two messages and between the chunks of one. */
        private void changeChunkSize() {
            int before = chunkSize;
            chunkSize = 1 + input.upTo(900);
            byte[] payload = ByteBuffer.allocate(Integer.BYTES).putInt(chunkSize).array();
            wire.writeBytes(RtmpBytes.message(2, 1, 0, 0, payload, before));
        }

        private void chunk(int stream) {
            Sending message = streams.get(stream).peek();
            if (message == null) {
                return;
            }
            @Nullable Sending before = last[stream];
            if (message.sentBytes == 0) {
                begin(stream, message, before);
            } else {
                wire.writeByte(0xc0 | 4 + stream);
                if (message.timestampMs >= EXTENDED) {
                    wire.writeInt(message.timestampMs);
                }
            }
            int bytes = Math.min(chunkSize, message.payload.length - message.sentBytes);
            wire.writeBytes(message.payload, message.sentBytes, bytes);
            message.sentBytes += bytes;
            if (message.sentBytes == message.payload.length) {
                streams.get(stream).remove();
                last[stream] = message;
                complete.add(line(message.type, message.timestampMs, message.payload));
            }
        }

        /** Type 1 where a message came before and the times are short, type 0 otherwise. */
        private void begin(int stream, Sending message, @Nullable Sending before) {
            int since = before == null ? -1 : message.timestampMs - before.timestampMs;
            boolean delta =
                    since >= 0
                            && message.timestampMs < EXTENDED
                            && (message.payload.length & 1) == 0;
            int time = delta ? since : message.timestampMs;
            wire.writeByte((delta ? 0x40 : 0) | 4 + stream);
            wire.writeMedium(Math.min(time, EXTENDED));
            wire.writeMedium(message.payload.length);
            wire.writeByte(message.type);
            if (!delta) {
                wire.writeIntLE(1);
            }
            if (time >= EXTENDED) {
                wire.writeInt(time);
            }
        }
    }
}
