package touchline.packager.clip;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import touchline.media.Track;
import touchline.packager.isobmff.Fragment;
import touchline.packager.isobmff.InitSegment;
import touchline.packager.record.FolderSync;
import touchline.packager.record.Recording;

/**
 * Writes the folder of a clip: its own files, hard links to the source's files, and the index at
 * the end. A folder without an index is no clip. One thread.
 */
final class ClipWriter implements AutoCloseable {
    private final Path folder;
    private final List<Recording.Init> inits = new ArrayList<>();
    private final List<Recording.Segment> segments = new ArrayList<>();
    private final List<Recording.Date> dates = new ArrayList<>();

    /** Source file, and the number it has here. */
    private final Map<Path, Long> links = new HashMap<>();

    private @Nullable FileChannel file;
    private long fileNumber;
    private long segmentOffsetBytes;
    private long segmentStartUs;
    private long segmentUs;
    private int segmentParts;
    private long fragments;

    /** Of the newest init segment, whose file is written when nothing follows for it. */
    private List<Track> tracks = List.of();

    ClipWriter(Path folder) throws IOException {
        this.folder = Files.createDirectories(folder);
    }

    /** What follows is decoded with these tracks, and stands behind a discontinuity. */
    void init(List<Track> with, long startUs, Instant startedAt) throws IOException {
        closeFile();
        writeInit();
        links.clear();
        inits.add(new Recording.Init(inits.size(), startUs, startedAt));
        tracks = List.copyOf(with);
    }

    /** The newest init segment has these tracks instead: they decode what it decoded before. */
    void tracks(List<Track> with) {
        tracks = List.copyOf(with);
    }

    /** The next segment begins at another wall clock, without a discontinuity. */
    void date(Instant at) throws IOException {
        closeFile();
        dates.add(new Recording.Date(segments.size(), at));
    }

    /** Sum of the segments that are complete. */
    long durationUs() {
        long sum = 0;
        for (Recording.Segment segment : segments) {
            sum += segment.durationUs();
        }
        return sum;
    }

    private void writeInit() throws IOException {
        if (!inits.isEmpty()) {
            Recording.Init init = inits.getLast();
            write(init.fileName(), ByteBuffer.wrap(InitSegment.write(tracks, init.startedAt())));
        }
    }

    /** Appends a fragment to the segment that is open, or opens one. */
    void fragment(List<Fragment.Run> runs, long startUs, long durationUs) throws IOException {
        FileChannel out = file;
        if (out == null) {
            fileNumber = segments.size();
            out = open(name(fileNumber));
            file = out;
        }
        if (segmentParts == 0) {
            segmentOffsetBytes = out.position();
            segmentStartUs = startUs;
        }
        Fragment fragment = new Fragment(++fragments, runs);
        ByteBuffer bytes = ByteBuffer.allocate(fragment.sizeBytes());
        fragment.writeTo(bytes);
        writeAll(out, bytes.flip());
        segmentParts++;
        segmentUs += durationUs;
    }

    /** The open segment is complete. */
    void seal() throws IOException {
        FileChannel out = file;
        if (out == null || segmentParts == 0) {
            return;
        }
        long sizeBytes = out.position() - segmentOffsetBytes;
        segments.add(
                new Recording.Segment(
                        segments.size(),
                        init(),
                        new Recording.Place(fileNumber, segmentOffsetBytes, sizeBytes),
                        segmentStartUs,
                        segmentUs,
                        segmentParts));
        segmentParts = 0;
        segmentUs = 0;
    }

    /** Adds a whole segment of the source by a hard link to its file. */
    void link(Recording.Segment segment, Path source) throws IOException {
        closeFile();
        Long number = links.get(source);
        if (number == null) {
            number = (long) segments.size();
            link(folder.resolve(name(number)), source);
            links.put(source, number);
        }
        Recording.Place place = segment.place();
        segments.add(
                new Recording.Segment(
                        segments.size(),
                        init(),
                        new Recording.Place(number, place.offsetBytes(), place.sizeBytes()),
                        segment.startUs(),
                        segment.durationUs(),
                        segment.parts()));
    }

    /** Writes the index, which completes the clip. */
    Recording finish() throws IOException {
        closeFile();
        writeInit();
        Recording recording = new Recording(inits, segments, dates, /* ended= */ true);
        recording.save(folder);
        Path parent = folder.toAbsolutePath().getParent();
        if (parent != null) {
            FolderSync.force(parent);
        }
        return recording;
    }

    private int init() {
        return inits.size() - 1;
    }

    private String name(long number) {
        Recording.Place place = new Recording.Place(number, 0, 0);
        return new Recording.Segment(number, init(), place, 0, 0, 0).fileName();
    }

    private static void link(Path name, Path source) throws IOException {
        try {
            Files.createLink(name, source);
        } catch (UnsupportedOperationException _) {
            Files.copy(source, name);
        }
    }

    private void write(String name, ByteBuffer bytes) throws IOException {
        try (FileChannel out = open(name)) {
            writeAll(out, bytes);
            out.force(/* metaData= */ false);
        }
    }

    private FileChannel open(String name) throws IOException {
        return FileChannel.open(
                folder.resolve(name), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    }

    private static void writeAll(FileChannel out, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            out.write(bytes);
        }
    }

    private void closeFile() throws IOException {
        FileChannel out = file;
        if (out != null) {
            seal();
            out.force(/* metaData= */ false);
            out.close();
            file = null;
        }
    }

    @Override
    public void close() throws IOException {
        if (file != null) {
            file.close();
            file = null;
        }
    }
}
