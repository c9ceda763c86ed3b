package touchline.packager.hls;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A segment of the window and its bytes: in memory, one block per part, or in a file. Owns one
 * reference to each block. Not thread-safe: guarded by its window's lock.
 */
final class WindowSegment {
    private final List<MediaBlock> blocks = new ArrayList<>();
    private PlaylistSegment lines;
    private @Nullable Path file;
    private long offsetBytes;
    private boolean inMemory = true;

    /**
     * @param firstPart number of its first part in addresses
     */
    WindowSegment(MediaSegment segment, int firstPart) {
        this.lines = PlaylistSegment.of(segment, firstPart);
    }

    MediaSegment segment() {
        return lines.segment();
    }

    /** Its lines in a playlist. */
    PlaylistSegment lines() {
        return lines;
    }

    /** A part of the growing segment; its bytes are retained here. */
    void add(PartSink.FinishedPart part) {
        lines =
                lines.with(
                        new MediaSegment.Part(
                                part.durationUs(), part.independent(), part.bytes().sizeBytes()));
        blocks.add(part.bytes().retain());
    }

    void seal() {
        lines = lines.seal();
    }

    /** It is no longer listed. */
    void unlist() {
        lines = lines.withoutParts();
    }

    /** The whole segment lies in a file, from an offset on. */
    void stored(Path where, long offset) {
        file = where;
        offsetBytes = offset;
    }

    boolean isStored() {
        return file != null;
    }

    long memoryBytes() {
        return inMemory ? segment().sizeBytes() : 0;
    }

    void freeMemory() {
        inMemory = false;
        blocks.forEach(MediaBlock::release);
        blocks.clear();
    }

    /**
     * The file, if there is one: sendfile costs less than copying a segment to the socket, and
     * recently written bytes are in the page cache. Parts are small and come from memory.
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

    boolean hasPart(int number) {
        int index = number - lines.firstPart();
        return index >= 0 && index < segment().parts().size();
    }

    Optional<MediaBody> part(int number) {
        if (!hasPart(number)) {
            return Optional.empty();
        }
        int index = number - lines.firstPart();
        if (inMemory) {
            return Optional.of(new MediaBody.Blocks(List.of(blocks.get(index).retain())));
        }
        Path where = file;
        if (where == null) {
            return Optional.empty();
        }
        long offset = offsetBytes + segment().offsetBytes(index);
        long size = segment().parts().get(index).sizeBytes();
        return Optional.of(new MediaBody.FileRange(where, offset, size));
    }
}
