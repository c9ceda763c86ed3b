package touchline.packager.thumbnail;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import touchline.packager.hls.MediaBlock;
import touchline.packager.hls.MediaBody;

/** Mapped bytes of a body, valid until this is closed. One thread. */
final class MappedMedia implements AutoCloseable {
    private final MediaBody body;
    private final Arena arena;
    private final List<MemorySegment> pieces;

    private MappedMedia(MediaBody body, Arena arena, List<MemorySegment> pieces) {
        this.body = body;
        this.arena = arena;
        this.pieces = pieces;
    }

    /**
     * Takes ownership of the body, also where it throws.
     *
     * @throws IOException where a file cannot be mapped
     */
    static MappedMedia open(MediaBody body) throws IOException {
        Arena arena = Arena.ofConfined();
        try {
            return new MappedMedia(body, arena, pieces(body, arena));
        } catch (IOException | RuntimeException e) {
            arena.close();
            body.close();
            throw e;
        }
    }

    private static List<MemorySegment> pieces(MediaBody body, Arena arena) throws IOException {
        List<MemorySegment> pieces = new ArrayList<>();
        switch (body) {
            case MediaBody.Blocks blocks -> add(blocks, pieces);
            case MediaBody.PartlyStored(MediaBody.FileRange stored, MediaBody.Blocks rest) -> {
                pieces.add(map(stored, arena));
                add(rest, pieces);
            }
            case MediaBody.FileRange range -> pieces.add(map(range, arena));
            case MediaBody.FileSequence several -> {
                for (MediaBody.FileRange range : several.files()) {
                    pieces.add(map(range, arena));
                }
            }
            case MediaBody.Fetched _ ->
                    throw new IOException("media of another server cannot be mapped");
        }
        return pieces;
    }

    private static void add(MediaBody.Blocks blocks, List<MemorySegment> pieces) {
        for (MediaBlock block : blocks.blocks()) {
            pieces.add(MemorySegment.ofBuffer(block.bytes()));
        }
    }

    private static MemorySegment map(MediaBody.FileRange range, Arena arena) throws IOException {
        try (FileChannel file = FileChannel.open(range.file(), StandardOpenOption.READ)) {
            // Reading a mapping beyond the file's end would crash the process.
            if (file.size() < range.offsetBytes() + range.sizeBytes()) {
                throw new EOFException("stored media ends at " + file.size());
            }
            return file.map(
                    FileChannel.MapMode.READ_ONLY, range.offsetBytes(), range.sizeBytes(), arena);
        }
    }

    /** Each holds whole boxes. */
    List<MemorySegment> pieces() {
        return pieces;
    }

    @Override
    public void close() {
        arena.close();
        body.close();
    }
}
