package touchline.packager.hls;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import touchline.media.CodecConfig;
import touchline.media.Track;

/**
 * The init segments of a window's segments, by number. Owns one reference to each block. Guarded by
 * its window's lock.
 */
final class WindowInits {
    private final NavigableMap<Integer, MediaBlock> blocks = new TreeMap<>();

    /** Codecs of the newest one's tracks. */
    private List<Class<? extends CodecConfig>> codecs = List.of();

    private boolean keepsCodecs;

    /** Retains the block. */
    void add(int number, MediaBlock block, List<Track> tracks) {
        List<Class<? extends CodecConfig>> before = codecs;
        codecs = codecs(tracks);
        keepsCodecs = codecs.equals(before);
        blocks.put(number, block.retain());
    }

    /** Takes over the references. */
    void resume(Map<Integer, MediaBlock> stored, List<Track> tracks) {
        blocks.putAll(stored);
        codecs = codecs(tracks);
    }

    /**
     * The newest one, if a player's buffer takes it behind media of the one before: it has tracks
     * of the same codecs. Without a reference for the caller.
     */
    @Nullable MediaBlock following() {
        return keepsCodecs ? blocks.lastEntry().getValue() : null;
    }

    private static List<Class<? extends CodecConfig>> codecs(List<Track> tracks) {
        List<Class<? extends CodecConfig>> all = new ArrayList<>(tracks.size());
        tracks.forEach(track -> all.add(track.codec().getClass()));
        return all;
    }

    /** With a reference for the caller. */
    Optional<MediaBody> body(int number) {
        return Optional.ofNullable(blocks.get(number))
                .map(block -> new MediaBody.Blocks(List.of(block.retain())));
    }

    void dropBefore(int number) {
        Map<Integer, MediaBlock> unused = blocks.headMap(number);
        unused.values().forEach(MediaBlock::release);
        unused.clear();
    }

    void clear() {
        blocks.values().forEach(MediaBlock::release);
        blocks.clear();
    }
}
