package touchline.ingest.rtmp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static touchline.ingest.rtmp.Encoder.KEY;
import static touchline.ingest.rtmp.Encoder.num;
import static touchline.ingest.rtmp.Encoder.text;
import static touchline.ingest.rtmp.RtmpBytes.audio;
import static touchline.ingest.rtmp.RtmpBytes.command;
import static touchline.ingest.rtmp.RtmpBytes.data;
import static touchline.ingest.rtmp.RtmpBytes.hex;
import static touchline.ingest.rtmp.RtmpBytes.message;
import static touchline.ingest.rtmp.RtmpBytes.video;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import touchline.ingest.amf.AmfValue;
import touchline.ingest.rtmp.RtmpCounters.Refusal;

/** What a connection may do before its publish is accepted. */
@ExtendWith(NoLeaks.class)
class BeforePublishTest {
    private static final int BUDGET_BYTES = 4 << 20;

    private final Encoder.Dependencies around = new Encoder.Dependencies(BUDGET_BYTES);
    private final List<Encoder> encoders = new ArrayList<>();

    @AfterEach
    void closeAll() {
        encoders.forEach(Encoder::close);
        around.close();
        assertEquals(0, around.budget.usedBytes());
    }

    static Stream<byte[]> notCommands() {
        return Stream.of(
                video(0, RtmpBytes.KEY_FRAME),
                audio(0, RtmpBytes.AUDIO),
                data("@setDataFrame", text("onMetaData")),
                message(6, 22, 1, 0, hex("08 000002 000000 00 000000 af01 0000000d")),
                message(6, 99, 1, 0, hex("00")));
    }

    @ParameterizedTest
    @MethodSource("notCommands")
    void message_thatIsNoCommand_closesTheConnection(byte[] wire) {
        Encoder encoder = connected();

        encoder.send(wire);

        assertFalse(encoder.channel.isOpen());
        assertEquals(1, around.counters.refused(Refusal.MALFORMED));
    }

    @Test
    void command_above64KiB_isRefusedByItsHeader() {
        Encoder encoder = connected();

        encoder.send(hex("03 000000 010001 14 00000000"));

        assertFalse(encoder.channel.isOpen());
    }

    @Test
    void command_withMoreThan4096Values_isMalformed() {
        Encoder encoder = connected();
        AmfValue[] values = new AmfValue[4_096];
        Arrays.fill(values, AmfValue.Absent.NULL);

        encoder.send(command(0, "x", values));

        assertFalse(encoder.channel.isOpen());
        assertEquals(1, around.counters.refused(Refusal.MALFORMED));
    }

    @Test
    void unfinishedCommands_above256KiB_areRefused() {
        Encoder encoder = connected();
        for (int chunkStream = 3; chunkStream < 7; chunkStream++) {
            encoder.send(unfinished(chunkStream));
            assertTrue(encoder.channel.isOpen());
        }

        encoder.send(unfinished(7));

        assertFalse(encoder.channel.isOpen());
        assertEquals(0, around.budget.usedBytes());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void connection_thatDoesNotPublish_endsAfterFiveSeconds(boolean connects) throws Exception {
        Encoder encoder = connects ? connected() : handshaken();
        encoder.replies();
        encoder.pass(Duration.ofMillis(4_990));
        assertTrue(encoder.channel.isOpen());

        encoder.pass(Duration.ofMillis(20));

        assertEquals(
                List.of("0 error NetStream.Publish.Idle: No publish within 5 s."),
                encoder.statuses());
        assertFalse(encoder.channel.isOpen());
        assertEquals(1, around.counters.refused(Refusal.PUBLISH_TIMEOUT));
    }

    /** Each connection stays below its own limits. All of them together do not. */
    @Test
    void manyConnections_withUnfinishedCommands_stayInTheBudget_thePublisherGoesOn() {
        Encoder publisher = connected();
        publisher.send(command(1, "publish", num(0), AmfValue.Absent.NULL, text(KEY)));

        for (int i = 0; i < 40; i++) {
            Encoder encoder = connected();
            for (int chunkStream = 3; chunkStream < 7; chunkStream++) {
                encoder.send(unfinished(chunkStream));
            }
            assertTrue(around.budget.usedBytes() <= BUDGET_BYTES);
        }
        encoders.forEach(each -> each.channel.runPendingTasks());
        publisher.send(
                video(0, RtmpBytes.AVC_HEADER),
                audio(0, RtmpBytes.AAC_HEADER),
                video(0, "1701000042" + "0001f000" + "65" + "88".repeat(0x1f000 - 1)));

        assertTrue(publisher.channel.isOpen());
        assertEquals(List.of("started str_1 MAIN"), around.life);
        assertTrue(around.counters.refused(Refusal.RECEIVE_BUDGET) > 0);
    }

    /** All but the last chunk of a command of 64 KiB. */
    private static byte[] unfinished(int chunkStream) {
        byte[] whole = message(chunkStream, 20, 0, 0, new byte[64 << 10]);
        return Arrays.copyOf(whole, whole.length - 129);
    }

    private Encoder handshaken() {
        Encoder encoder = new Encoder(around).handshake();
        encoders.add(encoder);
        return encoder;
    }

    private Encoder connected() {
        Encoder encoder = handshaken();
        encoder.connect("live");
        return encoder;
    }
}
