package touchline.packager.hls;

import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The init segments of a window's segments, by number. Owns one reference to each block. Guarded by
 * its window's lock.
 */
final class WindowInits {
    private final NavigableMap<Integer, MediaBlock> blocks = new TreeMap<>();

    /** Retains the block. */
    void add(int number, MediaBlock block) {
        blocks.put(number, block.retain());
    }

    /** Takes over the references. */
    void resume(Map<Integer, MediaBlock> stored) {
        for (Map.Entry<Integer, MediaBlock> each : stored.entrySet()) {
            MediaBlock same = blocks.put(each.getKey(), each.getValue());
            if (same != null) {
                same.release();
            }
        }
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
