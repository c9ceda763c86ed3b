package touchline.benchmarks.caches;

import java.net.URI;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import touchline.benchmarks.load.LowLatencyPlaylist;

/**
 * A player of a stream of latency mode standard: it polls the playlist and loads each segment once,
 * on one connection. Owned by the thread of its loop.
 */
final class StandardPlayer {
    /** Target duration of the pushed media, after which players load a playlist again. */
    private static final long POLL_NS = TimeUnit.SECONDS.toNanos(4);

    private static final int SEGMENTS_AT_START = 3;
    private static final int OK = 200;

    private final PlayerLoop loop;
    private final URI media;
    private final PlaylistReader reader;
    private final Set<String> segments;
    private final PlayerConnection connection;

    private long next = -1;
    private boolean left;

    /**
     * @param media address of the media playlist
     * @param reader shared by all players of the loop
     * @param segments shared likewise; paths of all requested ones
     */
    StandardPlayer(PlayerLoop loop, URI media, PlaylistReader reader, Set<String> segments) {
        this.loop = loop;
        this.media = media;
        this.reader = reader;
        this.segments = segments;
        connection = new PlayerConnection(loop, media);
    }

    /** Loads the playlist; then goes on by itself. */
    void start() {
        if (left) {
            return;
        }
        loop.counts().playlistRequested();
        connection.get(media.getRawPath(), /* keepsBody= */ true, this::listed);
    }

    /** Requests nothing more. */
    void leave() {
        left = true;
    }

    private void listed(PlayerConnection.Answer answer) {
        if (answer.status() == OK) {
            var listed = reader.read(answer).playlist().segments();
            int from = next < 0 ? Math.max(0, listed.size() - SEGMENTS_AT_START) : 0;
            for (LowLatencyPlaylist.Item segment : listed.subList(from, listed.size())) {
                if (segment.mediaSequence() >= next) {
                    if (next >= 0 && segment.mediaSequence() > next) {
                        loop.counts().failed("a segment left the playlist before it was loaded");
                    }
                    next = segment.mediaSequence() + 1;
                    request(segment.address().getRawPath());
                }
            }
        } else if (answer.status() != 0) {
            loop.counts().failed("a playlist: HTTP " + answer.status());
        }
        loop.after(POLL_NS, this::start);
    }

    private void request(String path) {
        loop.counts().mediaRequested();
        segments.add(path);
        connection.get(
                path,
                /* keepsBody= */ false,
                answer -> {
                    if (answer.status() != OK && answer.status() != 0) {
                        loop.counts().failed(path + ": HTTP " + answer.status());
                    }
                });
    }
}
