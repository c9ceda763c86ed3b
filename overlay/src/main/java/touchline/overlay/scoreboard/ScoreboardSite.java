package touchline.overlay.scoreboard;

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
import touchline.overlay.page.HttpHead;
import touchline.overlay.page.InternalSite;

/**
 * {@code http://scoreboard.touchline.internal/}: the bundled page and its live feed, a WebSocket at
 * {@code /feed}. No socket leads here: the page's proxy hands over what is meant for the name, and
 * which stream's page it is. One virtual thread for each connection.
 */
public final class ScoreboardSite implements InternalSite {
    /** Never resolved; {@code internal} is kept for private use (ICANN, 2024). */
    public static final String HOST = "scoreboard.touchline.internal";

    public static final String URL = "http://" + HOST + "/";

    private static final String FEED = "/feed";
    private static final long PING_SECONDS = 15;
    private static final Map<String, String> TYPES =
            Map.of(
                    "html", "text/html; charset=utf-8",
                    "css", "text/css; charset=utf-8",
                    "js", "text/javascript; charset=utf-8",
                    "woff2", "font/woff2");

    /** What a reader that has ended leaves; no state is empty. */
    private static final String END = "";

    private final ScoreboardSource source;

    public ScoreboardSite(ScoreboardSource source) {
        this.source = source;
    }

    @Override
    public void serve(String streamId, InputStream from, OutputStream to) throws IOException {
        boolean open = true;
        while (open) {
            Optional<HttpHead> head = HttpHead.read(from);
            if (head.isEmpty()) {
                return;
            }
            open = answer(streamId, head.get(), from, to);
        }
    }

    /** Answers whether the connection takes another request. */
    private boolean answer(String streamId, HttpHead head, InputStream from, OutputStream to)
            throws IOException {
        String[] words = head.firstLine().split(" ", -1);
        String path = words.length == 3 ? words[1].replaceFirst("\\?.*", "") : "";
        Optional<String> key = head.field("Sec-WebSocket-Key");
        if (path.equals(FEED) && key.isPresent()) {
            feed(streamId, WebSocketServer.accept(key.get(), from, to));
            return false;
        }
        boolean get = words[0].equals("GET");
        String file = path.equals("/") ? "scoreboard.html" : path.replaceFirst("^/", "");
        Optional<String> type =
                Optional.ofNullable(TYPES.get(file.substring(file.lastIndexOf('.') + 1)));
        Optional<byte[]> body = get && type.isPresent() ? resource(file) : Optional.empty();
        boolean close = head.field("Connection").filter("close"::equalsIgnoreCase).isPresent();
        byte[] bytes = body.orElse("not here\n".getBytes(StandardCharsets.UTF_8));
        String reply =
                String.join(
                        "\r\n",
                        body.isPresent() ? "HTTP/1.1 200 OK" : "HTTP/1.1 404 Not Found",
                        "Content-Type: " + (body.isPresent() ? type.orElseThrow() : "text/plain"),
                        "Content-Length: " + bytes.length,
                        "Connection: " + (close ? "close" : "keep-alive"),
                        "",
                        "");
        to.write(reply.getBytes(StandardCharsets.ISO_8859_1));
        to.write(bytes);
        to.flush();
        // The body of another request is not read, so what follows it could not be found.
        return !close && get;
    }

    /** What is shown, at once and at every change; the newest where the page is slow. */
    private void feed(String streamId, WebSocketServer socket) throws IOException {
        BlockingQueue<String> newest = new ArrayBlockingQueue<>(1);
        Thread reader =
                Thread.ofVirtual()
                        .name("scoreboard-" + streamId)
                        .start(
                                () -> {
                                    socket.readToEnd();
                                    put(newest, END);
                                });
        try (ScoreboardSource.Watch _ = source.watch(streamId, text -> put(newest, text))) {
            // The end may be pushed out by a change that comes after it: then the thread is over.
            while (reader.isAlive()) {
                String text = newest.poll(PING_SECONDS, TimeUnit.SECONDS);
                if (text == null) {
                    socket.ping();
                } else if (text.equals(END)) {
                    return;
                } else {
                    socket.send(text);
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private static void put(BlockingQueue<String> newest, String text) {
        while (!newest.offer(text)) {
            newest.poll();
        }
    }

    /** Of this package's folder only: a path in the name would lead elsewhere. */
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
