package touchline.benchmarks.load;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The tags of an FLV file (Adobe Flash Video File Format 10.1, Annex E). For trusted files. */
public record FlvFile(List<Tag> tags) {
    /** Enhanced RTMP v2, ExVideoTagHeader. */
    private static final int MULTITRACK_VIDEO = 0x86;

    private static final int AVC1 = 0x61766331;
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
            return type == 9
                    ? (body.get(0) & 15) == 7 || (body.get(0) & 0x8F) == MULTITRACK_VIDEO
                    : type == 8 && (body.get(0) & 0xF0) == 0xA0;
        }

        boolean isKeyFrame() {
            return type == 9 && isMedia() && (body.get(0) & 0x70) == 0x10;
        }

        public boolean isMedia() {
            return type != 18 && !isSequenceHeader() && (type == 8 || body.remaining() > 5);
        }
    }

    /**
     * A push of several video tracks: messages of one track each (OneTrack), as OBS Studio sends
     * them.
     *
     * @param further H.264; its audio is left out
     */
    public FlvFile with(int trackId, FlvFile further) {
        List<Tag> all = new ArrayList<>(tags);
        for (Tag tag : further.tags()) {
            if (tag.type() == 9 && (tag.isSequenceHeader() || tag.isMedia())) {
                all.add(new Tag(9, tag.timestampMs(), oneTrack(trackId, tag.body())));
            }
        }
        return new FlvFile(all);
    }

    private static ByteBuffer oneTrack(int trackId, ByteBuffer legacy) {
        int packetType = legacy.get(1);
        int from = packetType == 0 ? 5 : 2;
        ByteBuffer body = ByteBuffer.allocate(legacy.remaining() - from + 7);
        body.put((byte) (MULTITRACK_VIDEO | (legacy.get(0) & 0x70))).put((byte) packetType);
        body.putInt(AVC1).put((byte) trackId);
        return body.put(legacy.slice(from, legacy.remaining() - from)).flip();
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
