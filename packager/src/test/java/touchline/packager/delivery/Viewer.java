package touchline.packager.delivery;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.FileRegion;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.ImmediateEventExecutor;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import touchline.media.decoding.GopDecoders;
import touchline.media.net.ConnectionLimits;
import touchline.packager.audience.Audience;
import touchline.packager.thumbnail.Thumbnails;

/** One connection to the real pipeline, without a socket, under a clock that stands still. */
final class Viewer {
    static final InstantSource CLOCK = InstantSource.fixed(Instant.parse("2026-11-20T12:00:00Z"));
    static final DeliveryLimits LIMITS =
            new DeliveryLimits(
                    Duration.ofSeconds(60),
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(18),
                    Duration.ofSeconds(30),
                    Duration.ofSeconds(15),
                    16 * 1024,
                    Duration.ofSeconds(60),
                    Duration.ofSeconds(2));

    /** What every answer begins its headers with. */
    static final String COMMON =
            """
            date: Fri, 20 Nov 2026 12:00:00 GMT
            access-control-allow-origin: *
            access-control-expose-headers: Content-Length, Content-Range, Accept-Ranges, Date, \
            ETag, Retry-After, X-Request-Id
            x-content-type-options: nosniff
            """;

    final MockTicker ticker = Ticker.newMockTicker();
    final DeliveryCounters counters = new DeliveryCounters();
    final EmbeddedChannel channel;

    /** Of this connection's server. */
    final Audience audience;

    Viewer(PlaybackAccess access) {
        this(access, new ConnectionLimits(100, 0, _ -> false));
    }

    Viewer(PlaybackAccess access, ConnectionLimits connections) {
        this(access, connections, WatchPages.NONE);
    }

    Viewer(PlaybackAccess access, ConnectionLimits connections, WatchPages pages) {
        audience = new Audience(new Audience.Limits(() -> 0, _ -> true), ticker::nanoTime, CLOCK);
        DeliveryContext context =
                new DeliveryContext(
                                access,
                                () -> LIMITS,
                                counters,
                                new ResponseHeaders(CLOCK),
                                new ViewerAddress(List.of()),
                                ticker::nanoTime,
                                Thumbnails.of(100, 1 << 20, GopDecoders.LOCAL, (_, _) -> {}))
                        .with(pages, audience);
        channel =
                EmbeddedChannel.builder()
                        .ticker(ticker)
                        .handlers(
                                new PlaybackPipeline(
                                        context,
                                        connections,
                                        Optional.empty(),
                                        new DefaultChannelGroup(ImmediateEventExecutor.INSTANCE)))
                        .build();
    }

    /** Every viewer may see these sessions. */
    static PlaybackAccess showing(FakePlayback... sessions) {
        return deciding(
                new PlaybackDecision.Live(List.of(sessions), true, false, Optional.empty()));
    }

    static PlaybackAccess deciding(PlaybackDecision decision) {
        return _ -> CompletableFuture.completedFuture(decision);
    }

    static PlaybackAccess refusing() {
        return deciding(
                new PlaybackDecision.Refused(403, 40302, "token: expired", OptionalInt.empty()));
    }

    /** The answer to a GET without further headers. */
    String get(String target) {
        return exchange("GET " + target + " HTTP/1.1\r\nHost: t\r\n\r\n");
    }

    String get(String target, String header) {
        return exchange("GET " + target + " HTTP/1.1\r\nHost: t\r\n" + header + "\r\n\r\n");
    }

    String exchange(String request) {
        send(request);
        return received();
    }

    void send(String bytes) {
        channel.writeInbound(Unpooled.copiedBuffer(bytes, ISO_8859_1));
    }

    void pass(Duration time) {
        ticker.advance(time.toNanos(), TimeUnit.NANOSECONDS);
        channel.runScheduledPendingTasks();
    }

    /** All bytes that came since the last call, one char each; CRLF is shown as LF in the head. */
    String received() {
        channel.runPendingTasks();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (Object message = channel.readOutbound();
                message != null;
                message = channel.readOutbound()) {
            append(bytes, message);
        }
        return bytes.toString(ISO_8859_1).replace("\r\n", "\n");
    }

    private static void append(ByteArrayOutputStream bytes, Object message) {
        try {
            if (message instanceof FileRegion region) {
                while (region.transferred() < region.count()) {
                    region.transferTo(Channels.newChannel(bytes), region.transferred());
                }
                region.release();
            } else {
                ByteBuf buffer = (ByteBuf) message;
                buffer.readBytes(bytes, buffer.readableBytes());
                buffer.release();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The viewer closes the connection. */
    void leave() {
        assertTrue(channel.close().isSuccess());
    }

    /** Nothing is left in the channel, and of the media nothing once its sessions are gone. */
    void leavesNothing(NettyMediaMemory memory, FakePlayback... sessions) {
        assertFalse(channel.finish());
        for (FakePlayback session : sessions) {
            session.close();
        }
        assertEquals(0, counters.blockedNow());
        assertEquals(0, counters.openConnections());
        assertEquals(0, memory.usedBytes());
    }
}
