package touchline.ingest.rtmp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static touchline.ingest.rtmp.Encoder.num;
import static touchline.ingest.rtmp.Encoder.object;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import touchline.ingest.amf.AmfValue;
import touchline.media.CodecConfig;
import touchline.media.codec.OpusConfig;
import touchline.testing.SyntheticStream;

/** The client's pipeline against this server's, and against answers of other servers. */
@ExtendWith(NoLeaks.class)
class PushDialogueTest {
    private static final RtmpTarget TARGET = RtmpTarget.parse("rtmp://example.com/live");
    private static final CodecConfig OPUS =
            new CodecConfig.Opus(
                    OpusConfig.parse(
                            MemorySegment.ofArray(
                                    RtmpBytes.hex("4f707573486561640102380180bb0000000000"))));

    private final ReceiveBudget budget = new ReceiveBudget(1 << 20);
    private boolean sending;
    private EmbeddedChannel channel = new EmbeddedChannel();
    private RtmpPushHandler handler = connect(Encoder.KEY);

    private RtmpPushHandler connect(String key) {
        handler = new RtmpPushHandler(PushOpening.of(TARGET, key), () -> sending);
        RtmpChunkDecoder decoder = new RtmpChunkDecoder(64 << 10, new RtmpCounters(), budget);
        channel.finishAndReleaseAll();
        channel =
                new EmbeddedChannel(
                        new RtmpClientHandshake(), new RtmpChunkEncoder(), decoder, handler);
        decoder.admitted();
        return handler;
    }

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
        assertEquals(0, budget.usedBytes());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 100_000})
    void publish_toThisServer_isAccepted_inAnyPieces(int pieceBytes) {
        try (Encoder.Dependencies around = new Encoder.Dependencies();
                Encoder server = new Encoder(around)) {
            for (int i = 0; i < 10; i++) {
                move(channel, server.channel, pieceBytes);
                move(server.channel, channel, pieceBytes);
            }
            assertEquals(List.of(Encoder.KEY), around.gate.asked());
        }
        RtmpPushHandler.Published published = handler.published().join();
        assertEquals(1, published.messageStreamId());
        assertTrue(published.capabilities().takes(OPUS));
        assertTrue(published.capabilities().fourCcs().contains("hvc1"));
        assertFalse(handler.ended().isDone());
    }

    @Test
    void refusal_ofThisServer_namesCodeAndDescription() {
        connect("wrong-key");
        try (Encoder.Dependencies around = new Encoder.Dependencies();
                Encoder server = new Encoder(around)) {
            for (int i = 0; i < 10 && !handler.ended().isDone(); i++) {
                move(channel, server.channel, 100_000);
                move(server.channel, channel, 100_000);
            }
        }
        assertEquals(
                "the target refuses publish: NetStream.Publish.BadName, Unknown stream key.",
                handler.ended().join());
    }

    @Test
    void streamKey_isMaskedInRefusals() {
        connect("abcd-efgh?token=1");
        answerConnect(AmfValue.Absent.NULL);

        send(status("error", "NetStream.Publish.BadName", "no stream abcd-efgh here"));

        assertEquals(
                "the target refuses createStream: NetStream.Publish.BadName, no stream *** here",
                handler.ended().join());
    }

    @Test
    void legacyServer_takesOnlyWhatEveryServerTakes() {
        answerConnect(object("code", "NetConnection.Connect.Success"));
        createStream(7);
        send(status("status", "NetStream.Publish.Start", ""));

        RtmpPushHandler.Published published = handler.published().join();
        assertEquals(7, published.messageStreamId());
        assertTrue(published.capabilities().takes(SyntheticStream.VIDEO_TRACK.codec()));
        assertTrue(published.capabilities().takes(SyntheticStream.AUDIO_TRACK.codec()));
        assertFalse(published.capabilities().takes(OPUS));
    }

    @Test
    void wildcards_standForAllCodecsOfTheirKind() {
        answerConnect(
                new AmfValue.Obj(
                        Map.of("videoFourCcInfoMap", new AmfValue.Obj(Map.of("*", num(1))))));
        createStream(1);
        send(status("status", "NetStream.Publish.Start", ""));

        assertFalse(handler.published().join().capabilities().takes(OPUS));
        assertEquals(
                Set.of("videoFourCcInfoMap*"), handler.published().join().capabilities().fourCcs());
    }

    @Test
    void refusedConnection_isSaid_andRedirectsAreNotFollowed() {
        connect("some-stream-key");
        handshake();
        send(
                RtmpBytes.command(
                        0,
                        "_error",
                        num(1),
                        AmfValue.Absent.NULL,
                        object(
                                "code",
                                "NetConnection.Connect.Rejected",
                                "description",
                                "moved to rtmp://other")));

        assertEquals(
                "the target refuses connect: NetConnection.Connect.Rejected, moved to rtmp://other",
                handler.ended().join());
        assertFalse(channel.isOpen());
    }

    @Test
    void ping_isAnswered() {
        answerConnect(AmfValue.Absent.NULL);
        channel.releaseOutbound();

        send(RtmpBytes.message(2, 4, 0, 0, RtmpBytes.hex("0006" + "00000abc")));

        ByteBuf answer = channel.readOutbound();
        assertEquals("00070" + "0000abc", hex(answer).substring(24));
        answer.release();
    }

    @Test
    void bytesThatAreNoRtmp_endTheDialogue() {
        send("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.UTF_8));

        assertTrue(
                handler.ended().join().startsWith("the target does not speak RTMP: "),
                handler.ended().join());
    }

    @Test
    void end_namesWhatWasNotAnswered() {
        answerConnect(AmfValue.Absent.NULL);

        channel.close().syncUninterruptibly();

        assertEquals(
                "the target has closed the connection before it answered createStream",
                handler.ended().join());
    }

    private void handshake() {
        send(RtmpBytes.hex("03"), new byte[2 * RtmpBytes.HANDSHAKE_BYTES]);
    }

    private void answerConnect(AmfValue information) {
        handshake();
        send(RtmpBytes.command(0, "_result", num(1), AmfValue.Absent.NULL, information));
    }

    private void createStream(int id) {
        send(RtmpBytes.command(0, "_result", num(4), AmfValue.Absent.NULL, num(id)));
    }

    private static byte[] status(String level, String code, String description) {
        return RtmpBytes.command(
                1,
                "onStatus",
                num(0),
                AmfValue.Absent.NULL,
                object("level", level, "code", code, "description", description));
    }

    private void send(byte[]... parts) {
        channel.writeInbound(Unpooled.copiedBuffer(RtmpBytes.join(parts)));
        channel.runPendingTasks();
    }

    private static void move(EmbeddedChannel from, EmbeddedChannel to, int pieceBytes) {
        from.runPendingTasks();
        List<ByteBuf> sent = new ArrayList<>();
        for (ByteBuf out = from.readOutbound(); out != null; out = from.readOutbound()) {
            sent.add(out);
        }
        for (ByteBuf out : sent) {
            while (out.isReadable()) {
                to.writeInbound(out.readBytes(Math.min(pieceBytes, out.readableBytes())));
            }
            out.release();
        }
        to.runPendingTasks();
    }

    private static String hex(ByteBuf bytes) {
        return ByteBufUtil.hexDump(bytes);
    }
}
