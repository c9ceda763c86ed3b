package touchline.benchmarks.load;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The tags of an FLV file (Adobe Flash Video File Format 10.1, Annex E). For trusted files. */
public record FlvFile(List<Tag> tags) {
    private static final int FILE_HEADER_BYTES = 13;
    private static final int TAG_HEADER_BYTES = 11;
    private static final int PREVIOUS_TAG_SIZE_BYTES = 4;

    public FlvFile {
        tags = List.copyOf(tags);
    }

    /**
     * @param type 8 audio, 9 video, 18 script data
     * @param timestampMs decode time
     */
    public record Tag(int type, int timestampMs, ByteBuffer body) {
        public boolean isSequenceHeader() {
            if (body.remaining() < 2 || body.get(1) != 0) {
                return false;
            }
            return type == 9 ? (body.get(0) & 15) == 7 : type == 8 && (body.get(0) & 0xF0) == 0xA0;
        }

        public boolean isMedia() {
            return type != 18 && !isSequenceHeader() && (type == 8 || body.remaining() > 5);
        }
    }

    /** Reads a whole file. */
    public static FlvFile read(Path file) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
        List<Tag> tags = new ArrayList<>();
        int position = FILE_HEADER_BYTES;
        while (position + TAG_HEADER_BYTES <= bytes.limit()) {
            int size = bytes.getInt(position) & 0xFFFFFF;
            int low = bytes.getInt(position + 4);
            int timestampMs = low >>> 8 | (low & 0xFF) << 24;
            tags.add(
                    new Tag(
                            bytes.get(position),
                            timestampMs,
                            bytes.slice(position + TAG_HEADER_BYTES, size)));
            position += TAG_HEADER_BYTES + size + PREVIOUS_TAG_SIZE_BYTES;
        }
        return new FlvFile(tags);
    }
}
