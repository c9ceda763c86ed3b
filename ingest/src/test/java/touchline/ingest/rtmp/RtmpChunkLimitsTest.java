package touchline.ingest.rtmp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static touchline.ingest.rtmp.RtmpBytes.hex;
import static touchline.ingest.rtmp.RtmpBytes.join;
import static touchline.ingest.rtmp.RtmpBytes.message;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import touchline.media.codec.MalformedMediaException;

@ExtendWith(NoLeaks.class)
class RtmpChunkLimitsTest {
    private static final int MAX_MESSAGE_BYTES = 4 << 20;

    private final RtmpCounters counters = new RtmpCounters();
    private final ReceiveBudget budget = new ReceiveBudget(64 << 20);

    @Test
    void aggregate_withALengthBeyondItsEnd_isMalformed() {
        assertMalformed(
                message(6, 22, 1, 0, hex("09 000003 000064 00 000000 aabb")),
                "aggregate tag length: 3 (expected: <= 2)");
    }

    @Test
    void aggregate_withTooManyValuesInAllItsTags_isMalformed() {
        byte[] tag = join(hex("12 007530 000000 00 000000"), nulls(30_000), hex("0000753b"));

        assertMalformed(
                message(6, 22, 1, 0, join(tag, tag, tag)),
                "AMF: more values than 65536 in one message");
    }

    private static byte[] nulls(int count) {
        byte[] bytes = new byte[count];
        Arrays.fill(bytes, (byte) 5);
        return bytes;
    }

    @Test
    void chunkSize_ofOne_isUsed() {
        byte[] payload = pattern(20);
        EmbeddedChannel channel = channel();

        feed(channel, message(2, 1, 0, 0, hex("00000001")));
        feed(channel, message(6, 9, 1, 0, payload, 1));

        assertVideo(channel, 0, payload);
        assertFalse(channel.finish());
    }

    @Test
    void chunkSize_zero_isMalformed() {
        assertMalformed(
                message(2, 1, 0, 0, hex("00000000")), "chunk size: 0 (expected: 1 to 16777215)");
    }

    @Test
    void controlMessage_tooShort_isMalformed() {
        assertMalformed(message(2, 1, 0, 0, hex("000000")), "message length: 3 (expected: >= 4)");
    }

    @Test
    void message_aboveTheLimit_isRefusedByItsHeader() {
        assertMalformed(
                hex("06 000000 400001 09 01000000"),
                "message length: 4194305 (expected: <= 4194304)");
    }

    @Test
    void message_atTheLimit_isTaken() {
        byte[] payload = pattern(MAX_MESSAGE_BYTES);
        EmbeddedChannel channel = channel();

        feed(channel, message(2, 1, 0, 0, hex("00ffffff")));
        feed(channel, message(6, 9, 1, 0, payload, 1 << 24));

        assertVideo(channel, 0, payload);
        assertTrue(channel.finishAndReleaseAll(), "more than a window: acknowledged");
    }

    @Test
    void unfinishedMessages_aboveTheLimit_areRefused() {
        EmbeddedChannel channel = channel();
        byte[] start = join(hex("000000 400000 09 01000000"), pattern(128));
        for (int chunkStream = 3; chunkStream < 7; chunkStream++) {
            feed(channel, join(new byte[] {(byte) chunkStream}, start));
        }

        var refused =
                assertThrows(
                        MalformedMediaException.class,
                        () -> feed(channel, hex("07 000000 000001 09 01000000")));

        assertEquals(
                "unfinished messages: 16777217 bytes (expected: <= 16777216)",
                refused.getMessage());
        assertFalse(channel.finish());
    }

    @Test
    void chunkStreams_moreThanTheLimit_areRefused() {
        EmbeddedChannel channel = channel();
        for (int i = 0; i < RtmpChunkDecoder.MAX_CHUNK_STREAMS; i++) {
            feed(channel, chunkOnStream(i));
        }

        assertThrows(
                MalformedMediaException.class,
                () -> feed(channel, chunkOnStream(RtmpChunkDecoder.MAX_CHUNK_STREAMS)));
        assertFalse(channel.finish());
    }

    @Test
    void typeTwoOrThree_firstOnAStream_isMalformed() {
        assertMalformed(hex("c6 00"), "chunk type: 3 first on chunk stream 6 (expected: 0)");
        assertMalformed(hex("86 000000"), "chunk type: 2 first on chunk stream 6 (expected: 0)");
    }

    @Test
    void newHeader_insideAMessage_isMalformed() {
        byte[] wire = message(6, 9, 1, 0, pattern(300));
        assertMalformed(
                join(Arrays.copyOf(wire, 12 + 128), wire),
                "chunk type: 0 inside a message on chunk stream 6 (expected: 3)");
    }

    @Test
    void bytes_behindMalformedOnes_areIgnored() {
        EmbeddedChannel channel = channel();
        assertThrows(MalformedMediaException.class, () -> feed(channel, hex("c6 00")));

        feed(channel, message(4, 8, 1, 0, hex("00")));

        assertNull(channel.readInbound());
        assertFalse(channel.finish());
    }

    @Test
    void randomAndDamagedInput_endsInMalformedAndNothingElse() {
        var random = new Random(20_261_120);
        byte[] session =
                join(
                        message(2, 1, 0, 0, hex("00000100")),
                        RtmpBytes.command(0, "connect"),
                        message(6, 9, 1, 0x1ffffff, pattern(600), 256),
                        message(6, 22, 1, 5_000, hex("09 000002 000064 00 000000 aabb 0000000d")));
        int malformed = 0;
        for (int round = 0; round < 3_000; round++) {
            byte[] wire = session.clone();
            if (round % 3 == 0) {
                random.nextBytes(wire);
            }
            for (int i = 0; i < 1 + round % 4; i++) {
                wire[random.nextInt(wire.length)] = (byte) random.nextInt();
            }
            EmbeddedChannel channel = channel();
            try {
                feed(channel, wire);
            } catch (MalformedMediaException e) {
                malformed++;
            }
            channel.finishAndReleaseAll();
        }
        assertTrue(malformed > 500, "malformed: " + malformed);
    }

    private void assertMalformed(byte[] wire, String message) {
        EmbeddedChannel channel = channel();
        var refused = assertThrows(MalformedMediaException.class, () -> feed(channel, wire));
        assertEquals(message, refused.getMessage());
        assertFalse(channel.finish());
    }

    private EmbeddedChannel channel() {
        return publisher(new RtmpChunkDecoder(MAX_MESSAGE_BYTES, counters, budget));
    }

    /** A connection whose publish was accepted. */
    static EmbeddedChannel publisher(RtmpChunkDecoder decoder) {
        EmbeddedChannel channel = new EmbeddedChannel(decoder);
        decoder.admitted();
        return channel;
    }

    private static void feed(EmbeddedChannel channel, byte[] wire) {
        channel.writeInbound(Unpooled.copiedBuffer(wire));
    }

    private static byte[] chunkOnStream(int index) {
        byte[] id = new byte[] {1, (byte) (index & 0xff), (byte) (index >> 8)};
        return join(id, hex("000000 000000 63 01000000"));
    }

    private static byte[] pattern(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (i * 31 + i / 256);
        }
        return bytes;
    }

    private static void assertVideo(EmbeddedChannel channel, long timestampMs, byte[] payload) {
        RtmpMessage.Video video = assertInstanceOf(RtmpMessage.Video.class, channel.readInbound());
        assertEquals(timestampMs, video.timestampMs());
        assertTrue(video.payload().isReadOnly());
        assertArrayEquals(payload, video.payload().toArray(ValueLayout.JAVA_BYTE));
    }
}
