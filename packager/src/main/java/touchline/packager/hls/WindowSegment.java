package touchline.packager.hls;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A segment of the window and its bytes: in memory, one block per part, or in a file, or its first
 * parts in a file and the rest in memory. Owns one reference to each block. Not thread-safe:
 * guarded by its window's lock.
 */
final class WindowSegment {
    /** Of the parts from {@link #freed} on. */
    private final List<MediaBlock> blocks = new ArrayList<>();

    private PlaylistSegment lines;

    /** Where it lies, or its first parts. */
    private @Nullable Path file;

    private long offsetBytes;
    private boolean whole;
    private boolean inMemory = true;

    /** Number of first parts that lie in the file only. */
    private int freed;

    /**
     * @param firstPart number of its first part in addresses
     */
    WindowSegment(MediaSegment segment, int firstPart) {
        this.lines = PlaylistSegment.of(segment, firstPart);
    }

    /** A sealed segment in a file. */
    private WindowSegment(StoredWindow.Entry stored) {
        this(growing(stored.segment()), stored.firstPart());
        stored.segment().parts().forEach(part -> lines = lines.with(part));
        seal();
        stored(stored.file(), stored.offsetBytes());
        freeMemory();
    }

    /** One whose media is not this server's: nothing of it is in memory, or in a file here. */
    private WindowSegment(PlaylistSegment lines) {
        this.lines = lines;
        this.whole = true;
        freeMemory();
    }

    /** One that an earlier server has stored, or a gap. */
    static WindowSegment earlier(PlaylistSegment lines) {
        return new WindowSegment(lines);
    }

    /** The segments of a stored window; parts are listed with the listed ones only. */
    static List<WindowSegment> of(StoredWindow stored) {
        List<WindowSegment> all = new ArrayList<>(stored.entries().size());
        for (StoredWindow.Entry entry : stored.entries()) {
            WindowSegment segment = new WindowSegment(entry);
            if (segment.segment().mediaSequence() < stored.listedFrom()) {
                segment.unlist();
            }
            all.add(segment);
        }
        return all;
    }

    /** Bytes that lie in memory only. */
    static long unstoredBytes(List<WindowSegment> segments) {
        long sum = 0;
        for (WindowSegment segment : segments) {
            sum += segment.isStored() ? 0 : segment.memoryBytes();
        }
        return sum;
    }

    /** Frees the memory of segments that lie in files, up to a number. */
    static void freeStored(List<WindowSegment> segments, long upTo) {
        for (WindowSegment segment : segments) {
            if (segment.segment().mediaSequence() > upTo) {
                break;
            }
            if (segment.isStored() && segment.inMemory) {
                segment.freeMemory();
            }
        }
    }

    private static MediaSegment growing(MediaSegment sealed) {
        return new MediaSegment(
                sealed.mediaSequence(),
                sealed.initNumber(),
                sealed.startUs(),
                sealed.programDateTime(),
                List.of(),
                /* sealed= */ false);
    }

    /** Where it lies; empty while it lies in memory only. */
    Optional<StoredWindow.Entry> toStore() {
        Path where = file;
        return where == null || !whole
                ? Optional.empty()
                : Optional.of(
                        new StoredWindow.Entry(segment(), lines.firstPart(), where, offsetBytes));
    }

    /** The newest of some segments that starts at a time or before it. */
    static Optional<MediaSegment> startingBy(List<WindowSegment> segments, long mediaUs) {
        int low = 0;
        int high = segments.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (segments.get(middle).segment().startUs() <= mediaUs) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low == 0 ? Optional.empty() : Optional.of(segments.get(low - 1).segment());
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
        whole = true;
    }

    /**
     * A part lies in a file, behind all before it: frees its memory.
     *
     * @param offset of the segment
     */
    void freePart(int index, Path where, long offset) {
        if (inMemory && index == freed && !blocks.isEmpty()) {
            file = where;
            offsetBytes = offset;
            freed++;
            blocks.removeFirst().release();
        }
    }

    boolean isStored() {
        return whole;
    }

    private long memoryBytes() {
        return segment().sizeBytes() - segment().offsetBytes(freed);
    }

    void freeMemory() {
        inMemory = false;
        freed = segment().parts().size();
        blocks.forEach(MediaBlock::release);
        blocks.clear();
    }

    /**
     * The file, if there is one: sendfile costs less than copying a segment to the socket, and
     * recently written bytes are in the page cache. Parts are small and come from memory.
     */
    Optional<MediaBody> body() {
        Path where = file;
        if (where != null && (whole || blocks.isEmpty())) {
            return Optional.of(new MediaBody.FileRange(where, offsetBytes, segment().sizeBytes()));
        }
        if (!inMemory) {
            return Optional.empty();
        }
        blocks.forEach(MediaBlock::retain);
        MediaBody.Blocks rest = new MediaBody.Blocks(blocks);
        return Optional.of(
                where == null
                        ? rest
                        : new MediaBody.PartlyStored(
                                new MediaBody.FileRange(
                                        where, offsetBytes, segment().offsetBytes(freed)),
                                rest));
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
        if (index >= freed) {
            return Optional.of(new MediaBody.Blocks(List.of(blocks.get(index - freed).retain())));
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
