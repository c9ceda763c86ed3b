package touchline.media.decoding;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.jspecify.annotations.Nullable;
import touchline.media.FrameView;
import touchline.media.ffmpeg.Colour;
import touchline.media.ffmpeg.FrameFormat;
import touchline.media.ffmpeg.VideoFrame;

/**
 * The child's ends of two files: it reads coded media from one, and writes decoded frames to a
 * mapping of the other. One thread.
 */
final class ChildFiles implements AutoCloseable {
    private final FileChannel in;
    private final FileChannel out;
    private @Nullable Arena arena;
    private MemorySegment mapped = MemorySegment.NULL;

    private ChildFiles(FileChannel in, FileChannel out) {
        this.in = in;
        this.out = out;
    }

    /** Opens two files that exist. */
    static ChildFiles open(Path in, Path out) throws IOException {
        FileChannel opened = FileChannel.open(in, StandardOpenOption.READ);
        try {
            return new ChildFiles(
                    opened,
                    FileChannel.open(out, StandardOpenOption.READ, StandardOpenOption.WRITE));
        } catch (IOException e) {
            opened.close();
            throw e;
        }
    }

    MemorySegment read(long position, int sizeBytes) throws IOException {
        byte[] bytes = new byte[sizeBytes];
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        while (buffer.hasRemaining()) {
            if (in.read(buffer, position + buffer.position()) < 0) {
                throw new EOFException("coded media");
            }
        }
        return MemorySegment.ofArray(bytes);
    }

    /** Writes the planes one after the other, and returns the description for the reply. */
    ObjectNode write(VideoFrame frame) throws IOException {
        FrameFormat format = frame.format();
        List<FrameView.Plane> planes = frame.planes();
        map(planes.stream().mapToLong(plane -> plane.samples().byteSize()).sum());
        ObjectNode reply = JsonNodeFactory.instance.objectNode();
        ArrayNode strides = reply.putArray("strides");
        long position = 0;
        for (FrameView.Plane plane : planes) {
            // With the padding of its rows: one copy is faster than one for each row.
            long bytes = plane.samples().byteSize();
            MemorySegment.copy(plane.samples(), 0, mapped, position, bytes);
            strides.add(plane.strideBytes());
            position += bytes;
        }
        Colour colour = format.colour();
        return reply.put("width", format.width())
                .put("height", format.height())
                .put("primaries", colour.primaries())
                .put("transfer", colour.transfer())
                .put("matrix", colour.matrix())
                .put("full_range", colour.fullRange())
                .put("aspect", frame.sampleAspect())
                .put("pts", frame.ptsTicks());
    }

    private void map(long sizeBytes) throws IOException {
        if (mapped.byteSize() >= sizeBytes) {
            return;
        }
        unmap();
        Arena fresh = Arena.ofConfined();
        arena = fresh;
        mapped = out.map(FileChannel.MapMode.READ_WRITE, 0, sizeBytes, fresh);
    }

    private void unmap() {
        mapped = MemorySegment.NULL;
        if (arena != null) {
            arena.close();
            arena = null;
        }
    }

    @Override
    public void close() throws IOException {
        unmap();
        in.close();
        out.close();
    }
}
