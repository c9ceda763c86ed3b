package touchline.benchmarks.caches;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.zip.GZIPInputStream;
import touchline.benchmarks.load.LowLatencyPlaylist;

/**
 * Reads media playlists. Thousands of players get the same few, so the newest ones are kept by
 * their bytes. Owned by one thread.
 */
final class PlaylistReader {
    private static final int KEPT = 6;
    private static final String HINT = "#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"";

    /**
     * What a player takes from a playlist.
     *
     * @param hint path of the part that is hinted; empty without one
     */
    record Listing(LowLatencyPlaylist playlist, String hint) {}

    @SuppressWarnings("ArrayRecordComponent") // never written again
    private record Kept(byte[] body, Listing listing) {}

    private final URI media;
    private final Deque<Kept> newest = new ArrayDeque<>();

    /**
     * @param media address of the media playlist
     */
    PlaylistReader(URI media) {
        this.media = media;
    }

    Listing read(PlayerConnection.Answer answer) {
        for (Kept kept : newest) {
            if (Arrays.equals(kept.body(), answer.body())) {
                return kept.listing();
            }
        }
        Listing listing = parse(text(answer), media);
        newest.addFirst(new Kept(answer.body(), listing));
        if (newest.size() > KEPT) {
            newest.removeLast();
        }
        return listing;
    }

    private static String text(PlayerConnection.Answer answer) {
        if (!answer.isGzip()) {
            return new String(answer.body(), StandardCharsets.UTF_8);
        }
        try (GZIPInputStream plain = new GZIPInputStream(new ByteArrayInputStream(answer.body()))) {
            return new String(plain.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Listing parse(String text, URI media) {
        String hint =
                text.lines()
                        .filter(line -> line.startsWith(HINT))
                        .map(line -> line.substring(HINT.length()).split("\"", 2)[0])
                        .map(address -> media.resolve(address).getRawPath())
                        .findFirst()
                        .orElse("");
        return new Listing(LowLatencyPlaylist.parse(text, media), hint);
    }
}
