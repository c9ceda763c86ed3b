package touchline.ingest.rtmp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import touchline.media.codec.MalformedMediaException;

@ExtendWith(NoLeaks.class)
class RtmpHandshakeHandlerTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int PACKET = RtmpBytes.HANDSHAKE_BYTES;

    private final RtmpCounters counters = new RtmpCounters();
    private final List<Object> events = new ArrayList<>();

    @Test
    void plainHandshake_echoesC1() {
        byte[] hello = RtmpBytes.handshake();
        EmbeddedChannel channel = channel();

        feed(channel, Arrays.copyOf(hello, 1 + PACKET));

        byte[] answer = answer(channel);
        assertEquals(1 + 2 * PACKET, answer.length);
        assertEquals(3, answer[0]);
        assertArrayEquals(new byte[8], Arrays.copyOfRange(answer, 1, 9), "time and zero of S1");
        assertArrayEquals(
                Arrays.copyOfRange(hello, 1, 1 + PACKET),
                Arrays.copyOfRange(answer, 1 + PACKET, answer.length));
        assertFalse(channel.finish());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void digestHandshake_isAnsweredInItsOwnLayout(int layout) {
        byte[] c1 = signedC1(layout);
        EmbeddedChannel channel = channel();

        feed(channel, RtmpBytes.join(new byte[] {3}, c1));

        byte[] answer = answer(channel);
        byte[] s1 = Arrays.copyOfRange(answer, 1, 1 + PACKET);
        byte[] s2 = Arrays.copyOfRange(answer, 1 + PACKET, answer.length);
        int place = HandshakeDigest.place(s1, layout);
        assertArrayEquals(
                HandshakeDigest.digest(s1, place, HandshakeDigest.SERVER_KEY),
                Arrays.copyOfRange(s1, place, place + 32));
        int clientPlace = HandshakeDigest.place(c1, layout);
        byte[] key =
                HandshakeDigest.hmac(
                        HandshakeDigest.SERVER_FULL_KEY,
                        Arrays.copyOfRange(c1, clientPlace, clientPlace + 32),
                        0,
                        0);
        assertArrayEquals(
                HandshakeDigest.hmac(key, s2, PACKET - 32, PACKET),
                Arrays.copyOfRange(s2, PACKET - 32, PACKET));
        assertFalse(channel.finish());
    }

    @Test
    void versionWithoutDigest_isAnsweredPlainly() {
        byte[] hello = RtmpBytes.handshake();
        hello[5] = 9;
        EmbeddedChannel channel = channel();

        feed(channel, Arrays.copyOf(hello, 1 + PACKET));

        assertArrayEquals(
                Arrays.copyOfRange(hello, 1, 1 + PACKET),
                Arrays.copyOfRange(answer(channel), 1 + PACKET, 1 + 2 * PACKET));
        assertFalse(channel.finish());
    }

    @Test
    void digestPlace_ofAnyBytes_isInsideThePacket() {
        byte[] packet = new byte[PACKET];
        Arrays.fill(packet, (byte) 0xff);
        for (int layout = 0; layout < 2; layout++) {
            assertTrue(HandshakeDigest.place(packet, layout) + 32 <= PACKET);
        }
    }

    @Test
    void handshake_cutAtEveryByte_passesOnWhatFollows() {
        byte[] all = RtmpBytes.join(RtmpBytes.handshake(), new byte[] {42, 43});
        for (int cut = 0; cut <= all.length; cut++) {
            events.clear();
            EmbeddedChannel channel = channel();
            feed(channel, Arrays.copyOf(all, cut));
            feed(channel, Arrays.copyOfRange(all, cut, all.length));

            assertEquals(1 + 2 * PACKET, answer(channel).length);
            assertEquals(List.of(RtmpEvent.HANDSHAKE_DONE), events);
            assertNull(channel.pipeline().get(RtmpHandshakeHandler.class));
            assertArrayEquals(new byte[] {42, 43}, inbound(channel));
            assertFalse(channel.finish());
        }
    }

    @Test
    void handshake_byteByByte_passes() {
        EmbeddedChannel channel = channel();
        for (byte octet : RtmpBytes.handshake()) {
            feed(channel, new byte[] {octet});
        }

        assertEquals(List.of(RtmpEvent.HANDSHAKE_DONE), events);
        assertEquals(1 + 2 * PACKET, answer(channel).length);
        inbound(channel);
        assertFalse(channel.finish());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 4, 6, 22, 0x47, 255})
    void otherVersion_isMalformed(int version) {
        EmbeddedChannel channel = channel();

        var refused =
                assertThrows(
                        MalformedMediaException.class,
                        () -> feed(channel, new byte[] {(byte) version}));

        assertEquals("handshake version: " + version + " (expected: 3)", refused.getMessage());
        feed(channel, RtmpBytes.handshake());
        assertNull(channel.readOutbound());
        assertFalse(channel.finish());
    }

    @Test
    void handshake_notFinishedInTime_isClosed() {
        EmbeddedChannel channel = channel();
        channel.freezeTime();
        feed(channel, Arrays.copyOf(RtmpBytes.handshake(), 1 + PACKET));
        answer(channel);

        channel.advanceTimeBy(9_990, TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();
        assertTrue(channel.isOpen());
        channel.advanceTimeBy(20, TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();

        assertFalse(channel.isOpen());
        assertEquals(1, counters.refused(RtmpCounters.Refusal.HANDSHAKE_TIMEOUT));
        assertFalse(channel.finish());
    }

    @Test
    void handshake_finished_hasNoDeadlineAnyMore() {
        EmbeddedChannel channel = channel();
        channel.freezeTime();
        feed(channel, RtmpBytes.handshake());
        answer(channel);
        inbound(channel);

        channel.advanceTimeBy(60, TimeUnit.SECONDS);

        assertEquals(-1, channel.runScheduledPendingTasks());
        assertTrue(channel.isOpen());
        assertFalse(channel.finish());
    }

    @Test
    void randomHello_isAnsweredOrMalformed() {
        var random = new Random(20_261_120);
        for (int round = 0; round < 500; round++) {
            byte[] noise = new byte[random.nextInt(4_000)];
            random.nextBytes(noise);
            if (noise.length > 0 && round % 2 == 0) {
                noise[0] = 3;
            }
            EmbeddedChannel channel = channel();
            try {
                feed(channel, noise);
                assertTrue(noise.length == 0 || noise[0] == 3);
            } catch (MalformedMediaException e) {
                assertNotNull(e.getMessage());
            }
            channel.finishAndReleaseAll();
        }
    }

    private EmbeddedChannel channel() {
        return new EmbeddedChannel(
                new RtmpHandshakeHandler(TIMEOUT, counters),
                new ChannelInboundHandlerAdapter() {
                    @Override
                    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
                        events.add(event);
                    }
                });
    }

    private static byte[] signedC1(int layout) {
        byte[] c1 = new byte[PACKET];
        new Random(layout).nextBytes(c1);
        c1[4] = 9;
        int place = HandshakeDigest.place(c1, layout);
        byte[] digest = HandshakeDigest.digest(c1, place, HandshakeDigest.CLIENT_KEY);
        System.arraycopy(digest, 0, c1, place, digest.length);
        return c1;
    }

    private static void feed(EmbeddedChannel channel, byte[] bytes) {
        channel.writeInbound(Unpooled.copiedBuffer(bytes));
    }

    private static byte[] answer(EmbeddedChannel channel) {
        ByteBuf out = channel.readOutbound();
        assertNotNull(out);
        assertNull(channel.readOutbound(), "one write");
        return RtmpBytes.bytes(out);
    }

    private static byte[] inbound(EmbeddedChannel channel) {
        ByteBuf all = Unpooled.buffer();
        for (ByteBuf in = channel.readInbound(); in != null; in = channel.readInbound()) {
            all.writeBytes(in);
            in.release();
        }
        return RtmpBytes.bytes(all);
    }
}
