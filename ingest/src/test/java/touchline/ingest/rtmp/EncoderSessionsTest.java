package touchline.ingest.rtmp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static touchline.ingest.rtmp.Encoder.KEY;
import static touchline.ingest.rtmp.Encoder.num;
import static touchline.ingest.rtmp.Encoder.object;
import static touchline.ingest.rtmp.Encoder.text;
import static touchline.ingest.rtmp.RtmpBytes.audio;
import static touchline.ingest.rtmp.RtmpBytes.command;
import static touchline.ingest.rtmp.RtmpBytes.hex;
import static touchline.ingest.rtmp.RtmpBytes.join;
import static touchline.ingest.rtmp.RtmpBytes.message;
import static touchline.ingest.rtmp.RtmpBytes.video;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import touchline.ingest.amf.AmfValue;

/** The commands of encoders in use, in their order and with their peculiarities. */
@ExtendWith(NoLeaks.class)
class EncoderSessionsTest {
    private static final AmfValue NULL = AmfValue.Absent.NULL;

    private final Encoder.Dependencies around = new Encoder.Dependencies();
    private final Encoder encoder = new Encoder(around).handshake();

    @AfterEach
    void closeAll() {
        encoder.close();
        around.close();
        assertEquals(0, around.counters.publishers());
    }

    @Test
    void ffmpeg_publishesAndLeaves() {
        encoder.send(
                command(
                        0,
                        "connect",
                        num(1),
                        object(
                                "app",
                                "live",
                                "type",
                                "nonprivate",
                                "flashVer",
                                "FMLE/3.0 (compatible; Lavf59.27.100)",
                                "tcUrl",
                                "rtmp://127.0.0.1:1935/live")));
        assertEquals(List.of("_result 1"), results());
        encoder.send(
                message(2, 1, 0, 0, hex("0000ea60")),
                command(0, "releaseStream", num(2), NULL, text(KEY)),
                command(0, "FCPublish", num(3), NULL, text(KEY)),
                command(0, "createStream", num(4), NULL),
                command(0, "_checkbw", num(5), NULL));
        assertEquals(List.of("_result 2", "_result 3", "_result 4", "_result 5"), results());
        encoder.send(
                message(
                        8,
                        20,
                        1,
                        0,
                        RtmpBytes.amf(text("publish"), num(5), NULL, text(KEY), text("live"))));
        assertEquals(List.of("NetStream.Publish.Start"), codes());

        encoder.send(
                message(
                        4,
                        18,
                        1,
                        0,
                        RtmpBytes.amf(text("@setDataFrame"), text("onMetaData"), ffmpegMetadata()),
                        60_000),
                video(0, RtmpBytes.AVC_HEADER),
                audio(0, RtmpBytes.AAC_HEADER),
                video(0, RtmpBytes.KEY_FRAME),
                audio(0, RtmpBytes.AUDIO),
                video(33, RtmpBytes.FRAME));
        assertEquals(List.of("started str_1 MAIN"), around.life);

        encoder.send(
                video(66, "1702000000"),
                command(0, "FCUnpublish", num(6), NULL, text(KEY)),
                command(0, "deleteStream", num(7), NULL, num(1)));
        assertEquals(List.of("NetStream.Unpublish.Success"), codes());
        assertEquals(List.of("started str_1 MAIN", "ended PUBLISHER_GONE"), around.life);
    }

    /** librtmp sends createStream only after releaseStream and FCPublish, all without waiting. */
    @Test
    void obs_publishesAndLeaves() {
        encoder.send(
                message(2, 1, 0, 0, hex("00001000")),
                message(
                        3,
                        20,
                        0,
                        0,
                        RtmpBytes.amf(
                                text("connect"),
                                num(1),
                                object(
                                        "app",
                                        "live",
                                        "type",
                                        "nonprivate",
                                        "flashVer",
                                        "FMLE/3.0 (compatible; FMSc/1.0)",
                                        "swfUrl",
                                        "rtmp://h/live",
                                        "tcUrl",
                                        "rtmp://h/live")),
                        4_096),
                message(2, 5, 0, 0, hex("002625a0")));
        assertEquals(List.of("_result 1"), results());
        encoder.send(
                command(0, "releaseStream", num(2), NULL, text(KEY)),
                command(0, "FCPublish", num(3), NULL, text(KEY)),
                command(0, "createStream", num(4), NULL));
        results();
        encoder.send(
                message(
                        4,
                        20,
                        1,
                        0,
                        RtmpBytes.amf(text("publish"), num(5), NULL, text(KEY), text("live"))));
        assertEquals(List.of("NetStream.Publish.Start"), codes());

        byte[] metadata = RtmpBytes.amf(text("@setDataFrame"), text("onMetaData"), obsMetadata());
        encoder.send(
                message(4, 18, 1, 0, metadata, 4_096),
                audio(0, RtmpBytes.AAC_HEADER),
                video(0, RtmpBytes.AVC_HEADER),
                audio(0, RtmpBytes.AUDIO),
                video(0, RtmpBytes.KEY_FRAME));
        assertEquals(List.of("started str_1 MAIN"), around.life);

        encoder.send(
                command(0, "FCUnpublish", num(6), NULL, text(KEY)),
                command(0, "deleteStream", num(7), NULL, num(1)));
        assertEquals(List.of("NetStream.Unpublish.Success"), codes());
    }

    /**
     * rtmp2sink numbers all commands, sends window and chunk size late, and an array of metadata.
     */
    @Test
    void gstreamer_publishesAndLeaves() {
        encoder.send(
                command(
                        0,
                        "connect",
                        num(1),
                        object(
                                "app",
                                "live",
                                "type",
                                "nonprivate",
                                "tcUrl",
                                "rtmp://h:1935/live",
                                "flashVer",
                                "LNX 9,0,124,2")));
        assertEquals(List.of("_result 1"), results());
        encoder.send(
                message(2, 5, 0, 0, hex("002625a0")),
                command(0, "releaseStream", num(2), NULL, text(KEY)),
                command(0, "FCPublish", num(3), NULL, text(KEY)),
                command(0, "createStream", num(4), NULL));
        results();
        encoder.send(
                command(1, "publish", num(5), NULL, text(KEY), text("live")),
                message(2, 1, 0, 0, hex("00010000")));
        assertEquals(List.of("NetStream.Publish.Start"), codes());

        byte[] metadata =
                RtmpBytes.amf(text("@setDataFrame"), text("onMetaData"), ffmpegMetadata());
        encoder.send(
                message(4, 18, 1, 0, metadata, 65_536),
                message(4, 9, 1, 0, hex(RtmpBytes.AVC_HEADER), 65_536),
                message(4, 8, 1, 0, hex(RtmpBytes.AAC_HEADER), 65_536),
                message(4, 9, 1, 0, hex(RtmpBytes.KEY_FRAME), 65_536));
        assertEquals(List.of("started str_1 MAIN"), around.life);
        encoder.send(command(0, "closeStream", num(0), NULL));
        encoder.send(command(0, "deleteStream", num(0), NULL, num(1)));
        assertEquals(List.of("NetStream.Unpublish.Success"), codes());
    }

    /** Hardware encoders: no releaseStream, no command object, publish on message stream 0. */
    @Test
    void hardwareEncoder_thatLeavesOutWhatItCan_publishes() {
        encoder.send(
                command(0, "createStream", num(1)),
                command(0, "connect", num(2), object("app", "live/" + KEY)),
                command(0, "publish"));
        encoder.send(video(0, RtmpBytes.AVC_HEADER), video(0, RtmpBytes.KEY_FRAME));

        assertEquals(List.of("NetStream.Publish.Start"), codes());
        assertTrue(encoder.channel.isOpen());
    }

    /** Wirecast and Flash speak AMF3: type 17, a zero byte, then AMF0 with AMF3 objects inside. */
    @Test
    void amf3Encoder_publishes() {
        byte[] connect =
                join(
                        hex("00"),
                        RtmpBytes.amf(text("connect"), num(1)),
                        hex("11 0a0b01 07617070 06096c697665"),
                        hex("1d6f626a656374456e636f64696e67 0403 01"));
        encoder.send(message(3, 17, 0, 0, connect));
        List<RtmpMessage> replies = encoder.replies();
        RtmpMessage.Command result = (RtmpMessage.Command) replies.getLast();
        assertEquals(num(3), result.argument(1).property("objectEncoding").orElseThrow());

        encoder.send(
                message(3, 17, 0, 0, join(hex("00"), RtmpBytes.amf(text("createStream"), num(2)))),
                message(
                        3,
                        17,
                        1,
                        0,
                        join(hex("00"), RtmpBytes.amf(text("publish"), num(3), NULL, text(KEY)))));

        assertEquals(List.of("NetStream.Publish.Start"), codes());
    }

    @Test
    void enhancedClient_getsTheSupportedCodecs() {
        Map<String, AmfValue> properties = new LinkedHashMap<>();
        properties.put("app", text("live"));
        properties.put("fourCcList", new AmfValue.Array(List.of(text("hvc1"), text("av01"))));
        encoder.send(command(0, "connect", num(1), new AmfValue.Obj(properties)));

        RtmpMessage.Command result = (RtmpMessage.Command) encoder.replies().getLast();
        assertEquals(
                new AmfValue.Array(
                        List.of(
                                text("avc1"),
                                text("hvc1"),
                                text("av01"),
                                text("mp4a"),
                                text(".mp3"),
                                text("Opus"))),
                result.argument(1).property("fourCcList").orElseThrow());
    }

    @Test
    void session_cutAtEveryByte_isTheSame() {
        encoder.disconnect();
        byte[] session =
                join(
                        command(0, "connect", num(1), object("app", "live")),
                        command(0, "createStream", num(2), NULL),
                        command(1, "publish", num(3), NULL, text(KEY)),
                        video(0, RtmpBytes.AVC_HEADER),
                        audio(0, RtmpBytes.AAC_HEADER),
                        video(0, RtmpBytes.KEY_FRAME));
        for (int cut = 0; cut <= session.length; cut++) {
            around.life.clear();
            Encoder cutEncoder = new Encoder(around).handshake();
            cutEncoder.send(Arrays.copyOf(session, cut));
            cutEncoder.send(Arrays.copyOfRange(session, cut, session.length));

            assertEquals(List.of("started str_1 MAIN"), around.life);
            cutEncoder.close();
        }
    }

    private List<String> results() {
        return encoder.replies().stream()
                .filter(message -> message instanceof RtmpMessage.Command)
                .map(message -> (RtmpMessage.Command) message)
                .map(command -> command.name() + " " + (int) command.transactionId())
                .toList();
    }

    private List<String> codes() {
        return encoder.codes();
    }

    private static AmfValue ffmpegMetadata() {
        Map<String, AmfValue> properties = new LinkedHashMap<>();
        properties.put("duration", num(0));
        properties.put("width", num(320));
        properties.put("videocodecid", num(7));
        properties.put("audiocodecid", num(10));
        properties.put("stereo", new AmfValue.Bool(true));
        properties.put("encoder", text("Lavf59.27.100"));
        return new AmfValue.EcmaArray(properties);
    }

    private static AmfValue obsMetadata() {
        Map<String, AmfValue> properties = new LinkedHashMap<>();
        properties.put("width", num(320));
        properties.put("videocodecid", text("avc1"));
        properties.put("audiocodecid", text("mp4a"));
        properties.put("2.1", new AmfValue.Bool(false));
        properties.put("encoder", text("obs-output module (libobs version 30.0.2)\r\nX"));
        return new AmfValue.EcmaArray(properties);
    }
}
