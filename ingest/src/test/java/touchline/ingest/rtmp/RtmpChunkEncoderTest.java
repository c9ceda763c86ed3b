package touchline.ingest.rtmp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static touchline.ingest.rtmp.RtmpBytes.hex;
import static touchline.ingest.rtmp.RtmpBytes.join;

import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import touchline.ingest.amf.AmfValue;

@ExtendWith(NoLeaks.class)
class RtmpChunkEncoderTest {
    private final EmbeddedChannel channel = new EmbeddedChannel(new RtmpChunkEncoder());

    @Test
    void controlMessages_areWrittenAsTheStandardSays() {
        assertArrayEquals(
                hex("02 000000 000004 01 00000000 00001000"),
                written(new RtmpMessage.SetChunkSize(4_096)));
        assertArrayEquals(
                hex("02 000000 000004 02 00000000 00000006"), written(new RtmpMessage.Abort(6)));
        assertArrayEquals(
                hex("02 000000 000004 03 00000000 fffffffe"),
                written(new RtmpMessage.Acknowledgement(0xffff_fffeL)));
        assertArrayEquals(
                hex("02 000000 000004 05 00000000 002625a0"),
                written(new RtmpMessage.WindowAcknowledgementSize(2_500_000)));
        assertArrayEquals(
                hex("02 000000 000005 06 00000000 002625a0 02"),
                written(new RtmpMessage.SetPeerBandwidth(2_500_000, 2)));
        assertArrayEquals(
                hex("02 000000 000006 04 00000000 0000 00000001"),
                written(new RtmpMessage.UserControl(RtmpMessage.UserControl.STREAM_BEGIN, 1)));
        assertFalse(channel.finish());
    }

    @Test
    void command_longerThanAChunk_goesOnInTypeThree() {
        byte[] wire =
                written(
                        new RtmpMessage.Command(
                                1, "x", 0, List.of(new AmfValue.Text("y".repeat(150)))));

        byte[] head = hex("05 000000 0000a6 14 01000000 020001 78 00 0000000000000000 020096");
        assertArrayEquals(
                join(
                        head,
                        "y".repeat(128 - (head.length - 12)).getBytes(StandardCharsets.US_ASCII),
                        hex("c5"),
                        "y".repeat(166 - 128).getBytes(StandardCharsets.US_ASCII)),
                wire);
        assertFalse(channel.finish());
    }

    @Test
    void extendedTime_isRepeatedInEveryChunk() {
        written(new RtmpMessage.SetChunkSize(2));

        byte[] wire =
                written(
                        new RtmpMessage.Audio(
                                0x0100_0001L, MemorySegment.ofArray(hex("010203")).asReadOnly()));

        assertArrayEquals(hex("04 ffffff 000003 08 01000000 01000001 0102 c4 01000001 03"), wire);
        assertFalse(channel.finish());
    }

    @Test
    void whatIsWritten_isReadBackByTheDecoder() {
        List<RtmpMessage> messages =
                List.of(
                        new RtmpMessage.UserControl(RtmpMessage.UserControl.PING_RESPONSE, 77),
                        new RtmpMessage.Command(
                                1, "onStatus", 0, List.of(new AmfValue.Text("z".repeat(70_000)))),
                        new RtmpMessage.Data(1, "onMetaData", List.of(AmfValue.Absent.NULL)));
        EmbeddedChannel reader =
                RtmpChunkLimitsTest.publisher(
                        new RtmpChunkDecoder(
                                1 << 20, new RtmpCounters(), new ReceiveBudget(64 << 20)));

        messages.forEach(channel::writeOutbound);
        for (ByteBuf out = channel.readOutbound(); out != null; out = channel.readOutbound()) {
            reader.writeInbound(out);
        }

        assertEquals(messages, List.copyOf(reader.inboundMessages()));
        assertFalse(channel.finish());
    }

    private byte[] written(RtmpMessage message) {
        channel.writeOutbound(message);
        return RtmpBytes.bytes(channel.readOutbound());
    }
}
