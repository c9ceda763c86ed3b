package touchline.benchmarks.ingest;

import java.io.IOException;
import java.net.URI;
import java.util.TreeMap;
import touchline.benchmarks.load.HttpConnection;
import touchline.benchmarks.load.HttpConnection.Answer;
import touchline.benchmarks.load.LowLatencyPlaylist;
import touchline.benchmarks.load.LowLatencyPlaylist.Item;

/** Polls one stream's media playlist and finds missing segments. Owned by one thread. */
public final class PlaylistWatch implements AutoCloseable {
    private static final int LEAST_SEGMENT_BYTES = 1000;

    private final HttpConnection connection;
    private final URI address;
    private final TreeMap<Long, Item> segments = new TreeMap<>();

    /** The caller closes it. */
    public PlaylistWatch(URI address) throws IOException {
        this.connection = HttpConnection.open(address);
        this.address = address;
    }

    /** Loads the playlist. */
    public void load() throws IOException {
        URI media = address;
        Answer answer = connection.get(media);
        if (answer.status() == 200 && answer.text().contains("#EXT-X-STREAM-INF")) {
            media = LowLatencyPlaylist.mediaOf(answer.text(), media);
            answer = connection.get(media);
        }
        if (answer.status() == 200) {
            LowLatencyPlaylist.parse(answer.text(), media)
                    .segments()
                    .forEach(segment -> segments.put(segment.mediaSequence(), segment));
        }
    }

    /** Segment numbers that were never listed between the first and the last. */
    public long holes() {
        return segments.isEmpty()
                ? 0
                : segments.lastKey() - segments.firstKey() + 1 - segments.size();
    }

    /** Duration of all listed segments. */
    public double coveredSeconds() {
        return segments.values().stream().mapToDouble(Item::seconds).sum();
    }

    /** How many of the two newest segments cannot be loaded. */
    public int missing() throws IOException {
        int missing = segments.isEmpty() ? 1 : 0;
        for (Item segment : segments.descendingMap().values().stream().limit(2).toList()) {
            Answer answer = connection.get(segment.address());
            boolean whole =
                    answer.status() == 200 && answer.body().remaining() > LEAST_SEGMENT_BYTES;
            missing += whole ? 0 : 1;
        }
        return missing;
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }
}
