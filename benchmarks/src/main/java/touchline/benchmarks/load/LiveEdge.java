package touchline.benchmarks.load;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/**
 * Follows one low-latency stream as a player does: each reload waits on the server for the next
 * part. Owned by one thread.
 */
public final class LiveEdge implements AutoCloseable {
    private static final long POLL_MS = 50;

    private final HttpConnection connection;
    private final URI media;
    private LowLatencyPlaylist playlist;

    private LiveEdge(HttpConnection connection, URI media, LowLatencyPlaylist playlist) {
        this.connection = connection;
        this.media = media;
        this.playlist = playlist;
    }

    /**
     * Waits for a stream that is about to start; the caller closes it.
     *
     * @param multivariant what viewers are given
     */
    public static LiveEdge open(URI multivariant, Duration atMost)
            throws IOException, InterruptedException {
        long deadlineNs = System.nanoTime() + atMost.toNanos();
        HttpConnection connection = HttpConnection.open(multivariant);
        try {
            var answer = connection.get(multivariant);
            while (answer.status() != 200) {
                if (System.nanoTime() > deadlineNs) {
                    throw new IOException(
                            multivariant + ": HTTP " + answer.status() + " after " + atMost);
                }
                Thread.sleep(POLL_MS);
                answer = connection.get(multivariant);
            }
            URI media = LowLatencyPlaylist.mediaOf(answer.text(), multivariant);
            String text = text(connection, media);
            return new LiveEdge(connection, media, LowLatencyPlaylist.parse(text, media));
        } catch (IOException | InterruptedException e) {
            connection.close();
            throw e;
        }
    }

    /** Holds until something new is listed, and returns the parts that are new. */
    public List<LowLatencyPlaylist.Item> reload() throws IOException {
        LowLatencyPlaylist before = playlist;
        String text = text(connection, next());
        playlist = LowLatencyPlaylist.parse(text, media);
        if (before.parts().isEmpty()) {
            return playlist.parts();
        }
        var last = before.parts().getLast();
        return playlist.parts().stream().filter(part -> part.isAfter(last)).toList();
    }

    /** Loads the playlist as it is now. */
    public void look() throws IOException {
        playlist = LowLatencyPlaylist.parse(text(connection, media), media);
    }

    /** What the next reload asks for. */
    public URI next() {
        return URI.create(media + "?" + playlist.reloadQuery());
    }

    /** The media playlist, without waiting. */
    public URI media() {
        return media;
    }

    /** As it was at the last reload. */
    public LowLatencyPlaylist playlist() {
        return playlist;
    }

    /** Parts and segments come over the same connection. */
    public HttpConnection connection() {
        return connection;
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }

    private static String text(HttpConnection connection, URI address) throws IOException {
        return StandardCharsets.UTF_8.decode(connection.body(address)).toString();
    }
}
