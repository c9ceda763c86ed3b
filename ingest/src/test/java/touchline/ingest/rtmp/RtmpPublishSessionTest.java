package touchline.ingest.rtmp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static touchline.ingest.rtmp.Encoder.KEY;
import static touchline.ingest.rtmp.Encoder.num;
import static touchline.ingest.rtmp.Encoder.text;
import static touchline.ingest.rtmp.RtmpBytes.audio;
import static touchline.ingest.rtmp.RtmpBytes.command;
import static touchline.ingest.rtmp.RtmpBytes.hex;
import static touchline.ingest.rtmp.RtmpBytes.message;
import static touchline.ingest.rtmp.RtmpBytes.video;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import touchline.ingest.amf.AmfValue;
import touchline.ingest.rtmp.RtmpCounters.Refusal;
import touchline.media.StreamId;
import touchline.media.hub.Role;
import touchline.media.hub.Subscription;

@ExtendWith(NoLeaks.class)
class RtmpPublishSessionTest {
    private static final String STARTED = "1 status NetStream.Publish.Start: Publishing started.";
    private final Encoder.Dependencies around = new Encoder.Dependencies();
    private final Encoder encoder = new Encoder(around).handshake();

    @AfterEach
    void closeAll() {
        encoder.close();
        around.close();
        assertEquals(0, around.counters.publishers());
    }

    @Test
    void connect_isAnsweredInOrder() {
        encoder.connect("live");

        List<RtmpMessage> replies = encoder.replies();
        assertEquals(
                List.of(
                        new RtmpMessage.WindowAcknowledgementSize(2_500_000),
                        new RtmpMessage.SetPeerBandwidth(2_500_000, 2),
                        new RtmpMessage.UserControl(0, 0),
                        new RtmpMessage.SetChunkSize(4_096)),
                replies.subList(0, 4));
        RtmpMessage.Command result = (RtmpMessage.Command) replies.get(4);
        assertEquals("_result", result.name());
        assertEquals(1, result.transactionId());
        assertEquals(
                text("NetConnection.Connect.Success"),
                result.argument(1).property("code").orElseThrow());
    }

    @Test
    void media_startsTheSession() {
        encoder.publish("live", KEY);
        assertEquals(List.of(STARTED), encoder.statuses());
        assertEquals(List.of(), around.life);

        encoder.send(
                video(0, RtmpBytes.AVC_HEADER),
                audio(0, RtmpBytes.AAC_HEADER),
                video(0, RtmpBytes.KEY_FRAME),
                audio(0, RtmpBytes.AUDIO));

        assertEquals(List.of("started str_1 MAIN"), around.life);
        assertEquals(1, around.counters.publishers());
    }

    @Test
    void everything_inOneReadBehindPublish_isTaken() {
        around.gateIsSlow = true;
        encoder.connect("live");
        encoder.send(
                command(1, "publish", num(0), AmfValue.Absent.NULL, text(KEY)),
                video(0, RtmpBytes.AVC_HEADER),
                audio(0, RtmpBytes.AAC_HEADER),
                video(0, RtmpBytes.KEY_FRAME));
        assertFalse(encoder.channel.config().isAutoRead());
        assertEquals(List.of(), around.life);

        around.decide();

        assertEquals(List.of(STARTED), encoder.statuses());
        assertTrue(encoder.channel.config().isAutoRead());
        assertEquals(List.of("started str_1 MAIN"), around.life);
    }

    /** A file is pushed as fast as it goes, and a reader falls behind. */
    @Test
    void media_fasterThanTheClockAndItsReader_waitsUntilThatHasRead() throws Exception {
        encoder.publish("live", KEY);
        encoder.send(video(0, RtmpBytes.AVC_HEADER), audio(0, RtmpBytes.AAC_HEADER));
        String frame = "1701000042" + "0000f000" + "65" + "88".repeat(0xf000 - 1);
        for (int second = 0; encoder.channel.config().isAutoRead() && second < 20; second++) {
            encoder.send(video(second * 1_000L, frame), audio(second * 1_000L, RtmpBytes.AUDIO));
        }
        Subscription reader = around.readers.getFirst();
        assertTrue(reader.queuedBytes() > Encoder.READER_BYTES / 2);
        assertEquals(0, reader.droppedUnits());
        encoder.pass(Encoder.CONFIG.idleTimeout().plusSeconds(1));
        assertFalse(encoder.channel.config().isAutoRead());
        assertTrue(encoder.channel.isOpen());

        reader.drain(_ -> {});
        encoder.pass(Duration.ofMillis(5));

        assertTrue(encoder.channel.config().isAutoRead());
    }

    /** Its system would answer with a reset and drop its unsent data. */
    @Test
    void media_farAheadOfTheClock_isAcknowledgedWhenNoMoreComes() throws Exception {
        encoder.publish("live", KEY);
        encoder.send(
                message(2, 5, 0, 0, hex("00002000")),
                video(0, RtmpBytes.AVC_HEADER),
                audio(0, RtmpBytes.AAC_HEADER));
        String frame = "1701000042" + "00002000" + "65" + "88".repeat(0x2000 - 1);
        encoder.send(video(0, frame));
        assertEquals(1, acknowledgements());
        for (int i = 1; i < 4; i++) {
            encoder.send(video(i * 1_500L, frame));
        }
        assertEquals(0, acknowledgements());

        // More has come since the first look; nothing until the second.
        encoder.pass(Duration.ofSeconds(1));
        assertEquals(0, acknowledgements());
        encoder.pass(Duration.ofSeconds(1));
        assertEquals(1, acknowledgements());
    }

    private long acknowledgements() {
        return encoder.replies().stream()
                .filter(RtmpMessage.Acknowledgement.class::isInstance)
                .count();
    }

    @Test
    void gate_answeringAfterTheConnectionHasGone_publishesNothing() {
        around.gateIsSlow = true;
        encoder.publish("live", KEY);
        encoder.disconnect();

        around.decide();
        encoder.channel.runPendingTasks();

        assertEquals(0, around.counters.publishers());
        assertEquals(List.of(), around.streams.active());
    }

    @ParameterizedTest
    @CsvSource({
        "live, k3y",
        "live, k3y?token=x",
        "live?x=y, k3y/",
        "'', k3y",
        "k3y, ''",
        "live/k3y, ''",
        "live/k3y?x=/y, ''",
        "live/k3y/, ''",
        "live/k3y, stream",
        "any/app/at/all, path/k3y"
    })
    void key_inAnyOfItsPlaces_isFound(String app, String name) {
        encoder.publish(app, name);

        assertEquals(List.of(STARTED), encoder.statuses());
    }

    @Test
    void secondPublisher_isRefused_theFirstGoesOn() {
        encoder.publish("live", KEY);
        encoder.replies();
        try (Encoder second = new Encoder(around).handshake()) {
            second.publish("live", KEY);
            assertEquals(List.of(), second.statuses());
            for (int i = 1; i < StreamEntry.MAX_TRIES; i++) {
                second.pass(Duration.ofMillis(StreamEntry.RETRY_MS));
            }

            assertEquals(
                    List.of(
                            "1 error NetStream.Publish.BadName:"
                                    + " The stream is already publishing."),
                    second.statuses());
            assertFalse(second.channel.isOpen());
        }
        assertTrue(encoder.channel.isOpen());
        assertEquals(1, around.counters.refused(Refusal.BUSY));
        assertEquals(1, around.counters.publishers());
    }

    /** Another event loop has not read the end of its old connection yet. */
    @Test
    void encoderThatReturns_beforeItsEndIsRead_publishes() {
        encoder.publish("live", KEY);
        encoder.replies();
        try (Encoder again = new Encoder(around).handshake()) {
            again.publish("live", KEY);
            assertEquals(List.of(), again.statuses());

            encoder.disconnect();
            again.pass(Duration.ofMillis(StreamEntry.RETRY_MS));

            assertEquals(List.of(STARTED), again.statuses());
        }
        assertEquals(0, around.counters.refused(Refusal.BUSY));
    }

    @Test
    void secondPublisher_afterSilence_takesOver() {
        encoder.publish("live", KEY);
        encoder.replies();
        around.clock.advance(Duration.ofSeconds(5));
        try (Encoder second = new Encoder(around).handshake()) {
            second.publish("live", KEY);

            assertEquals(List.of(STARTED), second.statuses());
            assertEquals(
                    List.of(
                            "1 error NetStream.Publish.BadName:"
                                    + " Another publisher took over after silence."),
                    encoder.statuses());
            assertFalse(encoder.channel.isOpen());
            assertEquals(1, around.counters.publishers());
        }
    }

    @Test
    void overlayKey_publishesTheScoreboard() {
        around.gate.overlay("board", new StreamId("str_2"));
        encoder.publish("live", "board");

        encoder.send(
                audio(0, RtmpBytes.AAC_HEADER),
                video(0, RtmpBytes.AVC_HEADER),
                video(0, RtmpBytes.KEY_FRAME));

        assertEquals(List.of("started str_2 OVERLAY"), around.life);
        assertTrue(around.streams.active(new StreamId("str_2"), Role.OVERLAY).isPresent());
    }

    @Test
    void shutdown_isReportedAndCloses() {
        encoder.publish("live", KEY);
        encoder.replies();

        encoder.channel.pipeline().fireUserEventTriggered(RtmpEvent.SHUTDOWN);

        assertEquals(
                List.of("1 status NetStream.Unpublish.Success: The server is stopping."),
                encoder.statuses());
        assertFalse(encoder.channel.isOpen());
    }

    @Test
    void publish_afterUnpublish_startsAgain() {
        encoder.publish("live", KEY);
        encoder.send(command(1, "closeStream", num(0), AmfValue.Absent.NULL));
        encoder.replies();

        encoder.send(command(1, "publish", num(5), AmfValue.Absent.NULL, text(KEY)));

        assertEquals(List.of(STARTED), encoder.statuses());
    }

    @Test
    void deleteStream_ofAnotherStream_changesNothing() {
        encoder.publish("live", KEY);
        encoder.replies();

        encoder.send(command(0, "deleteStream", num(0), AmfValue.Absent.NULL, num(7)));

        assertEquals(List.of(), encoder.statuses());
        assertEquals(1, around.counters.publishers());
    }

    @Test
    void ping_isAnswered() {
        encoder.send(RtmpBytes.message(2, 4, 0, 0, RtmpBytes.hex("0006 00001234")));

        assertEquals(List.of(new RtmpMessage.UserControl(7, 0x1234)), encoder.replies());
    }

    @Test
    void textOfMessages_holdsNoKeys() {
        var publish = new RtmpMessage.Command(1, "publish", 0, List.of(text("secret-key")));
        var data = new RtmpMessage.Data(1, "x", List.of(text("secret-key")));

        assertFalse((publish + " " + data).contains("secret"));
    }
}
