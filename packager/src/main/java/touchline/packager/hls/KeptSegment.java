package touchline.packager.hls;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A segment of a window and its bytes: in memory, one block per part, or in a file. Owns one
 * reference to each block. Not thread-safe: guarded by its window's lock.
 */
final class KeptSegment {
    final List<MediaBlock> blocks = new ArrayList<>();
    PlaylistSegment lines;
    @Nullable Path file;
    long offsetBytes;
    private boolean inMemory = true;

    KeptSegment(MediaSegment segment) {
        this.lines = PlaylistSegment.of(segment);
    }

    /** A sealed segment in a file. */
    KeptSegment(StoredWindow.Entry stored) {
        MediaSegment segment = stored.segment();
        PlaylistSegment written =
                PlaylistSegment.of(
                        new MediaSegment(
                                segment.mediaSequence(),
                                segment.initNumber(),
                                segment.startUs(),
                                segment.programDateTime(),
                                List.of(),
                                /* sealed= */ false));
        for (MediaSegment.Part part : segment.parts()) {
            written = written.with(part);
        }
        this.lines = written.seal();
        this.file = stored.file();
        this.offsetBytes = stored.offsetBytes();
        this.inMemory = false;
    }

    MediaSegment segment() {
        return lines.segment();
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
        long offset = offsetBytes + segment().offsetBytes(index);
        long size = segment().parts().get(index).sizeBytes();
        return Optional.of(new MediaBody.FileRange(where, offset, size));
    }
}
