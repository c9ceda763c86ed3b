package touchline.packager.record;

import java.io.IOException;
import java.io.Serial;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.Timeline;
import touchline.media.store.DiskSpace;
import touchline.packager.hls.MediaBody;
import touchline.packager.hls.PartSink.FinishedPart;
import touchline.packager.hls.PartSink.SealedSegment;
import touchline.packager.record.Recorder.Purpose;

/**
 * The files of one session as they are being written; names and index as {@link Recording} says.
 * The recorder's writer thread, but for {@link #deleteSpool}, which comes after it.
 */
final class SessionFolder implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(SessionFolder.class);

    /** A write that fails with less free space than this counts as disk full. */
    private static final DiskSpace.Least FULL = new DiskSpace.Least(1L << 20, 4);

    private final Recorder.Settings settings;
    private final List<Recording.Init> inits = new ArrayList<>();
    private final List<Recording.Segment> segments = new ArrayList<>();
    private final ArrayDeque<Recording.Segment> spooled = new ArrayDeque<>();
    private @Nullable FileChannel growing;
    private long growingFile;
    private int segmentsInFile;
    private boolean segmentOpen;
    private long segmentOffsetBytes;
    private @Nullable FileChannel index;
    private int initNumber;
    private final InitFiles storedInits;
    private boolean ended;

    /** The disk has less free than configured. */
    static final class LowSpaceException extends IOException {
        @Serial private static final long serialVersionUID = 1;

        LowSpaceException(String message) {
            super(message);
        }
    }

    SessionFolder(Recorder.Settings settings) {
        this.settings = settings;
        this.storedInits =
                new InitFiles(settings.folder(), settings.purpose() == Purpose.RECORDING);
    }

    /** Continues what an earlier process has stored. A torn last line of the index is cut off. */
    void reopen() throws IOException {
        Path file = settings.folder().resolve(Recording.INDEX);
        if (settings.purpose() == Purpose.SPOOL || !Files.exists(file)) {
            return;
        }
        Recording before = Recording.load(settings.folder());
        inits.addAll(before.inits());
        segments.addAll(before.segments());
        long whole = Files.readString(file, StandardCharsets.UTF_8).lastIndexOf('\n') + 1L;
        FileChannel opened = FileChannel.open(file, StandardOpenOption.WRITE);
        index = opened;
        opened.truncate(whole).position(whole);
    }

    void init(int number, Timeline timeline, ByteBuffer bytes) throws IOException {
        if (inits.isEmpty()) {
            Files.createDirectories(settings.folder());
            forceNames(settings.folder().toAbsolutePath().getParent());
        }
        if (growing != null) {
            closeGrowing();
        }
        initNumber = number;
        Recording.Init init = new Recording.Init(number, timeline.startUs(), timeline.startedAt());
        storedInits.store(init.fileName(), bytes);
        forceNames(settings.folder());
        inits.add(init);
        appendToIndex(init.line());
    }

    /** Returns where its segment lies so far. */
    MediaBody.FileRange part(FinishedPart part) throws IOException {
        if (!segmentOpen) {
            openSegment(part);
        }
        writeAll(growing(), part.bytes().bytes());
        return new MediaBody.FileRange(
                settings.folder().resolve(fileName(growingFile)),
                segmentOffsetBytes,
                growing().position() - segmentOffsetBytes);
    }

    Recording.Segment seal(SealedSegment sealed) throws IOException {
        long sizeBytes = segmentOpen ? growing().position() - segmentOffsetBytes : 0;
        if (sizeBytes != sealed.sizeBytes()) {
            throw new IOException(
                    "segment %d: %d bytes on disk (expected: %d)"
                            .formatted(sealed.mediaSequence(), sizeBytes, sealed.sizeBytes()));
        }
        force(growing());
        Recording.Segment segment =
                new Recording.Segment(
                        sealed.mediaSequence(),
                        sealed.initNumber(),
                        new Recording.Place(growingFile, segmentOffsetBytes, sizeBytes),
                        sealed.startUs(),
                        sealed.durationUs(),
                        sealed.parts());
        segmentOpen = false;
        segmentsInFile++;
        if (isFull()) {
            closeGrowing();
        }
        appendToIndex(segment.line());
        if (settings.purpose() == Purpose.SPOOL) {
            spooled.add(segment);
        } else {
            segments.add(segment);
        }
        return segment;
    }

    void end() throws IOException {
        appendToIndex(Recording.END);
        ended = true;
    }

    Path path(Recording.Segment segment) {
        return settings.folder().resolve(segment.fileName());
    }

    /** What is stored so far; of a spool nothing. */
    Recording recording() {
        return new Recording(inits, segments, ended);
    }

    /** Deletes a spool's segments that left the window. */
    void deleteSpoolBefore(long mediaSequence) throws IOException {
        while (!spooled.isEmpty() && spooled.getFirst().mediaSequence() < mediaSequence) {
            Files.deleteIfExists(path(spooled.removeFirst()));
        }
    }

    void deleteSpool() throws IOException {
        if (settings.purpose() != Purpose.SPOOL || !Files.isDirectory(settings.folder())) {
            return;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(settings.folder())) {
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
        }
        Files.deleteIfExists(settings.folder());
    }

    @Override
    public void close() {
        close(growing);
        close(index);
        growing = null;
        index = null;
    }

    private void close(@Nullable FileChannel file) {
        if (file == null) {
            return;
        }
        try {
            file.close();
        } catch (IOException e) {
            log.warn("session={} closing a file: {}", settings.session(), e.toString());
        }
    }

    private void openSegment(FinishedPart part) throws IOException {
        long mediaSequence = part.mediaSequence();
        checkSpace();
        if (growing == null) {
            growing = open(settings.folder().resolve(fileName(mediaSequence)));
            forceNames(settings.folder());
            growingFile = mediaSequence;
            segmentsInFile = 0;
        }
        writeAll(
                growing(),
                SegmentMark.of(mediaSequence, inits.getLast().wallClock(part.startUs())));
        segmentOffsetBytes = growing().position();
        segmentOpen = true;
    }

    /** A spool's segments are deleted one by one. */
    private boolean isFull() throws IOException {
        return settings.purpose() == Purpose.SPOOL
                || Recording.isFull(growing().position(), segmentsInFile);
    }

    private FileChannel growing() {
        return Objects.requireNonNull(growing, "no segment is open");
    }

    private void closeGrowing() throws IOException {
        growing().close();
        growing = null;
    }

    private String fileName(long mediaSequence) {
        Recording.Place place = new Recording.Place(mediaSequence, 0, 0);
        return new Recording.Segment(mediaSequence, initNumber, place, 0, 0, 0).fileName();
    }

    private void appendToIndex(String line) throws IOException {
        if (settings.purpose() == Purpose.SPOOL) {
            return;
        }
        FileChannel file = index;
        if (file == null) {
            file = open(settings.folder().resolve(Recording.INDEX));
            index = file;
            forceNames(settings.folder());
            append(file, Recording.HEADER);
        }
        append(file, line);
        force(file);
    }

    private static void append(FileChannel file, String line) throws IOException {
        writeAll(file, ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8)));
    }

    /** Whether writing failed for lack of space. */
    boolean isDiskFull() {
        try {
            return DiskSpace.of(settings.folder()).isBelow(FULL);
        } catch (IOException _) {
            return false;
        }
    }

    private void checkSpace() throws IOException {
        DiskSpace space = DiskSpace.of(settings.folder());
        if (space.isBelow(settings.least())) {
            throw new LowSpaceException(space.shortage(settings.least()));
        }
    }

    private void forceNames(@Nullable Path folder) throws IOException {
        if (folder != null && settings.purpose() == Purpose.RECORDING) {
            FolderSync.force(folder);
        }
    }

    private void force(FileChannel file) throws IOException {
        if (settings.purpose() == Purpose.RECORDING) {
            file.force(/* metaData= */ false);
        }
    }

    private static FileChannel open(Path file) throws IOException {
        return FileChannel.open(
                file,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE);
    }

    private static void writeAll(FileChannel file, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            file.write(bytes);
        }
    }
}
