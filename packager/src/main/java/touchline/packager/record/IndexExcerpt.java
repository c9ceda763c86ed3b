package touchline.packager.record;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import touchline.media.codec.MalformedMediaException;

/**
 * Some lines of an index that a recorder may be writing: what a reader needs that follows a
 * recording file by file, without the lines of all that came before. Immutable, any thread.
 *
 * @param inits whose lines are in the excerpt, in order
 * @param files with the segments whose lines are in the excerpt, in order
 * @param toEnd whether the excerpt reaches the last whole line of the index
 */
public record IndexExcerpt(List<Recording.Init> inits, List<MediaFile> files, boolean toEnd) {
    /** More than the lines of two files, and little enough for each segment of each recording. */
    static final int MAX_BYTES = 128 << 10;

    public IndexExcerpt {
        inits = List.copyOf(inits);
        files = List.copyOf(files);
    }

    /**
     * A file of segments.
     *
     * @param segments at least one
     * @param full nothing is added to it any more
     * @param indexBytes place in the index behind the line of its last segment
     */
    public record MediaFile(List<Recording.Segment> segments, boolean full, long indexBytes) {
        public MediaFile {
            segments = List.copyOf(segments);
        }

        public String name() {
            return segments.getFirst().fileName();
        }

        /** Up to the end of its last segment. */
        public long sizeBytes() {
            Recording.Place last = segments.getLast().place();
            return last.offsetBytes() + last.sizeBytes();
        }
    }

    /**
     * Reads whole lines from a place on, at most {@value #MAX_BYTES} bytes; those of the first file
     * are always complete. Blocks.
     *
     * @param fromBytes 0, or {@link MediaFile#indexBytes} of a file
     * @throws java.nio.file.NoSuchFileException if there is no index yet
     * @throws MalformedMediaException when a whole line is not what it should be
     */
    public static IndexExcerpt read(Path folder, long fromBytes) throws IOException {
        byte[] bytes;
        boolean toEnd;
        try (FileChannel index =
                FileChannel.open(folder.resolve(Recording.INDEX), StandardOpenOption.READ)) {
            long left = Math.max(0, index.size() - fromBytes);
            toEnd = left <= MAX_BYTES;
            ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(MAX_BYTES, left));
            while (buffer.hasRemaining()
                    && index.read(buffer, fromBytes + buffer.position()) >= 0) {
                // Until all is read.
            }
            bytes = buffer.array();
        }
        Parser parser = new Parser(fromBytes);
        int start = 0;
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == '\n') {
                parser.accept(
                        new String(bytes, start, i - start, StandardCharsets.UTF_8),
                        fromBytes + i + 1);
                start = i + 1;
            }
        }
        return parser.excerpt(toEnd);
    }

    /** Groups lines by the files that they name. */
    private static final class Parser {
        private final Recording.Reader reader;
        private final List<MediaFile> files = new ArrayList<>();
        private List<Recording.Segment> open = new ArrayList<>();
        private long openEndBytes;

        Parser(long fromBytes) {
            reader = new Recording.Reader(/* headed= */ fromBytes > 0);
        }

        void accept(String line, long endBytes) {
            int segments = reader.segments.size();
            int inits = reader.inits.size();
            reader.accept(line);
            if (reader.inits.size() > inits) {
                close(/* full= */ true);
            }
            if (reader.segments.size() > segments) {
                Recording.Segment segment = reader.segments.getLast();
                if (!open.isEmpty() && !open.getFirst().fileName().equals(segment.fileName())) {
                    close(/* full= */ true);
                }
                open.add(segment);
                openEndBytes = endBytes;
            }
        }

        private void close(boolean full) {
            if (!open.isEmpty()) {
                files.add(new MediaFile(open, full, openEndBytes));
                open = new ArrayList<>();
            }
        }

        IndexExcerpt excerpt(boolean toEnd) {
            if (!open.isEmpty()) {
                Recording.Place last = open.getLast().place();
                close(Recording.isFull(last.offsetBytes() + last.sizeBytes(), open.size()));
            }
            return new IndexExcerpt(reader.inits, files, toEnd);
        }
    }
}
