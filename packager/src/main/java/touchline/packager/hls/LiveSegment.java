package touchline.packager.hls;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A segment and where its bytes lie: in memory, part by part, or in a file. Owns one reference to
 * each block. Not safe by itself: guarded by its window's lock.
 */
final class LiveSegment {
    private final List<MediaBlock> blocks = new ArrayList<>();
    private PlaylistSegment lines;
    private @Nullable Path file;
    private long offsetBytes;
    private boolean inMemory = true;

    LiveSegment(MediaSegment segment) {
        this.lines = PlaylistSegment.of(segment);
    }

    MediaSegment segment() {
        return lines.segment();
    }

    PlaylistSegment lines() {
        return lines;
    }

    /** Its parts are not listed any more. */
    void unlistParts() {
        lines = lines.withoutParts();
    }

    /** Takes over a reference. */
    void add(MediaSegment.Part part, MediaBlock block) {
        lines = lines.with(part);
        blocks.add(block);
    }

    void seal() {
        lines = lines.seal();
    }

    /** The whole segment stands in a file now, from an offset on. */
    void stored(Path where, long atByte) {
        file = where;
        offsetBytes = atByte;
    }

    boolean isStored() {
        return file != null;
    }

    /** Bytes held in memory. */
    long memoryBytes() {
        return inMemory ? segment().sizeBytes() : 0;
    }

    /** Gives the memory back; bytes are in the file from now on, if anywhere. */
    void leaveMemory() {
        inMemory = false;
        blocks.forEach(MediaBlock::release);
        blocks.clear();
    }

    /**
     * From its file where there is one: sendfile costs less than copying a segment to the socket,
     * and what was written lately is in the page cache. Parts are small and come from memory.
     */
    Optional<MediaBody> body() {
        Path where = file;
        if (where != null) {
            return Optional.of(new MediaBody.FileRange(where, offsetBytes, segment().sizeBytes()));
        }
        if (!inMemory) {
            return Optional.empty();
        }
        blocks.forEach(MediaBlock::retain);
        return Optional.of(new MediaBody.Blocks(blocks));
    }

    Optional<MediaBody> part(int index) {
        if (index < 0 || index >= segment().parts().size()) {
            return Optional.empty();
        }
        if (inMemory) {
            return Optional.of(new MediaBody.Blocks(List.of(blocks.get(index).retain())));
        }
        Path where = file;
        if (where == null) {
            return Optional.empty();
        }
        long offset = offsetBytes;
        for (MediaSegment.Part before : segment().parts().subList(0, index)) {
            offset += before.sizeBytes();
        }
        long size = segment().parts().get(index).sizeBytes();
        return Optional.of(new MediaBody.FileRange(where, offset, size));
    }
}
