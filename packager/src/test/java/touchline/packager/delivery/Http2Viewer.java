package touchline.packager.delivery;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.local.LocalServerChannel;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import touchline.media.decoding.GopDecoders;
import touchline.packager.delivery.Http2Frames.Frame;
import touchline.packager.thumbnail.Thumbnails;

/** One HTTP/2 connection without TLS and socket, under a clock that stands still. */
final class Http2Viewer {
    /** What came on one stream. */
    static final class Answer {
        final List<Http2Headers> heads = new ArrayList<>();
        final ByteArrayOutputStream body = new ByteArrayOutputStream();
        int headBytes;
        boolean ended;
        int resetCode = -1;

        String status() {
            return heads.isEmpty() ? "none" : heads.getFirst().status().toString();
        }

        String text() {
            return body.toString(ISO_8859_1);
        }
    }

    final MockTicker ticker = Ticker.newMockTicker();
    final DeliveryCounters counters = new DeliveryCounters();
    final EmbeddedChannel channel;
    final Http2Frames frames = new Http2Frames();

    /** Frames of stream 0. */
    final List<Frame> control = new ArrayList<>();

    private final Map<Integer, Answer> answers = new TreeMap<>();

    Http2Viewer(PlaybackAccess access, int... settings) {
        DeliveryContext context =
                new DeliveryContext(
                        access,
                        () -> Viewer.LIMITS,
                        counters,
                        new ResponseHeaders(Viewer.CLOCK),
                        new ViewerAddress(List.of()),
                        ticker::nanoTime,
                        Thumbnails.of(100, 1 << 20, GopDecoders.LOCAL, (_, _) -> {}));
        channel =
                EmbeddedChannel.builder()
                        .ticker(ticker)
                        // by its parent Netty distinguishes servers from clients
                        .parent(new LocalServerChannel())
                        .handlers(
                                new ChannelInitializer<Channel>() {
                                    @Override
                                    protected void initChannel(Channel made) {
                                        Http2Connection.add(
                                                made,
                                                context,
                                                new BlockingReload(
                                                        made.eventLoop(),
                                                        Viewer.LIMITS.blocked(),
                                                        ticker::nanoTime,
                                                        counters));
                                    }
                                })
                        .build();
        send(Http2Frames.preface(settings));
    }

    Http2Viewer send(byte[]... bytes) {
        channel.writeInbound(Unpooled.wrappedBuffer(Http2Frames.concat(bytes)));
        return receive();
    }

    Http2Viewer get(int stream, String path, String... headers) {
        return send(Http2Frames.get(stream, path, headers));
    }

    Http2Viewer pass(Duration time) {
        // as a real clock would: tasks that schedule themselves again run each time
        long steps = 20;
        for (int i = 0; i < steps; i++) {
            ticker.advance(time.toNanos() / steps, TimeUnit.NANOSECONDS);
            channel.runScheduledPendingTasks();
        }
        return receive();
    }

    Http2Viewer receive() {
        channel.runPendingTasks();
        for (ByteBuf bytes = channel.readOutbound();
                bytes != null;
                bytes = channel.readOutbound()) {
            byte[] copy = new byte[bytes.readableBytes()];
            bytes.readBytes(copy).release();
            frames.receive(copy).forEach(this::file);
        }
        return this;
    }

    private void file(Frame frame) {
        if (frame.stream() == 0) {
            control.add(frame);
            return;
        }
        Answer answer = answer(frame.stream());
        switch (frame.type()) {
            case Http2Frames.HEADERS -> {
                answer.headBytes = frame.payload().remaining();
                answer.heads.add(frames.headers(frame));
            }
            case Http2Frames.DATA -> answer.body.writeBytes(frame.payload().array());
            case Http2Frames.RST_STREAM -> answer.resetCode = frame.errorCode();
            default -> {}
        }
        answer.ended |= frame.type() <= Http2Frames.HEADERS && frame.isLast();
    }

    Answer answer(int stream) {
        return answers.computeIfAbsent(stream, _ -> new Answer());
    }

    boolean receivedGoAway() {
        return control.stream().anyMatch(frame -> frame.type() == Http2Frames.GOAWAY);
    }

    /** The viewer closes the connection; what the server says to that is read. */
    void leave() {
        assertTrue(channel.close().isSuccess());
        receive();
    }

    /** Nothing is left in the channel, and of the media nothing once its sessions are gone. */
    void leavesNothing(NettyMediaMemory memory, FakePlayback... sessions) {
        if (channel.isOpen()) {
            channel.pipeline().get(Http2Connection.class).cut();
        }
        receive();
        assertFalse(channel.finish());
        for (FakePlayback session : sessions) {
            session.close();
        }
        assertEquals(0, counters.blockedNow());
        assertEquals(0, memory.usedBytes());
    }
}
