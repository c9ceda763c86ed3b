package touchline.overlay.scoreboard;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.overlay.page.InternalSite;

/**
 * {@code http://scoreboard.touchline.internal/}: the bundled page and its live feed, a WebSocket at
 * {@code /feed}. It listens on no socket: the page's proxy passes on connections to this name, with
 * the stream id of the page. One virtual thread per connection, and one per feed.
 */
public final class ScoreboardSite implements InternalSite {
    /** Never resolved; {@code internal} is reserved for private use (ICANN, 2024). */
    public static final String HOST = "scoreboard.touchline.internal";

    public static final String URL = "http://" + HOST + "/";

    private static final Logger log = LoggerFactory.getLogger(ScoreboardSite.class);
    private static final String FEED = "/feed";

    /** The images that the stream's scoreboard shows, by their ids. */
    private static final String IMAGES = "/images/";

    private static final long PING_SECONDS = 15;
    private static final Map<String, String> TYPES =
            Map.of(
                    "html", "text/html; charset=utf-8",
                    "css", "text/css; charset=utf-8",
                    "js", "text/javascript; charset=utf-8",
                    "woff2", "font/woff2");

    /** Marks the end of the feed in its queue; no state is empty. */
    private static final String END = "";

    private final ScoreboardSource source;

    public ScoreboardSite(ScoreboardSource source) {
        this.source = source;
    }

    @Override
    public void serve(String streamId, InputStream from, OutputStream to) throws IOException {
        try (SiteConnection connection = new SiteConnection(from, to)) {
            boolean open = true;
            while (open) {
                Optional<Object> message = connection.read();
                if (message.isEmpty() || !(message.get() instanceof FullHttpRequest request)) {
                    return;
                }
                try {
                    open = answer(streamId, request, connection);
                } finally {
                    request.release();
                }
            }
        }
    }

    /** Returns whether the connection takes another request. */
    private boolean answer(String streamId, FullHttpRequest request, SiteConnection connection)
            throws IOException {
        if (request.decoderResult().isFailure()) {
            throw new IOException("request: " + request.decoderResult().cause());
        }
        if (request.uri().chars().anyMatch(Character::isISOControl)) {
            throw new IOException("request: a control character in its address");
        }
        String path = request.uri().replaceFirst("\\?.*", "");
        if (path.equals(FEED) && request.headers().contains(HttpHeaderNames.SEC_WEBSOCKET_KEY)) {
            connection.upgrade(request);
            feed(streamId, connection);
            return false;
        }
        Optional<ScoreboardSource.Image> found =
                request.method().equals(HttpMethod.GET) ? file(streamId, path) : Optional.empty();
        FullHttpResponse response =
                new DefaultFullHttpResponse(
                        HttpVersion.HTTP_1_1,
                        found.isPresent() ? HttpResponseStatus.OK : HttpResponseStatus.NOT_FOUND,
                        Unpooled.wrappedBuffer(
                                found.map(ScoreboardSource.Image::bytes)
                                        .orElse("not found\n".getBytes(StandardCharsets.UTF_8))));
        response.headers()
                .set(
                        HttpHeaderNames.CONTENT_TYPE,
                        found.map(ScoreboardSource.Image::mediaType).orElse("text/plain"));
        boolean keepAlive = HttpUtil.isKeepAlive(request);
        HttpUtil.setContentLength(response, response.content().readableBytes());
        HttpUtil.setKeepAlive(response, keepAlive);
        connection.write(response);
        return keepAlive;
    }

    /** Sends the current state and every change; skips to the newest if the page is slow. */
    private void feed(String streamId, SiteConnection connection) throws IOException {
        BlockingQueue<String> newest = new ArrayBlockingQueue<>(1);
        Thread reader =
                Thread.ofVirtual()
                        .name("scoreboard-" + streamId)
                        .start(
                                () -> {
                                    readToEnd(streamId, connection);
                                    put(newest, END);
                                });
        try (ScoreboardSource.Watch _ = source.watch(streamId, text -> put(newest, text))) {
            // A later change may replace END in the queue: then the reader has ended.
            while (reader.isAlive()) {
                String text = newest.poll(PING_SECONDS, TimeUnit.SECONDS);
                if (text == null) {
                    connection.write(new PingWebSocketFrame());
                } else if (text.equals(END)) {
                    return;
                } else {
                    connection.write(new TextWebSocketFrame(text));
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** Answers pings; returns when the page has closed the WebSocket or is gone. */
    private static void readToEnd(String streamId, SiteConnection connection) {
        try {
            Optional<Object> frame = connection.read();
            while (frame.isPresent()) {
                switch (frame.get()) {
                    case PingWebSocketFrame ping ->
                            connection.write(new PongWebSocketFrame(ping.content()));
                    case CloseWebSocketFrame close -> {
                        connection.write(close);
                        return;
                    }
                    default -> ReferenceCountUtil.release(frame.get());
                }
                frame = connection.read();
            }
        } catch (IOException e) {
            log.debug("stream={} scoreboard feed: {}", streamId, e.getMessage());
        }
    }

    private static void put(BlockingQueue<String> newest, String text) {
        while (!newest.offer(text)) {
            newest.poll();
        }
    }

    private Optional<ScoreboardSource.Image> file(String streamId, String path) {
        if (path.startsWith(IMAGES)) {
            return source.image(streamId, path.substring(IMAGES.length()));
        }
        String file = path.equals("/") ? "scoreboard.html" : path.replaceFirst("^/", "");
        return Optional.ofNullable(TYPES.get(file.substring(file.lastIndexOf('.') + 1)))
                .flatMap(
                        type ->
                                resource(file)
                                        .map(bytes -> new ScoreboardSource.Image(type, bytes)));
    }

    /** A file of this package's folder; a name with a path is rejected. */
    private static Optional<byte[]> resource(String file) {
        if (file.indexOf('/') >= 0) {
            return Optional.empty();
        }
        try (InputStream in = ScoreboardSite.class.getResourceAsStream(file)) {
            return in == null ? Optional.empty() : Optional.of(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(file, e);
        }
    }
}
