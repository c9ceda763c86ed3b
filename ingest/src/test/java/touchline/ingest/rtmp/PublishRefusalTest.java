package touchline.ingest.rtmp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static touchline.ingest.rtmp.Encoder.KEY;
import static touchline.ingest.rtmp.Encoder.STREAM;
import static touchline.ingest.rtmp.Encoder.num;
import static touchline.ingest.rtmp.Encoder.text;
import static touchline.ingest.rtmp.RtmpBytes.audio;
import static touchline.ingest.rtmp.RtmpBytes.command;
import static touchline.ingest.rtmp.RtmpBytes.video;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import touchline.ingest.amf.AmfValue;
import touchline.ingest.rtmp.RtmpCounters.Refusal;
import touchline.media.StreamId;
import touchline.media.hub.EndReason;
import touchline.media.hub.Role;

@ExtendWith(NoLeaks.class)
class PublishRefusalTest {
    private static final String BAD_NAME = "1 error NetStream.Publish.BadName: Unknown stream key.";

    /** 48 kHz, stereo, 32 kbit/s: 96 bytes. */
    private static final String MP3_FRAME = "2ffffb1400" + "00".repeat(92);

    private final Encoder.Dependencies around = new Encoder.Dependencies();
    private final Encoder encoder = new Encoder(around).handshake();

    @AfterEach
    void closeAll() {
        encoder.close();
        around.close();
        assertEquals(0, around.counters.publishers());
    }

    @Test
    void key_thatIsUnknown_isABadName() {
        encoder.publish("live", "wrong");

        assertEquals(List.of(BAD_NAME), encoder.statuses());
        assertFalse(encoder.channel.isOpen());
        assertEquals(List.of("wrong", "live"), around.gate.asked());
        assertEquals(1, around.counters.refused(Refusal.BAD_NAME));
    }

    @Test
    void key_thatIsMissing_isABadName() {
        encoder.send(command(1, "publish"));

        assertEquals(List.of(BAD_NAME), encoder.statuses());
        assertFalse(encoder.channel.isOpen());
        assertEquals(List.of(), around.gate.asked());
    }

    @Test
    void key_thatIsTooLong_neverReachesTheGate() {
        encoder.send(command(1, "publish", num(0), AmfValue.Absent.NULL, text("x".repeat(513))));

        assertEquals(List.of(BAD_NAME), encoder.statuses());
        assertEquals(List.of(), around.gate.asked());
    }

    @Test
    void disabledStream_isDenied() {
        around.gate.denied("off", "The stream is disabled.");

        encoder.publish("live", "off");

        assertEquals(
                List.of("1 error NetStream.Publish.Denied: The stream is disabled."),
                encoder.statuses());
        assertFalse(encoder.channel.isOpen());
        assertEquals(1, around.counters.refused(Refusal.DENIED));
    }

    @Test
    void gate_thatFails_deniesWithoutItsReason() {
        encoder.publish("live", "database-down");

        assertEquals(
                List.of(
                        "1 error NetStream.Publish.Denied:"
                                + " The key cannot be checked now, try again."),
                encoder.statuses());
        assertEquals(1, around.counters.refused(Refusal.GATE_FAILED));
    }

    @ParameterizedTest
    @EnumSource
    void cut_isReportedAndCloses(EndReason reason) {
        encoder.publish("live", KEY);
        encoder.replies();

        around.streams.end(STREAM, reason);

        List<String> statuses = encoder.statuses();
        assertEquals(1, statuses.size());
        boolean error =
                switch (reason) {
                    case COMPLETED, PUBLISHER_GONE, SHUTDOWN -> false;
                    case DISABLED,
                            DELETED,
                            FAILED,
                            GAVE_WAY,
                            KEY_RESET,
                            TAKEN_OVER,
                            TIMESTAMP_JUMPS ->
                            true;
                };
        assertEquals(error, statuses.getFirst().startsWith("1 error NetStream.Publish."));
        assertEquals(
                !error, statuses.getFirst().startsWith("1 status NetStream.Unpublish.Success: "));
        assertFalse(encoder.channel.isOpen());
    }

    /** The gate reads the key before it is replaced, and answers afterwards. */
    @ParameterizedTest
    @CsvSource({
        "KEY_RESET, 1 error NetStream.Publish.BadName: The stream key was replaced.",
        "DISABLED, 1 error NetStream.Publish.Denied: The stream was disabled.",
        "DELETED, 1 error NetStream.Publish.BadName: The stream was deleted."
    })
    void admission_revokedWhileTheGateDecides_isRefused(EndReason reason, String status) {
        around.gateIsSlow = true;
        encoder.publish("live", KEY);
        encoder.replies();

        if (reason == EndReason.KEY_RESET) {
            around.streams.cutPublisher(STREAM, Role.MAIN, reason);
        } else {
            around.streams.end(STREAM, reason);
        }
        around.decide();

        assertEquals(List.of(status), encoder.statuses());
        assertFalse(encoder.channel.isOpen());
        assertEquals(0, around.counters.publishers());
        assertEquals(List.of(), around.life);
    }

    @Test
    void encoderOfACompletedSession_thatReturnsAtOnce_isDeniedWithTheSecondsLeft() {
        encoder.publish("live", KEY);
        encoder.replies();
        around.streams.complete(STREAM, Duration.ofSeconds(30));
        encoder.replies();

        try (Encoder again = new Encoder(around).handshake()) {
            again.publish("live", KEY);

            assertEquals(
                    List.of(
                            "1 error NetStream.Publish.Denied: The session was completed: this"
                                    + " encoder may publish again in 30 s, any other at once."),
                    again.statuses());
            assertFalse(again.channel.isOpen());
        }
        assertEquals(1, around.counters.refused(Refusal.DENIED));
    }

    @Test
    void silence_isCountedFromTheLastMedia() {
        encoder.publish("live", KEY);
        encoder.send(video(0, RtmpBytes.AVC_HEADER));
        encoder.pass(Duration.ofSeconds(10));
        encoder.send(video(10_000, RtmpBytes.KEY_FRAME));
        encoder.replies();

        encoder.pass(Duration.ofMillis(14_990));
        assertTrue(encoder.channel.isOpen());
        encoder.send(command(0, "_checkbw", num(9), AmfValue.Absent.NULL));
        encoder.pass(Duration.ofMillis(20));

        assertEquals(
                List.of("1 error NetStream.Publish.Idle: No media for 15 s."), encoder.statuses());
        assertFalse(encoder.channel.isOpen());
    }

    @Test
    void play_isRefusedPolitely() {
        encoder.connect("live");
        encoder.send(command(1, "play", num(4), AmfValue.Absent.NULL, text("x")));

        assertEquals(
                List.of(
                        "1 error NetStream.Play.Failed:"
                                + " This port takes publishers; viewers use HLS."),
                encoder.statuses());
        assertFalse(encoder.channel.isOpen());
    }

    @ParameterizedTest
    @CsvSource({
        "2200aa, Sorenson H.263 is not supported.",
        "2400aa, VP6 is not supported.",
        "9076703039, VP9 is not supported.",
        "90767663310000, H.266 (VVC) is not supported."
    })
    void videoCodec_thatIsNotSupported_isRefusedByName(String payload, String description) {
        encoder.publish("live", KEY);
        encoder.replies();

        encoder.send(video(0, payload));

        assertEquals(
                List.of("1 error NetStream.Publish.Rejected: " + description), encoder.statuses());
        assertFalse(encoder.channel.isOpen());
        assertEquals(1, around.counters.refused(Refusal.CODEC));
    }

    @Test
    void audioCodec_thatTheGateRefuses_isRefusedByName() {
        around.gate.withoutMp3();
        encoder.publish("live", KEY);
        encoder.replies();

        encoder.send(audio(0, MP3_FRAME), audio(1_100, MP3_FRAME));

        assertEquals(
                List.of("1 error NetStream.Publish.Rejected: MP3 is not supported."),
                encoder.statuses());
        assertFalse(encoder.channel.isOpen());
        assertEquals(1, around.counters.refused(Refusal.CODEC));
    }

    @Test
    void audioCodec_ofAnOverlayStream_isNotRefused() {
        around.gate.withoutMp3().overlay("board", new StreamId("str_2"));
        encoder.publish("live", "board");
        encoder.replies();

        encoder.send(audio(0, MP3_FRAME), audio(1_100, MP3_FRAME));

        assertEquals(List.of(), encoder.statuses());
        assertTrue(encoder.channel.isOpen());
    }

    @ParameterizedTest
    @CsvSource({
        "b200aa, Speex is not supported.",
        "62aa, Nellymoser is not supported.",
        "9061632d33aa, AC-3 is not supported."
    })
    void audioCodec_thatIsNotSupported_isRefusedByName(String payload, String description) {
        encoder.publish("live", KEY);
        encoder.replies();

        encoder.send(audio(0, payload));

        assertEquals(
                List.of("1 error NetStream.Publish.Rejected: " + description), encoder.statuses());
    }

    @Test
    void brokenFrame_isDropped_theNextIsTaken() {
        encoder.publish("live", KEY);
        encoder.send(
                video(0, RtmpBytes.AVC_HEADER),
                audio(0, RtmpBytes.AAC_HEADER),
                video(0, "1701000000" + "00000009aabb"),
                video(33, RtmpBytes.KEY_FRAME));

        assertTrue(encoder.channel.isOpen());
        assertEquals(List.of("started str_1 MAIN"), around.life);
    }

    /** 8208 x 16. */
    @Test
    void framesTooWide_areDropped_andAWarningOfTheSession() {
        encoder.publish("live", KEY);
        encoder.send(
                video(0, RtmpBytes.AVC_HEADER),
                audio(0, RtmpBytes.AAC_HEADER),
                video(33, RtmpBytes.KEY_FRAME),
                video(66, "1700000000" + "01640034ffe1000a67640034acb40040388001000468ebe3cb"));

        assertTrue(encoder.channel.isOpen());
        assertEquals(List.of("started str_1 MAIN"), around.life);
        assertEquals(List.of("frame_size"), around.warnings);
    }

    @Test
    void brokenFrames_withoutEnd_areRefused() {
        encoder.publish("live", KEY);
        encoder.send(video(0, RtmpBytes.AVC_HEADER));
        encoder.replies();

        for (int i = 0; i < RtmpPublisher.MAX_BROKEN_IN_A_ROW; i++) {
            assertTrue(encoder.channel.isOpen());
            encoder.send(video(i, "1701000000" + "0000000165"));
            encoder.send(video(i, "1701000000" + "00000009aabb"));
        }
        assertTrue(encoder.channel.isOpen());
        for (int i = 1; i < RtmpPublisher.MAX_BROKEN_IN_A_ROW; i++) {
            encoder.send(video(i, "1701000000" + "00000009aabb"));
        }

        assertEquals(
                List.of(
                        "1 error NetStream.Publish.Rejected: Media is malformed:"
                                + " NAL unit length: 9 (expected: <= 2)"),
                encoder.statuses());
        assertFalse(encoder.channel.isOpen());
    }

    @Test
    void malformedAmf_closesAtOnce() {
        encoder.send(RtmpBytes.message(3, 20, 0, 0, RtmpBytes.hex("0200ff61")));

        assertFalse(encoder.channel.isOpen());
        assertEquals(List.of(), encoder.replies());
        assertEquals(1, around.counters.refused(Refusal.MALFORMED));
    }

    @Test
    void malformedChunk_whilePublishing_endsTheSession() {
        encoder.publish("live", KEY);
        encoder.send(
                video(0, RtmpBytes.AVC_HEADER),
                audio(0, RtmpBytes.AAC_HEADER),
                video(0, RtmpBytes.KEY_FRAME));

        encoder.send(RtmpBytes.hex("c9"));

        assertFalse(encoder.channel.isOpen());
        assertEquals(List.of("started str_1 MAIN", "ended PUBLISHER_GONE"), around.life);
    }

    @Test
    void secondPublish_onTheSameConnection_isRefused() {
        encoder.publish("live", KEY);
        encoder.replies();

        encoder.send(command(1, "publish", num(5), AmfValue.Absent.NULL, text(KEY)));

        assertEquals(
                List.of(
                        "1 error NetStream.Publish.BadName:"
                                + " This connection is publishing already."),
                encoder.statuses());
    }

    @Test
    void commands_withoutEnd_areRefused() {
        for (int i = 0; i < 64; i++) {
            encoder.send(command(0, "createStream", num(i + 1)));
        }
        assertTrue(encoder.channel.isOpen());

        encoder.send(command(0, "createStream", num(65)));

        assertFalse(encoder.channel.isOpen());
    }
}
