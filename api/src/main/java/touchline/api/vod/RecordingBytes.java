package touchline.api.vod;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import touchline.media.codec.MalformedMediaException;
import touchline.media.file.SeekableBytes;
import touchline.packager.record.Mp4View;
import touchline.packager.record.Recording;

/**
 * Reads a recording in its folder as one MP4: the computed head, then the recorded files. One file
 * is open at a time. One thread.
 */
final class RecordingBytes implements SeekableBytes {
    private final Mp4View view;
    private final TreeMap<Long, Mp4View.FileSlice> byStart = new TreeMap<>();
    private @Nullable FileChannel open;
    private @Nullable Path opened;

    private RecordingBytes(Mp4View view) {
        this.view = view;
        long start = view.head().byteSize();
        for (Mp4View.FileSlice slice : view.files()) {
            byStart.put(start, slice);
            start += slice.sizeBytes();
        }
    }

    /**
     * Opens a recording as it is now.
     *
     * @throws MalformedMediaException without any media
     */
    static RecordingBytes open(Path folder) throws IOException {
        return new RecordingBytes(Mp4View.of(Recording.load(folder), folder));
    }

    @Override
    public long sizeBytes() {
        return view.sizeBytes();
    }

    @Override
    public int read(long positionBytes, ByteBuffer into) throws IOException {
        long headBytes = view.head().byteSize();
        if (positionBytes < headBytes) {
            int count = (int) Math.min(into.remaining(), headBytes - positionBytes);
            into.put(view.head().asSlice(positionBytes, count).asByteBuffer());
            return count;
        }
        Map.Entry<Long, Mp4View.FileSlice> at = byStart.floorEntry(positionBytes);
        if (at == null || positionBytes >= at.getKey() + at.getValue().sizeBytes()) {
            return -1;
        }
        long offset = positionBytes - at.getKey();
        int count = (int) Math.min(into.remaining(), at.getValue().sizeBytes() - offset);
        ByteBuffer part = into.slice(into.position(), count);
        int read = channel(at.getValue().file()).read(part, offset);
        if (read > 0) {
            into.position(into.position() + read);
        }
        return read;
    }

    private FileChannel channel(Path file) throws IOException {
        FileChannel current = open;
        if (current == null || !file.equals(opened)) {
            close();
            current = FileChannel.open(file, StandardOpenOption.READ);
            open = current;
            opened = file;
        }
        return current;
    }

    @Override
    public void close() throws IOException {
        if (open != null) {
            open.close();
            open = null;
        }
    }
}
