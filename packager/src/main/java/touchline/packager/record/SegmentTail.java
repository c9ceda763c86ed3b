package touchline.packager.record;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import touchline.media.codec.MalformedMediaException;
import touchline.packager.isobmff.BoxReader;

/**
 * One segment of a recording's last file, as an object of its own: the bytes that this file has for
 * it, the {@code free} box before it included. So all tails of a file, one behind the other, are
 * the file.
 *
 * <p>With the size of the object, its name says all that the segment's line in the index says:
 *
 * <pre>
 * {msn}-{init}-{file}-{offset}-{start}-{duration}-{parts}.m4s
 * </pre>
 *
 * {@code file} and {@code offset} are its {@link Recording.Place}: a tail that is missing before it
 * shows as a hole. The segment has the bytes of the object without the box. Date and first segment
 * of an init segment, whose line the index may lack, are in that box ({@link #startedAt}).
 *
 * <p>Immutable, any thread.
 */
public record SegmentTail(Recording.Segment segment) {
    private static final Pattern NAME =
            Pattern.compile(
                    "(\\d{1,18})-(\\d{1,9})-(\\d{1,18})-(\\d{1,18})-(\\d{1,18})-(\\d{1,18})-(\\d{1,9})\\.m4s");

    public String name() {
        Recording.Place place = segment.place();
        return "%d-%d-%d-%d-%d-%d-%d.m4s"
                .formatted(
                        segment.mediaSequence(),
                        segment.init(),
                        place.file(),
                        place.offsetBytes(),
                        segment.startUs(),
                        segment.durationUs(),
                        segment.parts());
    }

    /** Place of its first byte in the recorded file. */
    public long offsetBytes() {
        return segment.place().offsetBytes() - SegmentMark.SIZE_BYTES;
    }

    public long sizeBytes() {
        return segment.place().sizeBytes() + SegmentMark.SIZE_BYTES;
    }

    /**
     * Empty for another name, and for an object that is too short.
     *
     * @param objectBytes size of the object
     */
    public static Optional<SegmentTail> parse(String name, long objectBytes) {
        Matcher matcher = NAME.matcher(name);
        long sizeBytes = objectBytes - SegmentMark.SIZE_BYTES;
        if (!matcher.matches() || sizeBytes <= 0) {
            return Optional.empty();
        }
        long[] numbers = new long[matcher.groupCount()];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = Long.parseLong(matcher.group(i + 1));
        }
        return Optional.of(
                new SegmentTail(
                        new Recording.Segment(
                                numbers[0],
                                (int) numbers[1],
                                new Recording.Place(numbers[2], numbers[3], sizeBytes),
                                numbers[4],
                                numbers[5],
                                (int) numbers[6])));
    }

    /**
     * Wall clock at the start of a segment. Blocks.
     *
     * @param tail a file with a tail
     * @throws MalformedMediaException if it is none
     */
    public static Instant startedAt(Path tail) throws IOException {
        ByteBuffer head = ByteBuffer.allocate(SegmentMark.SIZE_BYTES);
        try (FileChannel file = FileChannel.open(tail, StandardOpenOption.READ)) {
            while (head.hasRemaining() && file.read(head) >= 0) {
                // Until all is read.
            }
        }
        List<BoxReader.Box> boxes = BoxReader.walkWhole(MemorySegment.ofArray(head.array()));
        return boxes.stream()
                .findFirst()
                .flatMap(SegmentMark::read)
                .flatMap(SegmentMark::startedAt)
                .orElseThrow(
                        () ->
                                new MalformedMediaException(
                                        tail.getFileName() + ": no mark before the segment"));
    }
}
