package touchline.benchmarks.load;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/**
 * Follows one low-latency stream with blocking playlist reloads, as a player does. Owned by one
 * thread.
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
     * Waits until a stream has started; the caller closes it.
     *
     * @param multivariant the address for viewers
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

    /** Waits until a new part is listed and returns the new parts. */
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

    /** Loads and returns the playlist without waiting. */
    public LowLatencyPlaylist load() throws IOException {
        playlist = LowLatencyPlaylist.parse(text(connection, media), media);
        return playlist;
    }

    /** The address of the next blocking reload. */
    public URI next() {
        return URI.create(media + "?" + playlist.reloadQuery());
    }

    /** The address of the media playlist. */
    public URI media() {
        return media;
    }

    /** The playlist of the last reload. */
    public LowLatencyPlaylist playlist() {
        return playlist;
    }

    /** The connection, which parts and segments share. */
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
