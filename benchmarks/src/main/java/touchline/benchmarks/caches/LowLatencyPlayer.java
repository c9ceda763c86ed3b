package touchline.benchmarks.caches;

import java.net.URI;
import java.util.concurrent.TimeUnit;
import touchline.benchmarks.load.LowLatencyPlaylist;

/**
 * A player at the live edge of a low-latency stream, with one connection for playlists and one for
 * media. It reloads the playlist by blocking requests with delta updates, and loads each part once.
 * Owned by the thread of its loop.
 */
final class LowLatencyPlayer {
    private static final long RETRY_NS = TimeUnit.SECONDS.toNanos(1);
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;

    /** When a player requests a part. */
    enum Kind {
        /** When a playlist lists it, as hls.js does. */
        LISTED,
        /** When a playlist hints it, as Shaka and Apple's players do: the request waits. */
        HINTED
    }

    private final PlayerLoop loop;
    private final Kind kind;
    private final URI media;
    private final PlaylistReader reader;
    private final ReceivedParts received;
    private final PlayerConnection playlists;
    private final PlayerConnection parts;

    /** The newest part that was listed; -1 before the first playlist. */
    private long sequence = -1;

    private int part;

    /** The last part that was requested before it was listed; empty for none. */
    private String hinted = "";

    /**
     * @param media address of the media playlist
     * @param reader shared by all players of the loop
     * @param received likewise, by those of the same kind
     */
    LowLatencyPlayer(
            PlayerLoop loop, Kind kind, URI media, PlaylistReader reader, ReceivedParts received) {
        this.loop = loop;
        this.kind = kind;
        this.media = media;
        this.reader = reader;
        this.received = received;
        playlists = new PlayerConnection(loop, media);
        parts = new PlayerConnection(loop, media);
    }

    /** Loads the whole playlist; then goes on by itself. */
    void start() {
        loop.counts().playlistRequested();
        playlists.get(media.getRawPath(), /* keepsBody= */ true, this::listed);
    }

    private void listed(PlayerConnection.Answer answer) {
        if (answer.status() != OK) {
            if (answer.status() != 0) {
                loop.counts().failed("a playlist: HTTP " + answer.status());
            }
            loop.after(RETRY_NS, this::start);
            return;
        }
        PlaylistReader.Listing listing = reader.read(answer);
        request(listing);
        loop.counts().playlistRequested();
        playlists.get(
                media.getRawPath() + "?" + listing.playlist().reloadQuery() + "&_HLS_skip=YES",
                /* keepsBody= */ true,
                this::listed);
    }

    private void request(PlaylistReader.Listing listing) {
        boolean first = sequence < 0;
        for (LowLatencyPlaylist.Item item : listing.playlist().parts()) {
            if (item.mediaSequence() > sequence
                    || (item.mediaSequence() == sequence && item.part() > part)) {
                sequence = item.mediaSequence();
                part = item.part();
                String path = item.address().getRawPath();
                // At its start a player takes the live edge only.
                if (!first && !path.equals(hinted)) {
                    request(path, /* hint= */ false);
                }
            }
        }
        String hint = listing.hint();
        if (kind == Kind.HINTED && !hint.isEmpty() && !hint.equals(hinted)) {
            hinted = hint;
            request(hint, /* hint= */ true);
        }
    }

    private void request(String path, boolean hint) {
        loop.counts().mediaRequested();
        parts.get(path, /* keepsBody= */ false, answer -> received(path, hint, answer));
    }

    private void received(String path, boolean hint, PlayerConnection.Answer answer) {
        if (answer.status() == OK) {
            received.add(path, answer.doneNs(), answer.bytes());
        } else if (hint && answer.status() == NOT_FOUND) {
            loop.counts().hintMissing();
            hinted = hinted.equals(path) ? "" : hinted;
        } else if (answer.status() != 0) {
            loop.counts().failed(path + ": HTTP " + answer.status());
        }
    }
}
