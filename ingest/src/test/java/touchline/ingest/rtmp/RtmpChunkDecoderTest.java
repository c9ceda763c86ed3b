package touchline.ingest.rtmp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static touchline.ingest.rtmp.RtmpBytes.hex;
import static touchline.ingest.rtmp.RtmpBytes.join;
import static touchline.ingest.rtmp.RtmpBytes.message;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(NoLeaks.class)
class RtmpChunkDecoderTest {
    private static final int MAX_MESSAGE_BYTES = 4 << 20;

    private final RtmpCounters counters = new RtmpCounters();

    @Test
    void message_cutAtEveryByte_isTheSame() {
        byte[] payload = pattern(300);
        byte[] wire = message(6, 9, 1, 1_000, payload);

        for (int cut = 0; cut <= wire.length; cut++) {
            EmbeddedChannel channel = channel();
            channel.writeInbound(Unpooled.copiedBuffer(Arrays.copyOf(wire, cut)));
            channel.writeInbound(Unpooled.copiedBuffer(Arrays.copyOfRange(wire, cut, wire.length)));

            assertVideo(channel, 1_000, payload);
            assertFalse(channel.finish());
        }
    }

    @Test
    void session_byteByByte_isTheSame() {
        byte[] wire =
                join(
                        message(2, 1, 0, 0, hex("00001000")),
                        message(6, 9, 1, 0x2000000, pattern(5_000), 4_096),
                        message(4, 8, 1, 0x2000017, pattern(10)),
                        hex("44 000015 000003 08 aabbcc"),
                        hex("84 000015 ddeeff"),
                        hex("c4 010203"));
        EmbeddedChannel whole = channel();
        whole.writeInbound(Unpooled.copiedBuffer(wire));
        EmbeddedChannel pieces = channel();
        for (byte octet : wire) {
            pieces.writeInbound(Unpooled.copiedBuffer(new byte[] {octet}));
        }

        List<String> expected =
                List.of(
                        "video 33554432 5000",
                        "audio 33554455 10",
                        "audio 33554476 aabbcc",
                        "audio 33554497 ddeeff",
                        "audio 33554518 010203");
        assertEquals(expected, dump(whole));
        assertEquals(expected, dump(pieces));
        assertFalse(whole.finish());
        assertFalse(pieces.finish());
    }

    @Test
    void chunkStreamIds_ofOneTwoAndThreeBytes_areKeptApart() {
        EmbeddedChannel channel = channel();

        feed(channel, hex("3f 000001 000001 08 01000000 01"));
        feed(channel, hex("00 00 000002 000001 08 01000000 02"));
        feed(channel, hex("01 0001 000003 000001 08 01000000 03"));
        feed(channel, hex("01 ffff 000004 000001 08 01000000 04"));
        feed(channel, hex("ff 05"));
        feed(channel, hex("c0 00 06"));
        feed(channel, hex("c1 0001 07"));
        feed(channel, hex("c1 ffff 08"));

        assertEquals(
                List.of(
                        "audio 1 01",
                        "audio 2 02",
                        "audio 3 03",
                        "audio 4 04",
                        "audio 2 05",
                        "audio 4 06",
                        "audio 6 07",
                        "audio 8 08"),
                dump(channel));
        assertFalse(channel.finish());
    }

    @Test
    void messages_interleaved_areBothWhole() {
        byte[] video = pattern(200);
        byte[] wire = message(6, 9, 1, 40, video);
        byte[] audioPart = message(4, 8, 1, 45, hex("af0121"));
        int firstChunk = 12 + 128;
        EmbeddedChannel channel = channel();

        feed(channel, Arrays.copyOf(wire, firstChunk));
        feed(channel, audioPart);
        feed(channel, Arrays.copyOfRange(wire, firstChunk, wire.length));

        assertInstanceOf(RtmpMessage.Audio.class, channel.readInbound());
        assertVideo(channel, 40, video);
        assertFalse(channel.finish());
    }

    @Test
    void extendedTime_leftOutInTypeThree_isStillUnderstood() {
        byte[] payload = pattern(300);
        byte[] wire =
                join(
                        hex("06 ffffff 00012c 09 01000000 01000000"),
                        Arrays.copyOf(payload, 128),
                        hex("c6"),
                        Arrays.copyOfRange(payload, 128, 256),
                        hex("c6"),
                        Arrays.copyOfRange(payload, 256, 300));

        for (int cut = 0; cut <= wire.length; cut++) {
            EmbeddedChannel channel = channel();
            feed(channel, Arrays.copyOf(wire, cut));
            feed(channel, Arrays.copyOfRange(wire, cut, wire.length));

            assertVideo(channel, 0x1000000, payload);
            assertFalse(channel.finish());
        }
    }

    @Test
    void extendedTime_absoluteBehindADelta_isUnderstood() {
        byte[] payload = pattern(130);
        EmbeddedChannel channel = channel();

        feed(channel, hex("06 000005 000001 09 01000000 00"));
        feed(
                channel,
                join(
                        hex("46 ffffff 000082 09 01000000"),
                        Arrays.copyOf(payload, 128),
                        hex("c6 01000005"),
                        Arrays.copyOfRange(payload, 128, 130)));

        channel.readInbound();
        assertVideo(channel, 0x1000005, payload);
        assertFalse(channel.finish());
    }

    @Test
    void times_wrappingAround_goOnRising() {
        EmbeddedChannel channel = channel();

        feed(channel, message(6, 9, 1, 0xffff_fff0L, hex("00")));
        feed(channel, message(4, 8, 1, 0xffff_fff8L, hex("00")));
        feed(channel, hex("46 000020 000001 09 00"));
        feed(channel, message(4, 8, 1, 5, hex("00")));
        feed(channel, message(6, 9, 1, 0xffff_fffeL, hex("00")));

        assertEquals(
                List.of(
                        "video 4294967280 00",
                        "audio 4294967288 00",
                        "video 4294967312 00",
                        "audio 4294967301 00",
                        "video 4294967294 00"),
                dump(channel));
        assertFalse(channel.finish());
    }

    @Test
    void metadata_atTimeZero_doesNotMoveTheReference() {
        EmbeddedChannel channel = channel();

        feed(channel, message(6, 9, 1, 0xc000_0000L, hex("00")));
        feed(channel, RtmpBytes.data("onMetaData"));
        feed(channel, message(6, 9, 1, 0xc000_0021L, hex("00")));

        assertEquals("video 3221225472 00", dump(channel.<Object>readInbound()));
        assertInstanceOf(RtmpMessage.Data.class, channel.readInbound());
        assertEquals("video 3221225505 00", dump(channel.<Object>readInbound()));
        assertFalse(channel.finish());
    }

    @Test
    void aggregate_isTakenApart() {
        byte[] payload =
                join(
                        hex("09 000002 000064 00 000000 aabb 0000000d"),
                        hex("08 000001 000078 00 000000 cc 0000000c"),
                        hex("09 000000 00008c 00 000000 0000000b"));
        EmbeddedChannel channel = channel();

        feed(channel, message(6, 22, 1, 5_000, payload));

        assertEquals(List.of("video 5000 aabb", "audio 5020 cc", "video 5040 "), dump(channel));
        assertFalse(channel.finish());
    }

    @Test
    void chunkSize_aboveTheLargestMessage_isReadAsThat() {
        byte[] payload = pattern(200_000);
        EmbeddedChannel channel = channel();

        feed(channel, message(2, 1, 0, 0, hex("7fffffff")));
        feed(channel, message(6, 9, 1, 0, payload, 1 << 24));

        assertVideo(channel, 0, payload);
        assertFalse(channel.finish());
    }

    @Test
    void abort_dropsTheUnfinishedMessage() {
        EmbeddedChannel channel = channel();

        feed(channel, Arrays.copyOf(message(6, 9, 1, 0, pattern(300)), 12 + 128));
        feed(channel, message(2, 2, 0, 0, hex("00000006")));
        feed(channel, message(6, 9, 1, 7, hex("01")));

        assertVideo(channel, 7, hex("01"));
        assertNull(channel.readInbound());
        assertFalse(channel.finish());
    }

    @Test
    void emptyMessage_isPassedOn() {
        EmbeddedChannel channel = channel();

        feed(channel, message(4, 8, 1, 9, new byte[0]));

        assertEquals(List.of("audio 9 "), dump(channel));
        assertFalse(channel.finish());
    }

    @Test
    void window_thatIsFull_isAcknowledged() {
        RtmpChunkDecoder decoder = decoder();
        EmbeddedChannel channel = new EmbeddedChannel(new RtmpChunkEncoder(), decoder);
        decoder.admitted();
        feed(channel, message(2, 5, 0, 0, hex("00002000")));
        feed(channel, message(2, 1, 0, 0, hex("00ffffff")));
        feed(channel, message(6, 9, 1, 0, pattern(8_000), 1 << 24));
        assertNull(channel.readOutbound());

        feed(channel, message(6, 9, 1, 0, pattern(200), 1 << 24));

        assertEquals(
                List.of(new RtmpMessage.Acknowledgement(16 + 16 + 8_012 + 212)),
                new ServerOutput().read(channel));
        assertTrue(channel.finishAndReleaseAll());
    }

    @Test
    void counters_countBytesAndMessages() {
        EmbeddedChannel channel = channel();
        byte[] wire = message(6, 9, 1, 0, pattern(300));

        feed(channel, wire);
        feed(channel, wire);

        assertEquals(2L * wire.length, counters.bytesIn());
        assertEquals(2, counters.messagesIn());
        assertTrue(channel.finishAndReleaseAll());
    }

    private EmbeddedChannel channel() {
        return RtmpChunkLimitsTest.publisher(decoder());
    }

    private RtmpChunkDecoder decoder() {
        return new RtmpChunkDecoder(MAX_MESSAGE_BYTES, counters, new ReceiveBudget(64 << 20));
    }

    private static void feed(EmbeddedChannel channel, byte[] wire) {
        channel.writeInbound(Unpooled.copiedBuffer(wire));
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

    private static List<String> dump(EmbeddedChannel channel) {
        List<String> lines = new ArrayList<>();
        for (Object message = channel.readInbound();
                message != null;
                message = channel.readInbound()) {
            lines.add(dump(message));
        }
        return lines;
    }

    private static String dump(Object message) {
        return switch (message) {
            case RtmpMessage.Video video ->
                    "video " + video.timestampMs() + " " + text(video.payload());
            case RtmpMessage.Audio audio ->
                    "audio " + audio.timestampMs() + " " + text(audio.payload());
            default -> message.toString();
        };
    }

    private static String text(MemorySegment payload) {
        return payload.byteSize() >= 10
                ? Long.toString(payload.byteSize())
                : HexFormat.of().formatHex(payload.toArray(ValueLayout.JAVA_BYTE));
    }
}
